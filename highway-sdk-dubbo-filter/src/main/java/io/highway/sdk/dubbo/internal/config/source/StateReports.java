// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.config.source;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Reports the state of the policy to listeners, in order and one report at a time. No lock is held meanwhile: a thread
 * that has something to report while another one reports leaves it to that one. Thread-safe.
 */
final class StateReports {

    private static final Logger log = LoggerFactory.getLogger(StateReports.class);

    private final Supplier<PolicyState> state;

    /** Used by the thread that reports. */
    private final List<Consumer<PolicyState>> listeners = new ArrayList<>();

    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private boolean isReporting;

    StateReports(Supplier<PolicyState> state) {
        this.state = state;
    }

    /** Reports the present state to a listener, and every later one. */
    void add(Consumer<PolicyState> listener) {
        report(() -> {
            listeners.add(listener);
            report(listener);
        });
    }

    /** Reports the present state to all listeners. */
    void reportAll() {
        report(() -> listeners.forEach(this::report));
    }

    private void report(Runnable report) {
        synchronized (waiting) {
            waiting.add(report);
            if (isReporting) {
                return;
            }
            isReporting = true;
        }
        for (Runnable next = next(); next != null; next = next()) {
            next.run();
        }
    }

    private @Nullable Runnable next() {
        synchronized (waiting) {
            Runnable next = waiting.poll();
            isReporting = next != null;
            return next;
        }
    }

    private void report(Consumer<PolicyState> listener) {
        try {
            listener.accept(state.get());
        } catch (RuntimeException | Error e) {
            log.warn("highway: a listener for the state of the policy failed: " + e, e);
        }
    }
}
