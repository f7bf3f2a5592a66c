// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.gateway;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts calls and reports when the last one has ended. Changed on the event loop only, readable on any thread. */
final class Traffic {
    private static final Logger log = LoggerFactory.getLogger(Gateway.class);

    private final AtomicLong forwarded = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final CompletableFuture<Void> drained = new CompletableFuture<>();
    private long inFlight;
    private boolean draining;

    void begin() {
        inFlight++;
    }

    void end(int calls) {
        inFlight -= calls;
        completeWhenDrained();
    }

    /** Refuses new calls from now on; the result completes when the calls in flight have ended. */
    CompletableFuture<Void> drain() {
        draining = true;
        completeWhenDrained();
        return drained;
    }

    boolean isDraining() {
        return draining;
    }

    private void completeWhenDrained() {
        if (draining && inFlight == 0) {
            drained.complete(null);
        }
    }

    void forwarded() {
        forwarded.incrementAndGet();
    }

    void refused(Protocol protocol, Object call, Object client, Refusal refusal) {
        refused.incrementAndGet();
        log.info("refused {} call {} from {}: {}", protocol, call, client, refusal.reason());
    }

    long forwardedCalls() {
        return forwarded.get();
    }

    long refusedCalls() {
        return refused.get();
    }
}
