// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.endpoint;

import java.util.List;
import java.util.Set;

/**
 * The states of an endpoint's health, and all transitions between them. An endpoint is in one state of each column; an
 * event changes only the states that its row names. The status that an endpoint reports follows from these states.
 *
 * <pre>
 * | event            | answers                          | health checks               | circuit breaker           |
 * |------------------|----------------------------------|-----------------------------|---------------------------|
 * | call-answered    | any -> responsive                | any -> passing              |                           |
 * | call-failed      | responsive -> suspect            |                             |                           |
 * | call-timed-out   | responsive, suspect -> awaited   |                             |                           |
 * | check-sent       | unresponsive -> awaited          |                             |                           |
 * | check-not-sent   | awaited -> suspect               |                             |                           |
 * | check-answered   | any -> responsive                | any -> passing              | open -> half-open         |
 * | check-missed     | responsive -> suspect            | passing -> missed -> silent |                           |
 * | check-timed-out  | awaited -> unresponsive          |                             |                           |
 * | checks-timed-out | any -> unresponsive              |                             |                           |
 * | gateway-answered | awaited, unresponsive -> suspect |                             |                           |
 * | checks-stopped   | awaited, unresponsive -> suspect | any -> passing              |                           |
 * | suspect-expired  | suspect -> responsive            |                             |                           |
 * | wait-expired     | awaited -> unresponsive          |                             |                           |
 * | open-expired     |                                  |                             | open -> half-open         |
 * | limit-reached    |                                  |                             | closed, half-open -> open |
 * | trial-passed     |                                  |                             | half-open -> closed       |
 * </pre>
 */
enum HealthState {
    /** What is sent is answered. */
    RESPONSIVE,
    /** Something got no answer: other endpoints come first. */
    SUSPECT,
    /** A call timed out: calls wait for the answer of the health check that was sent. */
    AWAITED,
    /** That health check, or two in a row, timed out: calls are refused. */
    UNRESPONSIVE,

    /** The last health check was answered, or a call since. */
    PASSING,
    /** One health check got no answer. */
    MISSED,
    /** Several in a row got no answer: other endpoints come first. */
    SILENT,

    /** Calls are admitted. */
    CLOSED,
    /** Calls are refused. */
    OPEN,
    /** A few calls are admitted; their results decide. */
    HALF_OPEN;

    /** What happens to an endpoint. */
    enum Event {
        /** By a value or an exception of the service. */
        CALL_ANSWERED,
        /** In a way whose cause may be the network. */
        CALL_FAILED,
        /** Follows {@link #CALL_FAILED}, unless anything was answered within the 300 ms before. */
        CALL_TIMED_OUT,
        /** The first health check over its connection, or in four seconds. */
        CHECK_SENT,
        /** No health check can be sent after {@link #CALL_TIMED_OUT}. */
        CHECK_NOT_SENT,
        CHECK_ANSWERED,
        /** A health check got no answer of the island, for any reason. */
        CHECK_MISSED,
        /** Follows {@link #CHECK_MISSED}: nothing was answered. */
        CHECK_TIMED_OUT,
        /** Instead of it if the health check before was missed, too, and the peer cannot be starting. */
        CHECKS_TIMED_OUT,
        /** A gateway reported {@link #CHECK_MISSED}, or another island's guard answered: calls are not refused. */
        GATEWAY_ANSWERED,
        /** No health checks run any more. */
        CHECKS_STOPPED,
        /** Five seconds after the last failure. */
        SUSPECT_EXPIRED,
        /** {@code highway.heartbeat.slow} after calls began to wait. */
        WAIT_EXPIRED,
        /** Five seconds after the breaker opened, with the next call. */
        OPEN_EXPIRED,
        /** Too many calls failed or were slow. */
        LIMIT_REACHED,
        /** Enough of the calls that were admitted while half-open were answered in time. */
        TRIAL_PASSED
    }

    /** A part of a row of the table. */
    record Transition(Event event, Set<HealthState> from, HealthState to) {}

    static final List<Transition> TABLE = List.of(
            new Transition(Event.CALL_ANSWERED, Set.of(SUSPECT, AWAITED, UNRESPONSIVE), RESPONSIVE),
            new Transition(Event.CALL_ANSWERED, Set.of(MISSED, SILENT), PASSING),
            new Transition(Event.CALL_FAILED, Set.of(RESPONSIVE), SUSPECT),
            new Transition(Event.CALL_TIMED_OUT, Set.of(RESPONSIVE, SUSPECT), AWAITED),
            new Transition(Event.CHECK_SENT, Set.of(UNRESPONSIVE), AWAITED),
            new Transition(Event.CHECK_NOT_SENT, Set.of(AWAITED), SUSPECT),
            new Transition(Event.CHECK_ANSWERED, Set.of(SUSPECT, AWAITED, UNRESPONSIVE), RESPONSIVE),
            new Transition(Event.CHECK_ANSWERED, Set.of(MISSED, SILENT), PASSING),
            new Transition(Event.CHECK_ANSWERED, Set.of(OPEN), HALF_OPEN),
            new Transition(Event.CHECK_MISSED, Set.of(RESPONSIVE), SUSPECT),
            new Transition(Event.CHECK_MISSED, Set.of(PASSING), MISSED),
            new Transition(Event.CHECK_MISSED, Set.of(MISSED), SILENT),
            new Transition(Event.CHECK_TIMED_OUT, Set.of(AWAITED), UNRESPONSIVE),
            new Transition(Event.CHECKS_TIMED_OUT, Set.of(RESPONSIVE, SUSPECT, AWAITED), UNRESPONSIVE),
            new Transition(Event.GATEWAY_ANSWERED, Set.of(AWAITED, UNRESPONSIVE), SUSPECT),
            new Transition(Event.CHECKS_STOPPED, Set.of(AWAITED, UNRESPONSIVE), SUSPECT),
            new Transition(Event.CHECKS_STOPPED, Set.of(MISSED, SILENT), PASSING),
            new Transition(Event.SUSPECT_EXPIRED, Set.of(SUSPECT), RESPONSIVE),
            new Transition(Event.WAIT_EXPIRED, Set.of(AWAITED), UNRESPONSIVE),
            new Transition(Event.OPEN_EXPIRED, Set.of(OPEN), HALF_OPEN),
            new Transition(Event.LIMIT_REACHED, Set.of(CLOSED, HALF_OPEN), OPEN),
            new Transition(Event.TRIAL_PASSED, Set.of(HALF_OPEN), CLOSED));

    /** The state after an event. */
    HealthState on(Event event) {
        for (Transition transition : TABLE) {
            if (transition.event == event && transition.from.contains(this)) {
                return transition.to;
            }
        }
        return this;
    }
}
