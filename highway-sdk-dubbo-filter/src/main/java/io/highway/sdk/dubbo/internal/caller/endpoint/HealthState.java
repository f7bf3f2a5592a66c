// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.endpoint;

import java.util.List;
import java.util.Set;

/**
 * The state of an endpoint's health, and all transitions; an event leaves the states that its row does not name as they are.
 *
 * <pre>
 * | event            | from                                  | to           |
 * |------------------|---------------------------------------|--------------|
 * | answered         | suspect, misrouted, unresponsive      | up           |
 * | failed           | up                                    | suspect      |
 * | check-missed     | up, misrouted                         | suspect      |
 * | timed-out        | suspect, misrouted, ejected, trial    | unresponsive |
 * | gateway-answered | unresponsive                          | suspect      |
 * | unchecked        | unresponsive                          | suspect      |
 * | misrouted        | up, suspect, unresponsive, trial      | misrouted    |
 * | limit-reached    | up, suspect, misrouted, trial         | ejected      |
 * | trial-due        | ejected                               | trial        |
 * | trial-passed     | trial                                 | up           |
 * | expired          | suspect, misrouted                    | up           |
 * | connection-lost  | misrouted                             | up           |
 * </pre>
 */
enum HealthState {
    /** Calls use it. */
    UP,
    /** Something got no answer: other endpoints come first. */
    SUSPECT,
    /** The guard of another island has answered last: other endpoints come first. */
    MISROUTED,
    /** Nothing is answered: calls wait for the answer of a health check for some time, then they are refused until any answer. */
    UNRESPONSIVE,
    /** Too many calls failed or were slow: calls are refused for five seconds, or until a health check is answered. */
    EJECTED,
    /** A few calls are admitted, whose results decide. */
    TRIAL;

    /** What happens to an endpoint. */
    enum Event {
        /** The island has answered a call or a health check, or has refused a call. */
        ANSWERED,
        /** A call failed in a way whose cause may be the network. */
        FAILED,
        /** A health check got no answer of the island, for any reason. */
        CHECK_MISSED,
        /**
         * Follows a failure: a call timed out, and nothing was answered within the 300 ms before; or a second health check
         * in a row, and the peer cannot be starting.
         */
        TIMED_OUT,
        /** A gateway has answered in place of the island: calls fail at once, so they are not refused. */
        GATEWAY_ANSWERED,
        /** No health check can be sent, or none runs any more. */
        UNCHECKED,
        /** The guard of another island has answered. */
        MISROUTED,
        /** Too many of the last calls failed or were slow; an unresponsive or misrouted endpoint is ejected as it leaves that state. */
        LIMIT_REACHED,
        /** A health check was answered, or a call comes five seconds after the ejection. */
        TRIAL_DUE,
        /** Enough of the calls of a trial were answered in time. */
        TRIAL_PASSED,
        /**
         * Five seconds after the last failure, unless health checks in a row were missed; of a misrouted one, ten seconds
         * after it was, while no health checks run.
         */
        EXPIRED,
        /** The next connection may lead elsewhere. */
        CONNECTION_LOST
    }

    /** A row of the table. */
    record Transition(Event event, Set<HealthState> from, HealthState to) {}

    static final List<Transition> TABLE = List.of(
            new Transition(Event.ANSWERED, Set.of(SUSPECT, MISROUTED, UNRESPONSIVE), UP),
            new Transition(Event.FAILED, Set.of(UP), SUSPECT),
            new Transition(Event.CHECK_MISSED, Set.of(UP, MISROUTED), SUSPECT),
            new Transition(Event.TIMED_OUT, Set.of(SUSPECT, MISROUTED, EJECTED, TRIAL), UNRESPONSIVE),
            new Transition(Event.GATEWAY_ANSWERED, Set.of(UNRESPONSIVE), SUSPECT),
            new Transition(Event.UNCHECKED, Set.of(UNRESPONSIVE), SUSPECT),
            new Transition(Event.MISROUTED, Set.of(UP, SUSPECT, UNRESPONSIVE, TRIAL), MISROUTED),
            new Transition(Event.LIMIT_REACHED, Set.of(UP, SUSPECT, MISROUTED, TRIAL), EJECTED),
            new Transition(Event.TRIAL_DUE, Set.of(EJECTED), TRIAL),
            new Transition(Event.TRIAL_PASSED, Set.of(TRIAL), UP),
            new Transition(Event.EXPIRED, Set.of(SUSPECT, MISROUTED), UP),
            new Transition(Event.CONNECTION_LOST, Set.of(MISROUTED), UP));

    /** The state after an event. */
    HealthState on(Event event) {
        for (Transition row : TABLE) {
            if (row.event == event && row.from.contains(this)) {
                return row.to;
            }
        }
        return this;
    }
}
