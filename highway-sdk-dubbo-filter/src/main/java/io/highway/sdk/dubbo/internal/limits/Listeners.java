// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.limits;

import java.util.List;
import java.util.function.Consumer;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;

/** Listeners of one kind. What one of them throws is logged, seldom if it fails for every call, and has no other effect. */
public final class Listeners<L> {

    private static final Logger log = LoggerFactory.getLogger(Listeners.class);

    private final String kind;
    private final List<Limited<L>> all;

    private record Limited<L>(L listener, LogLimit limit) {}

    /** @param kind for the log */
    public Listeners(String kind, List<L> all) {
        this.kind = kind;
        this.all = all.stream().map(one -> new Limited<>(one, new LogLimit())).toList();
    }

    /** No listener. */
    public static <L> Listeners<L> none() {
        return new Listeners<>("", List.of());
    }

    /** Calls each of them, in order. */
    public void forEach(Consumer<L> event) {
        for (Limited<L> one : all) {
            try {
                event.accept(one.listener);
            } catch (Throwable e) {
                one.limit.warn(
                        log, "highway: " + kind + " " + one.listener.getClass().getName() + " failed", e);
            }
        }
    }
}
