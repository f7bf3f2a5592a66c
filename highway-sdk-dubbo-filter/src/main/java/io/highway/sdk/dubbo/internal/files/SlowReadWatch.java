// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.files;

import java.util.concurrent.TimeUnit;

/**
 * Whether a read that one thread repeats takes too long: the file system of a lost mount, and the client of a config
 * centre, may not return for minutes, or ever. Thread-safe.
 */
public final class SlowReadWatch {

    private final long slowNanos;

    /** As {@code System.nanoTime}; 0 between reads. */
    private volatile long since;

    /** @param slowMillis the longest time of a read, milliseconds */
    public SlowReadWatch(long slowMillis) {
        slowNanos = TimeUnit.MILLISECONDS.toNanos(slowMillis);
    }

    /** A read begins. */
    public void begin() {
        since = System.nanoTime() | 1; // never 0
    }

    /** It has ended. */
    public void end() {
        since = 0;
    }

    /** Whether the present read takes longer than it may. */
    public boolean isSlow() {
        long begin = since;
        return begin != 0 && System.nanoTime() - begin > slowNanos;
    }
}
