// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.endpoint;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * How this process uses an island: the number of calls, the services they named, whether one was answered. It outlives
 * changes of the island's policy. Thread-safe.
 */
final class IslandUsage {

    private final AtomicInteger positions = new AtomicInteger();
    private final LongAdder calls = new LongAdder();

    /** The service that health checks call, and another one in use, if there is any. */
    private volatile @Nullable String service;

    private volatile @Nullable String another;
    private volatile boolean answered;

    /** Whether the log says that the island is unreachable; used by one thread. */
    boolean saidUnreachable;

    /** The calls that have not ended, without streams. */
    LongAdder calls() {
        return calls;
    }

    /** A number for each call. */
    int nextPosition() {
        return positions.getAndIncrement() & Integer.MAX_VALUE;
    }

    /** The number that the next call gets. */
    int position() {
        return positions.get() & Integer.MAX_VALUE;
    }

    /** The service that health checks call, as {@code [group/]interface[:version]}; null until a call named one. */
    @Nullable
    String service() {
        return service;
    }

    /** Records a call to this service; {@code delivered} if the island has answered it. */
    void used(String serviceKey, boolean delivered) {
        String known = service;
        if (known == null || (delivered && !answered)) {
            service = serviceKey;
        } else if (!known.equals(serviceKey) && !serviceKey.equals(another)) {
            another = serviceKey;
        }
        if (delivered && !answered) {
            answered = true;
        }
    }

    /** A probe of this service got no answer: the next one probes another service, whose providers may be alive. */
    void unanswered(String serviceKey) {
        String next = another;
        if (next != null && serviceKey.equals(service)) {
            another = serviceKey;
            service = next;
        }
    }
}
