// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.evidence;

import io.highway.sdk.dubbo.Reason;

/**
 * The classified failure of a call, for both protocols, thrown or answered.
 *
 * @param reason why the call failed
 * @param mayHaveRun whether the request may have been executed
 * @param what what happened, without a full stop
 * @param isRefusedThere whether the destination's SDK refused the call
 */
public record Failure(Reason reason, boolean mayHaveRun, String what, boolean isRefusedThere) {

    /** How a gateway reported a failure. */
    public enum GatewayError {
        /** Its upstream refused, reset or lost the request. */
        RESET,
        /** One of its own time limits ended the call. */
        TIME_OUT,
        /** It answered with a page instead of gRPC. */
        PAGE,
        /** It answered with no more than a status. */
        STATUS
    }

    Failure(Reason reason, boolean mayHaveRun, String what) {
        this(reason, mayHaveRun, what, false);
    }

    /** The call was certainly not executed. */
    public static Failure notRun(Reason reason, String what) {
        return new Failure(reason, false, what);
    }

    /** The call may have been executed. */
    public static Failure maybeRun(Reason reason, String what) {
        return new Failure(reason, true, what);
    }

    /** The destination's SDK refused the call. */
    static Failure refusedThere(Reason reason, String why) {
        return new Failure(reason, false, "the destination refused: " + why, true);
    }

    /** Whether a limit of the destination refused the call. */
    public boolean isBusyThere() {
        return reason == Reason.BUSY && isRefusedThere;
    }

    /** How the gateway reported a failure with {@link Reason#GATEWAY_ERROR}. */
    public GatewayError gatewayError() {
        return ForeignTexts.gatewayError(what);
    }

    /** Whether the peer refused the stream of the call. */
    public boolean isRefusedStream() {
        return reason == Reason.CONNECTION_LOST && ForeignTexts.isRefusedStream(what);
    }
}
