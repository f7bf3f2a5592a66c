// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.signature;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The signatures of one key that were accepted, each of them over a nonce. The first 64 bits of each are kept: without the
 * secret, no attacker finds two that share them. They are kept in generations of ten seconds: a signature's time is signed, so
 * a replay looks into the same generation. A generation is forgotten 121 seconds after its last signature was recorded; then all of them have expired:
 * the time of a signature is in whole seconds. A signature that was refused because the cache was full is never new
 * afterwards, nor is another one of the same second. Thread-safe.
 */
final class NonceCache {

    static final int KEEP_SECONDS = 121;

    private static final Base64.Decoder DECODER = Base64.getUrlDecoder();
    private static final int GENERATION_SECONDS = 10;
    private static final long SWEEP_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** A power of two. */
    private static final int STRIPES = 16;

    /** What the cache says about a signature. */
    enum Answer {
        NEW,
        KNOWN,
        FULL
    }

    private final int max;
    private final LongSupplier nanos;
    private final Map<Long, Generation> generations = new ConcurrentHashMap<>();
    private final AtomicInteger size = new AtomicInteger();
    private final AtomicLong nextSweep;

    /** When a signature was last refused because the cache was full, by the time in the signature in seconds. */
    private final Map<Long, Long> refused = new ConcurrentHashMap<>();

    NonceCache(int max, LongSupplier nanos) {
        this.max = max;
        this.nanos = nanos;
        this.nextSweep = new AtomicLong(nanos.getAsLong() + SWEEP_NANOS);
    }

    /**
     * Records a signature if it is unknown.
     *
     * @param signedAt the time in the signature, in seconds
     * @param signature the verified MAC, as {@link KeyedMac#sign} writes it
     */
    Answer add(long signedAt, String signature) {
        long now = nanos.getAsLong();
        sweep(now);
        return add(signedAt, ByteBuffer.wrap(DECODER.decode(signature)).getLong(), now);
    }

    /** Records a random number that comes with no time, if none of the last two minutes is the same. */
    synchronized Answer add(long number) {
        long now = nanos.getAsLong();
        sweep(now);
        return contains(number) ? Answer.KNOWN : add(TimeUnit.NANOSECONDS.toSeconds(now), number, now);
    }

    /** Whether such a number was recorded in the last two minutes. */
    boolean contains(long number) {
        return generations.values().stream().anyMatch(each -> each.contains(number));
    }

    private Answer add(long signedAt, long number, long now) {
        Long generation = signedAt / GENERATION_SECONDS;
        while (true) {
            Generation known = generations.get(generation);
            Answer answer = (known != null
                            ? known
                            : generations.computeIfAbsent(generation, any -> new Generation(now)))
                    .add(number == 0 ? 1 : number, signedAt, now);
            if (answer != null) {
                return answer;
            }
        }
    }

    int size() {
        return size.get();
    }

    private void sweep(long now) {
        long due = nextSweep.get();
        if (now - due < 0 || !nextSweep.compareAndSet(due, now + SWEEP_NANOS)) {
            return;
        }
        refused.values().removeIf(at -> isExpired(at, now));
        for (Iterator<Generation> all = generations.values().iterator(); all.hasNext(); ) {
            Generation generation = all.next();
            if (generation.isOver(now)) {
                size.addAndGet(-generation.close());
                all.remove();
            }
        }
    }

    private static boolean isExpired(long at, long now) {
        return now - at >= TimeUnit.SECONDS.toNanos(KEEP_SECONDS);
    }

    /** The nonces of the signatures of ten seconds. */
    private final class Generation {

        private final Stripe[] stripes = new Stripe[STRIPES];
        private volatile long lastRecorded;

        Generation(long now) {
            Arrays.setAll(stripes, any -> new Stripe());
            this.lastRecorded = now;
        }

        boolean contains(long number) {
            long hash = number == 0 ? 1 : number;
            Stripe stripe = stripes[(int) (hash >>> 60)];
            synchronized (stripe) {
                return !stripe.isClosed() && stripe.contains(hash);
            }
        }

        boolean isOver(long now) {
            return isExpired(lastRecorded, now);
        }

        /** Null if the generation was closed. */
        @Nullable
        Answer add(long hash, long signedAt, long now) {
            Stripe stripe = stripes[(int) (hash >>> 60)];
            synchronized (stripe) {
                if (stripe.isClosed()) {
                    return null;
                }
                if (stripe.contains(hash)) {
                    return Answer.KNOWN;
                }
                if (refused.containsKey(signedAt)) {
                    return Answer.FULL;
                }
                if (size.incrementAndGet() > max) {
                    size.decrementAndGet();
                    refused.put(signedAt, now);
                    return Answer.FULL;
                }
                lastRecorded = now;
                stripe.add(hash);
                return Answer.NEW;
            }
        }

        /** Returns how many nonces it had. */
        int close() {
            int count = 0;
            for (Stripe stripe : stripes) {
                synchronized (stripe) {
                    count += stripe.close();
                }
            }
            return count;
        }
    }

    /** A set of numbers other than 0, by open addressing. Used under its own lock. */
    private static final class Stripe {

        private static final long[] CLOSED = {};

        private long[] table = new long[16];
        private int count;

        boolean isClosed() {
            return table == CLOSED;
        }

        boolean contains(long hash) {
            return table[indexOf(hash)] != 0;
        }

        void add(long hash) {
            if (4 * (count + 1) > 3 * table.length) {
                grow();
            }
            table[indexOf(hash)] = hash;
            count++;
        }

        /** Where it is, or where it would be added. */
        private int indexOf(long hash) {
            int mask = table.length - 1;
            int index = (int) hash & mask;
            while (table[index] != 0 && table[index] != hash) {
                index = (index + 1) & mask;
            }
            return index;
        }

        private void grow() {
            long[] old = table;
            table = new long[2 * old.length];
            for (long hash : old) {
                if (hash != 0) {
                    table[indexOf(hash)] = hash;
                }
            }
        }

        int close() {
            int had = count;
            table = CLOSED;
            count = 0;
            return had;
        }
    }
}
