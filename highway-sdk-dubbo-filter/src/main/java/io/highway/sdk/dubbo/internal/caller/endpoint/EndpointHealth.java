// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.endpoint;

import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.internal.caller.endpoint.HealthState.Event;
import io.highway.sdk.dubbo.internal.caller.endpoint.RecentCalls.Verdict;
import io.highway.sdk.dubbo.internal.evidence.Failure;
import io.highway.sdk.dubbo.internal.policy.IslandPolicy.Breaking;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The health of one endpoint, in one {@link HealthState}, by the results of its calls and health checks. Time is that of the
 * application's clock. Thread-safe.
 */
final class EndpointHealth {

    /** The calls of a trial. A call counts for the trial in which it was admitted. */
    static final int TRIAL_CALLS = 5;

    static final long EJECTED_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** How long an endpoint stays suspect if nothing decides earlier. */
    private static final long SUSPECT_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** An answer within this time proves that the endpoint is alive: an unanswered call is then a problem of its service. */
    private static final long RECENT_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    /** The time that a peer which has never answered has for its first answer: it may be starting. */
    private static final long COLD_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final int SILENT_AFTER = 2;

    /** Failures of calls whose cause may be the network. */
    private static final Set<Reason> SUSPICIOUS =
            EnumSet.of(Reason.TIMEOUT, Reason.CONNECTION_LOST, Reason.GATEWAY_ERROR, Reason.NOT_FORWARDED);

    /** Reasons that prove an answer of a gateway, although not of the island. */
    private static final Set<Reason> GATEWAY_ANSWERED = EnumSet.of(Reason.NOT_FORWARDED, Reason.GATEWAY_ERROR);

    /**
     * Reasons that count as failed calls. A lost connection does not count, since all its calls fail at once and the
     * next one may use a new connection. A call that was not forwarded does not count either: it costs little and may
     * concern one service.
     */
    private static final Set<Reason> COUNTED = EnumSet.of(Reason.TIMEOUT, Reason.GATEWAY_ERROR);

    private final ProbeSchedule schedule;
    private final LongSupplier holdNanos;
    private final LongSupplier clock;
    private final HealthLog log;

    /** The state after the last event; time may have passed since. */
    private volatile HealthState recorded = HealthState.UP;

    /** When a suspect endpoint is up again; after each failure, in any state. */
    private volatile long suspectUntil;

    /** When an ejected endpoint has a trial. */
    private volatile long ejectedUntil;

    /** Since when it is misrouted. */
    private volatile long misroutedNanos;

    /** Until when calls wait for the answer of an unresponsive endpoint, and what completes with it. */
    private volatile long heldUntil;

    private volatile CompletableFuture<@Nullable Void> answer = CompletableFuture.completedFuture(null);

    /** Whether the limit of failed calls was reached, and no trial has passed since. */
    private volatile boolean mustProve;

    private volatile RecentCalls window;

    /** The number of the trial, which is the current one in that state, and the calls that it still admits. */
    private volatile int trial;

    private final AtomicInteger permits = new AtomicInteger();

    /** How many health checks in a row got no answer, and why the last one got none. */
    private volatile int missed;

    private volatile String silence = "";

    /** The call that got no answer, or empty text; all that got none; what the guard of another island has answered. */
    private String call = "";

    private volatile String unanswered = "";
    private volatile String misrouting = "";

    private volatile boolean isProven;
    private volatile boolean hasEverAnswered;

    /** Time of the last answer, to within half of {@link #RECENT_NANOS}. */
    private volatile long lastAnswered;

    /** When the first call over the connection was answered; 0 until then. */
    private volatile long warm;

    private volatile long firstCheck;
    private volatile @Nullable Duration roundTrip;

    /**
     * Begins up and unproven.
     *
     * @param endpoint its name, for the log
     * @param schedule when health checks are sent
     * @param holdNanos how long calls wait for the answer of a health check
     * @param clock monotonic, nanoseconds
     */
    EndpointHealth(
            String endpoint, Breaking limits, ProbeSchedule schedule, LongSupplier holdNanos, LongSupplier clock) {
        this.schedule = schedule;
        this.holdNanos = holdNanos;
        this.clock = clock;
        this.log = new HealthLog(endpoint);
        this.window = RecentCalls.of(limits);
        this.lastAnswered = clock.getAsLong();
        this.suspectUntil = lastAnswered;
        this.ejectedUntil = lastAnswered;
    }

    ProbeSchedule schedule() {
        return schedule;
    }

    /** Follows other limits of failed calls, with an empty window. */
    synchronized void follow(Breaking limits) {
        if (!limits.equals(window.limits())) {
            window = RecentCalls.of(limits);
            mustProve = false;
            ejectedUntil = clock.getAsLong();
            if (recorded == HealthState.EJECTED || recorded == HealthState.TRIAL) {
                recorded = HealthState.UP;
            }
        }
    }

    HealthState state() {
        HealthState known = recorded;
        return known == HealthState.SUSPECT && !isTroubled() ? known.on(Event.EXPIRED) : known;
    }

    private boolean isPast(long time) {
        return clock.getAsLong() - time >= 0;
    }

    /** Whether something failed a short time ago, or health checks in a row were missed, and nothing was answered since. */
    boolean isTroubled() {
        return isSilent() || !isPast(suspectUntil);
    }

    /** Whether the limit of failed calls was reached, and no trial has passed since. */
    boolean mustProve() {
        return mustProve;
    }

    /** Whether several health checks in a row were missed. */
    boolean isSilent() {
        return missed >= SILENT_AFTER;
    }

    /** Whether an answer has arrived since its last problem. */
    boolean isProven() {
        return isProven;
    }

    boolean hasEverAnswered() {
        return hasEverAnswered;
    }

    /** Time of the last answer, or of its creation. */
    long lastAnswerNanos() {
        return lastAnswered;
    }

    /** The round trip of the last health check, or null if none was answered since the last disconnect. */
    @Nullable
    Duration roundTrip() {
        return roundTrip;
    }

    /** How long calls still wait for an answer, nanoseconds; 0 if they do not wait. */
    long waitNanos() {
        return recorded == HealthState.UNRESPONSIVE ? Math.max(0, heldUntil - clock.getAsLong()) : 0;
    }

    /** Completes with the next answer; already complete unless it is unresponsive. */
    CompletableFuture<@Nullable Void> answer() {
        return answer;
    }

    /** The problem in words; only for a state that has one. */
    String problem() {
        return switch (state()) {
            case UP -> "none";
            case SUSPECT -> isSilent() ? "heartbeats do not arrive (" + silence + ")" : "a call got no answer";
            case MISROUTED -> "the gateway leads to another island (" + misrouting + ")";
            case UNRESPONSIVE -> unanswered;
            case EJECTED -> window.toString();
            case TRIAL -> "the breaker admits a few calls";
        };
    }

    /** Admits one call, if it may; the call reports its end with the {@link #trial} in which it was admitted. */
    boolean tryEnter() {
        if (isTrialDue()) {
            synchronized (this) {
                if (isTrialDue()) { // of two callers, and not right after a trial that has failed
                    beginTrial();
                }
            }
        }
        return switch (recorded) {
            case UP, SUSPECT, MISROUTED -> true;
            case UNRESPONSIVE, EJECTED -> false;
            case TRIAL -> permits.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
        };
    }

    /** Whether {@link #tryEnter} may admit a call now; a trial admits a few. Changes nothing. */
    boolean admits() {
        HealthState now = recorded;
        return now != HealthState.UNRESPONSIVE && (now != HealthState.EJECTED || isTrialDue());
    }

    private boolean isTrialDue() {
        return recorded == HealthState.EJECTED && isPast(ejectedUntil);
    }

    private synchronized void beginTrial() {
        if (recorded == HealthState.EJECTED) {
            trial++;
            ejectedUntil = clock.getAsLong();
            permits.set(TRIAL_CALLS);
            window = RecentCalls.ofTrial(window.limits(), TRIAL_CALLS);
            recorded = recorded.on(Event.TRIAL_DUE);
        }
    }

    /** The trial of a call that was admitted just now; 0 if there is none. */
    int trial() {
        return recorded == HealthState.TRIAL ? trial : 0;
    }

    /** Whether a call counts: a trial counts those that it has admitted. */
    private boolean isCurrent(int admitted) {
        return recorded != HealthState.TRIAL || admitted == trial;
    }

    /** Ends a call that counts neither as a success nor as a failure. */
    void released(int admitted) {
        if (admitted != 0 && recorded == HealthState.TRIAL && isCurrent(admitted)) {
            permits.getAndUpdate(left -> Math.min(TRIAL_CALLS, left + 1));
        }
    }

    /** A call was answered, by a value or an exception of the service. Those that began before the first answer are not slow. */
    void callAnswered(int admitted, long begun) {
        long now = clock.getAsLong();
        boolean isFirst = warm == 0 || begun - warm < 0; // the provider may have loaded classes
        if (warm == 0) {
            warm = now;
        }
        islandAnswered(now);
        if (isCurrent(admitted)) {
            decide(window.answered(isFirst ? 0 : now - begun));
        }
    }

    /** The island has answered, or refused a call. Runs for every call, so it writes only what changes. */
    void islandAnswered(long now) {
        if (!isProven) {
            isProven = true;
        }
        if (!hasEverAnswered || now - lastAnswered > RECENT_NANOS / 2) {
            lastAnswered = now;
            hasEverAnswered = true;
        }
        log.routed(now);
        if (recorded != HealthState.UP || missed != 0) {
            missed = 0;
            suspectUntil = now;
            on(Event.ANSWERED);
        }
    }

    /**
     * A call got no answer from the service.
     *
     * @param what describes it in words
     * @param check requests a health check; returns whether one is in flight then
     */
    void callFailed(int admitted, long begun, Failure failure, String what, BooleanSupplier check) {
        long now = clock.getAsLong();
        Reason reason = failure.reason();
        if (SUSPICIOUS.contains(reason)) {
            failed(Event.FAILED);
        }
        if (failure.isMisrouted()) {
            misrouted(failure);
        } else if (failure.isRefusedThere()) {
            islandAnswered(now);
        }
        if (!COUNTED.contains(reason)) {
            released(admitted);
        } else if (isCurrent(admitted)) {
            decide(window.failed(now - begun, what));
        }
        // last: the answer of the health check, which may come at once, begins the trial
        if (reason == Reason.TIMEOUT
                && now - lastAnswered > RECENT_NANOS
                && timedOut("a call got no answer (" + what + ")", true, holdNanos.getAsLong())
                && !check.getAsBoolean()) {
            on(Event.UNCHECKED);
        }
    }

    private void decide(Verdict verdict) {
        if (verdict == Verdict.OVER_LIMIT) {
            on(Event.LIMIT_REACHED);
        } else if (verdict == Verdict.WITHIN_LIMIT && recorded == HealthState.TRIAL) {
            on(Event.TRIAL_PASSED);
        }
    }

    private void failed(Event event) {
        isProven = false;
        suspectUntil = clock.getAsLong() + SUSPECT_NANOS;
        on(event);
    }

    /**
     * Something timed out; false if that changes nothing, such as of an endpoint that was unresponsive before.
     *
     * @param what describes it in words
     * @param waitNanos how long calls wait for the answer of a health check
     */
    private synchronized boolean timedOut(String what, boolean isCall, long waitNanos) {
        HealthState before = recorded;
        if (before.on(Event.TIMED_OUT) == before) {
            return false;
        }
        call = isCall ? what : "";
        unanswered = what;
        answer = new CompletableFuture<>();
        heldUntil = clock.getAsLong() + waitNanos;
        on(Event.TIMED_OUT);
        return true;
    }

    /** All changes of the state but that to a trial. */
    private void on(Event event) {
        CompletableFuture<@Nullable Void> ended = null;
        synchronized (this) {
            HealthState before = state();
            HealthState next = before.on(event);
            boolean wasOff = before == HealthState.UNRESPONSIVE || before == HealthState.MISROUTED;
            if (event == Event.LIMIT_REACHED) {
                mustProve = true;
            } else if (next == HealthState.UP && !wasOff) {
                mustProve = false;
            }
            boolean isEjected = wasOff && mustProve && (next == HealthState.UP || next == HealthState.SUSPECT);
            if (isEjected) {
                next = next.on(Event.LIMIT_REACHED);
            }
            if (next != recorded) { // a suspect one may be up by now
                enter(next);
            }
            if (isEjected && event == Event.ANSWERED) {
                beginTrial();
            }
            if (before == HealthState.TRIAL && next != before && next != HealthState.EJECTED) {
                window = RecentCalls.of(window.limits());
                mustProve = next != HealthState.UP;
            }
            if (before == HealthState.UNRESPONSIVE && next != before) {
                ended = answer;
            }
        }
        if (ended != null) {
            ended.complete(null);
        }
    }

    private void enter(HealthState state) {
        long now = clock.getAsLong();
        if (state == HealthState.EJECTED && isPast(ejectedUntil)) { // else it has been unresponsive meanwhile
            ejectedUntil = now + EJECTED_NANOS;
        } else if (state == HealthState.MISROUTED) {
            misroutedNanos = now;
        }
        recorded = state; // last: other threads read the times then
    }

    /** A health check is sent; calls wait for its answer if it is {@code awaitable}. */
    void checkSent(boolean awaitable, long now) {
        if (firstCheck == 0) {
            firstCheck = now;
        }
        if (awaitable) {
            heldUntil = now + holdNanos.getAsLong();
        }
    }

    /** A health check was answered. */
    void checkAnswered(Duration took, int slowMillis) {
        boolean isFirst = roundTrip == null;
        roundTrip = took;
        boolean isOfTrial = recorded == HealthState.TRIAL && tryEnter();
        islandAnswered(clock.getAsLong());
        if (recorded == HealthState.EJECTED) {
            beginTrial();
        } else if (isOfTrial) {
            decide(window.answered(took.toNanos()));
        }
        log.checked(took, slowMillis, isFirst);
    }

    /** The destination did not answer a health check. */
    void checkMissed(Failure problem) {
        long now = clock.getAsLong();
        silence = problem.inShort();
        missed = Math.min(SILENT_AFTER, missed + 1);
        failed(Event.CHECK_MISSED);
        if (problem.reason() == Reason.TIMEOUT) {
            checkTimedOut(now);
        } else if (GATEWAY_ANSWERED.contains(problem.reason())) {
            lastAnswered = now;
            on(Event.GATEWAY_ANSWERED);
        }
    }

    private synchronized void checkTimedOut(long now) {
        String what = "heartbeats are not answered (" + silence + ")";
        boolean mayBeStarting = !hasEverAnswered && now - firstCheck < COLD_NANOS;
        if (recorded == HealthState.UNRESPONSIVE) {
            unanswered = call.isEmpty() ? what : call + "; " + what;
            heldUntil = now;
        } else if (isSilent() && !mayBeStarting) {
            boolean unused = timedOut(what, false, 0);
        }
    }

    /** The guard of another island answered. */
    void misrouted(Failure problem) {
        long now = clock.getAsLong();
        misrouting = problem.what();
        missed = 0;
        lastAnswered = now;
        log.misrouted(misrouting, recorded != HealthState.MISROUTED, now);
        failed(Event.MISROUTED);
    }

    /** No health checks run: nothing waits for the answer of one, and the results of earlier ones do not count. */
    void checksStopped() {
        missed = 0;
        roundTrip = null;
        on(Event.UNCHECKED);
        if (recorded == HealthState.MISROUTED && clock.getAsLong() - misroutedNanos > HealthLog.MENDED_NANOS) {
            on(Event.EXPIRED); // a call has to find out
        }
    }

    /** The connection is lost: unproven until the next answer. */
    void connectionLost() {
        isProven = false;
        warm = 0;
        roundTrip = null;
        if (recorded == HealthState.MISROUTED) {
            on(Event.CONNECTION_LOST);
        }
    }
}
