// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.connection.channel;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Which encodings the providers of one island read, as {@code grpc-accept-encoding} of their answers advertises. Several
 * providers may be behind a gateway, so that one answer proves nothing about the next call. Thread-safe.
 */
public final class PeerEncodings {

    private static final String ZSTD = "zstd";

    /** How long all answers must have advertised an encoding, and how long the last one counts. */
    private static final long OBSERVED_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final LongSupplier nanoTime;

    /** By name: zstd, and those with a dictionary that the island's policy ever had. */
    final Map<String, Advertised> encodings = new HashMap<>();

    /** An unbroken series of answers that advertise an encoding. */
    static final class Advertised {

        /** Whether the last answer advertised it, and no request was refused since. */
        private boolean byTheLast;

        /** When the first of the series came, and the last. */
        long since;

        private long last;
    }

    /** Nothing is known yet. */
    public PeerEncodings() {
        this(System::nanoTime);
    }

    PeerEncodings(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        encodings.put(ZSTD, new Advertised());
    }

    /** Whether all answers of the last minute have advertised the encoding, and there was at least one. */
    public synchronized boolean isRead(String encoding) {
        return isRead(encodings.computeIfAbsent(encoding, any -> new Advertised()));
    }

    private boolean isRead(Advertised known) {
        long now = nanoTime.getAsLong();
        return known.byTheLast && now - known.since >= OBSERVED_NANOS && now - known.last < OBSERVED_NANOS;
    }

    /** An answer of the island has come, with this header or without it. */
    synchronized void answered(@Nullable CharSequence accepted) {
        List<String> names = accepted == null
                ? List.of()
                : Arrays.asList(accepted.toString().replace(" ", "").split(","));
        long now = nanoTime.getAsLong();
        encodings.forEach((encoding, known) -> {
            boolean advertised = names.contains(encoding);
            if (advertised && (!known.byTheLast || now - known.last >= OBSERVED_NANOS)) {
                known.since = now;
            }
            known.last = advertised ? now : known.last;
            known.byTheLast = advertised;
        });
    }

    /**
     * A provider of the island could not read a request. If requests had a dictionary, it may read zstd without one;
     * its answers tell.
     */
    synchronized void refused() {
        boolean withDictionary = encodings.entrySet().stream()
                .anyMatch(entry -> !entry.getKey().equals(ZSTD) && isRead(entry.getValue()));
        encodings.forEach((encoding, known) -> known.byTheLast &= withDictionary && encoding.equals(ZSTD));
    }
}
