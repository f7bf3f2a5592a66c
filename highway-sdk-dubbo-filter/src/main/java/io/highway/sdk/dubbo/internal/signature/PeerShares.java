// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.signature;

import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** How many requests of each peer are kept, in steps of ten seconds; a peer without any is forgotten. Thread-safe. */
final class PeerShares {

    private static final long STEP_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** As long as a {@link NonceCache} keeps them, or a step longer. */
    private static final int STEPS = NonceCache.KEEP_SECONDS / 10 + 2;

    private final LongSupplier nanos;
    private final Map<InetAddress, int[]> peers = new HashMap<>();
    private long newest;

    PeerShares(LongSupplier nanos) {
        this.nanos = nanos;
        this.newest = step();
    }

    private long step() {
        return Math.floorDiv(nanos.getAsLong(), STEP_NANOS);
    }

    private static int index(long step) {
        return Math.floorMod(step, STEPS);
    }

    /** One more request. */
    synchronized void add(InetAddress peer) {
        forgetOld();
        peers.computeIfAbsent(peer, any -> new int[STEPS])[index(newest)]++;
    }

    synchronized int of(InetAddress peer) {
        forgetOld();
        int[] steps = peers.get(peer);
        return steps == null ? 0 : sum(steps);
    }

    private static int sum(int[] steps) {
        int sum = 0;
        for (int step : steps) {
            sum += step;
        }
        return sum;
    }

    private void forgetOld() {
        long now = step();
        if (now == newest) {
            return;
        }
        for (long step = Math.max(newest + 1, now - STEPS + 1); step <= now; step++) {
            int old = index(step);
            peers.values().forEach(steps -> steps[old] = 0);
        }
        newest = now;
        peers.values().removeIf(steps -> sum(steps) == 0);
    }
}
