// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.signature;

import io.netty.util.collection.LongObjectHashMap;
import io.netty.util.collection.LongObjectMap;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The signatures of one key that were accepted, each of them over a nonce. The first 64 bits of each are kept: without the
 * secret, no attacker finds two that share them. They are kept in generations of ten seconds: a signature's time is signed, so
 * a replay looks into the same generation. A generation is forgotten 121 seconds after its last signature was recorded; then
 * all of them have expired: the time of a signature is in whole seconds. A signature that was refused because the cache was
 * full is never new afterwards, nor is another one of the same second. Thread-safe.
 */
final class ReplayCache {

    static final int KEEP_SECONDS = 121;

    private static final Base64.Decoder DECODER = Base64.getUrlDecoder();
    private static final int GENERATION_SECONDS = 10;
    private static final long SWEEP_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** What the cache says about a signature. */
    enum Answer {
        NEW,
        KNOWN,
        FULL
    }

    private final int max;
    private final LongSupplier nanos;

    // guarded by this
    private final Map<Long, Generation> generations = new HashMap<>();

    /** When a signature was last refused because the cache was full, by the time in the signature in seconds. */
    private final Map<Long, Long> refused = new HashMap<>();

    private int size;
    private long nextSweep;

    /** The nonces of the signatures of ten seconds. */
    private static final class Generation {

        /** A set, which takes 16 to 32 bytes for each. */
        private final LongObjectMap<Boolean> numbers = new LongObjectHashMap<>(16, 0.75f);

        private final Map<InetAddress, Integer> ofPeers = new HashMap<>();
        private long lastRecorded;

        /** Whether memory was missing while the table grew: it may have lost what it had. */
        private boolean isBroken;

        Generation(long now) {
            this.lastRecorded = now;
        }
    }

    ReplayCache(int max, LongSupplier nanos) {
        this.max = max;
        this.nanos = nanos;
        this.nextSweep = nanos.getAsLong() + SWEEP_NANOS;
    }

    /**
     * Records a signature if it is unknown.
     *
     * @param signedAt the time in the signature, in seconds
     * @param signature the verified MAC, as {@link KeyedMac#sign} writes it
     */
    Answer add(long signedAt, String signature) {
        // 12 characters are 9 bytes; they are read before the lock that all calls of a key share
        long number =
                ByteBuffer.wrap(DECODER.decode(signature.substring(0, 12))).getLong();
        return add(signedAt, number, null);
    }

    /**
     * Records a random number that comes with no time, if none of the last two minutes is the same.
     *
     * @param peer that {@link #size(InetAddress)} counts it for, or null
     */
    synchronized Answer addUntimed(long number, @Nullable InetAddress peer) {
        long now = nanos.getAsLong();
        sweep(now);
        if (generations.values().stream().anyMatch(each -> each.isBroken)) {
            return Answer.FULL;
        }
        return contains(number) ? Answer.KNOWN : add(TimeUnit.NANOSECONDS.toSeconds(now), number, peer);
    }

    /** Whether such a number was recorded in the last two minutes. */
    synchronized boolean contains(long number) {
        return generations.values().stream().anyMatch(each -> each.numbers.containsKey(number));
    }

    private synchronized Answer add(long signedAt, long number, @Nullable InetAddress peer) {
        long now = nanos.getAsLong();
        sweep(now);
        Generation generation = generations.computeIfAbsent(signedAt / GENERATION_SECONDS, any -> new Generation(now));
        if (generation.numbers.containsKey(number)) {
            return Answer.KNOWN;
        }
        if (generation.isBroken || refused.containsKey(signedAt)) {
            return Answer.FULL;
        }
        if (size == max) {
            refused.put(signedAt, now);
            return Answer.FULL;
        }
        generation.lastRecorded = now;
        try {
            generation.numbers.put(number, Boolean.TRUE);
        } catch (OutOfMemoryError e) {
            generation.isBroken = true;
            return Answer.FULL;
        }
        size++;
        if (peer != null) {
            generation.ofPeers.merge(peer, 1, Integer::sum);
        }
        return Answer.NEW;
    }

    synchronized int size() {
        return size;
    }

    /** How many it has of a peer. */
    synchronized int size(InetAddress peer) {
        sweep(nanos.getAsLong());
        return generations.values().stream()
                .mapToInt(each -> each.ofPeers.getOrDefault(peer, 0))
                .sum();
    }

    private void sweep(long now) {
        if (now - nextSweep < 0) {
            return;
        }
        nextSweep = now + SWEEP_NANOS;
        refused.values().removeIf(at -> isExpired(at, now));
        generations.values().removeIf(each -> isExpired(each.lastRecorded, now));
        size = generations.values().stream()
                .mapToInt(each -> each.numbers.size())
                .sum();
    }

    private static boolean isExpired(long at, long now) {
        return now - at >= TimeUnit.SECONDS.toNanos(KEEP_SECONDS);
    }
}
