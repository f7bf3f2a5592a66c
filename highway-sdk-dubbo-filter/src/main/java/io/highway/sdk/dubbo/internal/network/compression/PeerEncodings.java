// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.compression;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Which encodings the providers of one island read, as {@code grpc-accept-encoding} of their answers advertises. Several
 * providers may be behind a gateway, so that one answer proves nothing about the next call. Thread-safe.
 */
public final class PeerEncodings {

    private static final Logger log = LoggerFactory.getLogger(PeerEncodings.class);

    /** How long all answers must have advertised an encoding, and how long the last one counts. */
    private static final long OBSERVED_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final LongSupplier nanoTime;

    /** By name: zstd, and those with a dictionary that the island's policy ever had. */
    final Map<String, Advertised> encodings = new HashMap<>();

    /** What the last answer of each service advertised: its providers may be others. */
    private final Map<String, Set<String>> byService = new ConcurrentHashMap<>();

    /** When a provider could not read a request of a service. */
    final Map<String, Long> refusedAt = new ConcurrentHashMap<>();

    /** The encoding of requests in the last log line about it; used by one thread. */
    @Nullable
    String logged;

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
        encodings.put(MessageCompressor.ZSTD, new Advertised());
    }

    /** As {@link #isRead(String)}, and the last answer of this service has advertised it. */
    public boolean isRead(String encoding, String service) {
        return isRead(encoding) && byService.getOrDefault(service, Set.of()).contains(encoding);
    }

    /** Whether all answers of the last minute have advertised the encoding, and there was at least one. */
    public synchronized boolean isRead(String encoding) {
        Advertised known = encodings.computeIfAbsent(encoding, any -> new Advertised());
        long now = nanoTime.getAsLong();
        return known.byTheLast && now - known.since >= OBSERVED_NANOS && now - known.last < OBSERVED_NANOS;
    }

    /** Whether a provider of this service could not read a request in the last minute. */
    public boolean isRefused(String service) {
        Long at = refusedAt.get(service);
        return at != null && nanoTime.getAsLong() - at < OBSERVED_NANOS;
    }

    /** An answer of a service of the island has come, with this header or without it. */
    public void answered(String service, @Nullable CharSequence accepted) {
        String header = accepted == null ? "" : accepted.toString().replace(" ", "");
        Set<String> names = Set.copyOf(Arrays.asList(header.split(",")));
        if (!names.equals(byService.get(service))) {
            byService.put(service, names);
        }
        answered(names);
    }

    private synchronized void answered(Set<String> names) {
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
     * A provider of the island could not read a request of this service.
     *
     * @param encoding of the request; one with a dictionary does not mean that zstd cannot be read
     */
    public synchronized void refused(@Nullable String encoding, String island, String service) {
        boolean onlyDictionary =
                encoding != null && !encoding.equals(MessageCompressor.ZSTD) && encodings.containsKey(encoding);
        encodings.forEach((name, known) -> known.byTheLast &= onlyDictionary && !name.equals(encoding));
        if (MessageCompressor.ZSTD.equals(encoding) && !isRefused(service)) {
            refusedAt.put(service, nanoTime.getAsLong());
            log.warn("highway: island " + island + ": a provider of " + service + " cannot read zstd, so its requests"
                    + " are sent as they are for one minute; look at highway.islands." + island + ".compression");
        }
    }
}
