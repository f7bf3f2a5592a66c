// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts calls and reports when the last one has ended. Changed on the event loop only, readable on any thread. */
final class Traffic {
    private static final Logger log = LoggerFactory.getLogger(Gateway.class);
    private static final int MOST_ENCODINGS = 16;

    private final AtomicLong forwarded = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final Map<String, AtomicLong> encodings = new ConcurrentHashMap<>();
    private final CompletableFuture<Void> drained = new CompletableFuture<>();
    private long inFlight;
    private boolean draining;
    private boolean httpEnded;

    void begin() {
        inFlight++;
    }

    void end(int calls) {
        inFlight -= calls;
        completeWhenDrained();
    }

    /**
     * Refuses new calls from now on, by HTTP only after {@link #endHttp}; the result completes when the calls in flight have
     * ended after that.
     */
    CompletableFuture<Void> drain() {
        draining = true;
        return drained;
    }

    /** Refuses calls by HTTP, too. */
    void endHttp() {
        httpEnded = true;
        completeWhenDrained();
    }

    /** Whether a new call is refused. */
    boolean refuses(Protocol protocol) {
        return draining && (httpEnded || protocol != Protocol.HTTP);
    }

    boolean isDraining() {
        return draining;
    }

    private void completeWhenDrained() {
        if (httpEnded && inFlight == 0) {
            drained.complete(null);
        }
    }

    void forwarded() {
        forwarded.incrementAndGet();
    }

    /** Counts the encoding of a request, too. */
    void forwarded(@Nullable CharSequence encoding) {
        forwarded();
        if (encoding != null && (encodings.size() < MOST_ENCODINGS || encodings.containsKey(encoding.toString()))) {
            encodings
                    .computeIfAbsent(encoding.toString(), any -> new AtomicLong())
                    .incrementAndGet();
        }
    }

    void refused(Protocol protocol, Object call, Object client, Refusal refusal) {
        refused.incrementAndGet();
        log.info("refused {} call {} from {}: {}", protocol, call, client, refusal.reason());
    }

    GatewayStats stats(int dubboConnections, int tripleConnections) {
        Map<String, Long> counts = new TreeMap<>();
        encodings.forEach((encoding, count) -> counts.put(encoding, count.get()));
        return new GatewayStats(dubboConnections, tripleConnections, forwarded.get(), refused.get(), counts);
    }
}
