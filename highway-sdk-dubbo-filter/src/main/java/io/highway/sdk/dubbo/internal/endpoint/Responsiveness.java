// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.endpoint;

import io.highway.sdk.dubbo.internal.endpoint.HealthState.Event;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether what is sent over an endpoint is answered: the first column of {@link HealthState}. While an answer is awaited,
 * calls wait for it, for a limited time; after that they are refused until any answer arrives. Thread-safe.
 */
final class Responsiveness {

    /** How long an endpoint stays suspect if no health check decides earlier. */
    private static final long SUSPECT_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final LongSupplier clock;
    private final LongSupplier holdNanos;

    /** The state after the last event; time may have passed since. */
    private volatile HealthState recorded = HealthState.RESPONSIVE;

    private volatile long suspectUntil;
    private volatile long heldUntil;

    /** The call that got no answer, or empty text, and all that got none, in words. */
    private String call = "";

    private volatile String unanswered = "";
    private volatile CompletableFuture<Void> answer = CompletableFuture.completedFuture(null);

    /**
     * Begins responsive.
     *
     * @param holdNanos how long calls wait for the answer of a health check
     */
    Responsiveness(LongSupplier holdNanos, LongSupplier clock) {
        this.holdNanos = holdNanos;
        this.clock = clock;
    }

    HealthState state() {
        HealthState known = recorded;
        return switch (known) {
            case SUSPECT -> isPast(suspectUntil) ? known.on(Event.SUSPECT_EXPIRED) : known;
            case AWAITED -> isPast(heldUntil) ? known.on(Event.WAIT_EXPIRED) : known;
            default -> known;
        };
    }

    private boolean isPast(long time) {
        return clock.getAsLong() - time >= 0;
    }

    /** Whether calls wait for an answer or are refused until one arrives. */
    boolean isUnresponsive() {
        HealthState known = recorded;
        return known == HealthState.AWAITED || known == HealthState.UNRESPONSIVE;
    }

    /** What got no answer, in words; null unless it {@link #isUnresponsive}. */
    @Nullable
    String problem() {
        return isUnresponsive() ? unanswered : null;
    }

    /** How long calls still wait for an answer, nanoseconds; 0 if they do not wait. */
    long waitNanos() {
        return state() == HealthState.AWAITED ? Math.max(0, heldUntil - clock.getAsLong()) : 0;
    }

    /** Completes with the next answer; already complete unless it {@link #isUnresponsive}. */
    CompletableFuture<Void> answer() {
        return answer;
    }

    /** A call or a health check failed in a way that makes the endpoint suspect. */
    synchronized void failed(Event event) {
        suspectUntil = clock.getAsLong() + SUSPECT_NANOS;
        recorded = state().on(event);
    }

    /** A call timed out: calls wait for the answer of a health check. Returns false if it was unresponsive before. */
    synchronized boolean callTimedOut(String what) {
        if (isUnresponsive()) {
            return false;
        }
        begin(what, what);
        heldUntil = clock.getAsLong() + holdNanos.getAsLong();
        recorded = state().on(Event.CALL_TIMED_OUT);
        return true;
    }

    /** A health check timed out: {@link Event#CHECK_TIMED_OUT} or {@link Event#CHECKS_TIMED_OUT}. */
    synchronized void checkTimedOut(Event event, String what) {
        HealthState next = state().on(event);
        if (isUnresponsive()) {
            unanswered = call.isEmpty() ? what : call + "; " + what;
        } else if (next == HealthState.UNRESPONSIVE) {
            begin("", what);
        }
        recorded = next;
    }

    private void begin(String unansweredCall, String what) {
        call = unansweredCall;
        unanswered = what;
        answer = new CompletableFuture<>();
    }

    /** A health check was sent for whose answer calls may wait. */
    synchronized void checkSent() {
        heldUntil = clock.getAsLong() + holdNanos.getAsLong();
        recorded = state().on(Event.CHECK_SENT);
    }

    /** Any event after which no call waits or is refused. Runs for every call. */
    void end(Event event) {
        if (recorded == HealthState.RESPONSIVE) {
            return;
        }
        CompletableFuture<Void> ended;
        synchronized (this) {
            HealthState present =
                    event == Event.CHECK_NOT_SENT ? recorded : state(); // a wait that never began is not over
            recorded = present.on(event);
            ended = answer;
        }
        ended.complete(null);
    }
}
