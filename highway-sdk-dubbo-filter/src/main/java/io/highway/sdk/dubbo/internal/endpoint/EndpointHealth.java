// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.endpoint;

import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.internal.endpoint.HealthState.Event;
import io.highway.sdk.dubbo.internal.evidence.Failure;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * What the calls and health checks over an endpoint show, without its circuit breaker: it turns their results into the
 * events of {@link HealthState}. Thread-safe.
 *
 * @param schedule when health checks are sent
 * @param answers whether what is sent is answered
 * @param passive when it was answered
 * @param active the results of health checks
 */
record EndpointHealth(
        LongSupplier clock,
        ProbeSchedule schedule,
        Responsiveness answers,
        PassiveHealth passive,
        ActiveHealth active) {

    /** Failures that mark the endpoint as suspect (possible network cause). */
    private static final Set<Reason> SUSPICIOUS =
            EnumSet.of(Reason.TIMEOUT, Reason.CONNECTION_LOST, Reason.GATEWAY_ERROR, Reason.NOT_FORWARDED);

    /** Reasons that prove an answer of a gateway, although not of the island. */
    private static final Set<Reason> GATEWAY_ANSWERED = EnumSet.of(Reason.NOT_FORWARDED, Reason.GATEWAY_ERROR);

    /**
     * Begins unknown.
     *
     * @param endpoint its name, for the log
     * @param holdNanos how long calls wait for the answer of a health check
     */
    EndpointHealth(String endpoint, ProbeSchedule schedule, LongSupplier holdNanos, LongSupplier clock) {
        this(
                clock,
                schedule,
                new Responsiveness(holdNanos, clock),
                new PassiveHealth(clock.getAsLong()),
                new ActiveHealth(endpoint));
    }

    /** A call was answered; returns how long it took, or 0 if it is not to count as slow: it was among the first. */
    long callAnswered(long begun) {
        long now = clock.getAsLong();
        boolean first = passive.isFirst(begun, now);
        answered(Event.CALL_ANSWERED, now);
        return first ? 0 : now - begun;
    }

    /** A health check was answered. */
    void checkAnswered() {
        answered(Event.CHECK_ANSWERED, clock.getAsLong());
    }

    private void answered(Event event, long now) {
        islandReached(now);
        active.passed(event);
        answers.end(event);
    }

    /** The island has answered, or refused a call. */
    void islandReached(long now) {
        passive.answered(now);
        active.routed(now);
    }

    /** A call got no answer from the service. */
    void callFailed(Reason reason) {
        if (SUSPICIOUS.contains(reason)) {
            failed(Event.CALL_FAILED);
        }
    }

    /**
     * A call timed out; {@code what} describes it in words.
     *
     * @return whether calls wait for an answer from now on, so that a health check has to be sent
     */
    boolean callTimedOut(String what) {
        return !passive.hasJustAnswered(clock.getAsLong()) && answers.callTimedOut(what);
    }

    /** No health check can be sent after {@link #callTimedOut}. */
    void checkNotSent() {
        answers.end(Event.CHECK_NOT_SENT);
    }

    /** A health check is sent; calls wait for its answer if it is {@code awaitable}. */
    void checkSent(boolean awaitable, long now) {
        active.sent(now);
        if (awaitable) {
            answers.checkSent();
        }
    }

    /** The destination did not answer a health check. */
    void checkMissed(Failure problem) {
        long now = clock.getAsLong();
        String why = problem.inShort();
        failed(Event.CHECK_MISSED);
        boolean silent = active.missed(why) == HealthState.SILENT;
        if (problem.reason() == Reason.TIMEOUT) {
            boolean mayBeStarting = !passive.hasEverAnswered() && active.mayBeStarting(now);
            answers.checkTimedOut(
                    silent && !mayBeStarting ? Event.CHECKS_TIMED_OUT : Event.CHECK_TIMED_OUT,
                    "heartbeats are not answered (" + why + ")");
        } else if (GATEWAY_ANSWERED.contains(problem.reason())) {
            passive.answeredByGateway(now);
            answers.end(Event.GATEWAY_ANSWERED);
        }
    }

    /** The guard of another island answered. */
    void misrouted(Failure problem) {
        long now = clock.getAsLong();
        active.misrouted(problem.what(), now);
        passive.answeredByGateway(now);
        answers.end(Event.GATEWAY_ANSWERED);
    }

    private void failed(Event event) {
        passive.failed(clock.getAsLong());
        answers.failed(event);
    }

    /** No health checks run: nothing waits for the answer of one, and the results of earlier ones do not count. */
    void checksStopped() {
        active.forget(clock.getAsLong());
        answers.end(Event.CHECKS_STOPPED);
    }

    /** The connection is lost: unproven until the next answer. */
    void connectionLost() {
        passive.connectionLost(clock.getAsLong());
        active.connectionLost();
    }
}
