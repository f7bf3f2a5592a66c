// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy.source;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.apache.dubbo.common.threadpool.serial.SerializingExecutor;
import org.jspecify.annotations.Nullable;

/**
 * Tells listeners the state of the policy. They receive it in order, one report at a time, while no lock is held: a thread that has
 * something to report while another one reports leaves it to that one. Thread-safe.
 */
final class PolicyStateNotifier {

    private static final Logger log = LoggerFactory.getLogger(PolicyStateNotifier.class);

    private final Supplier<@Nullable String> obstacle;
    private volatile PolicyState present = PolicyState.ofStatic();

    /** As {@code System.nanoTime}; null while changes arrive. */
    private volatile @Nullable Long unfollowedSince;

    /** Used by the thread that reports. */
    private final List<Consumer<PolicyState>> listeners = new ArrayList<>();

    /** Runs reports on the thread that has one, or on the one that reports at that time. */
    private final Executor reports = new SerializingExecutor(Runnable::run);

    /** @param obstacle why no change arrives at present, or null */
    PolicyStateNotifier(Supplier<@Nullable String> obstacle) {
        this.obstacle = obstacle;
    }

    /** As the last rule left it. */
    PolicyState get() {
        return present;
    }

    /** The state, with the reason why changes do not arrive now. */
    PolicyState shown() {
        String problem = obstacle.get();
        return problem == null ? present : present.notFollowed(problem);
    }

    /** Since when no change arrives, in seconds; 0 if changes arrive. Seen when it is asked. */
    long unfollowedSeconds() {
        long now = System.nanoTime();
        Long known = unfollowedSince;
        Long since = shown().problem() == null ? null : Objects.requireNonNullElse(known, now);
        unfollowedSince = since;
        return since == null ? 0 : TimeUnit.NANOSECONDS.toSeconds(now - since);
    }

    void set(PolicyState next) {
        present = next;
        reports.execute(() -> listeners.forEach(this::report));
    }

    /** False if nothing changes: the source is read again and again. */
    boolean change(PolicyState next) {
        boolean isChange = !next.equals(present);
        if (isChange) {
            set(next);
        }
        return isChange;
    }

    /** Reports the present state to a listener, and every later one. */
    void add(Consumer<PolicyState> listener) {
        reports.execute(() -> {
            listeners.add(listener);
            report(listener);
        });
    }

    private void report(Consumer<PolicyState> listener) {
        try {
            listener.accept(shown());
        } catch (RuntimeException | Error e) {
            log.warn("highway: a listener for the state of the policy failed: " + e, e);
        }
    }
}
