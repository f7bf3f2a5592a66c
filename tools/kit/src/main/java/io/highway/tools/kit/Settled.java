// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.kit;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What a process has once nothing closes any more.
 *
 * @param threads how many
 * @param descriptors how many
 */
record Settled(long threads, long descriptors) {

    /** Netty's threads end two seconds after they have closed. */
    private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(4);

    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** The least in the next seconds. */
    static Settled now() throws IOException {
        Settled least = new Settled(Long.MAX_VALUE, Long.MAX_VALUE);
        long end = System.nanoTime() + WAIT_NANOS;
        while (System.nanoTime() - end < 0) {
            least = new Settled(
                    Math.min(least.threads, TestRun.threads().size()),
                    Math.min(least.descriptors, TestRun.descriptors().size()));
            LockSupport.parkNanos(POLL_NANOS);
        }
        return least;
    }
}
