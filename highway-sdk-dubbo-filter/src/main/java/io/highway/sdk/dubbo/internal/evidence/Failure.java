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
 * @param place where it happened, as far as that is known
 */
public record Failure(Reason reason, boolean mayHaveRun, String what, Place place) {

    private static final int LONGEST_TEXT = 160;

    /** Where a call failed. */
    public enum Place {
        /** In this process, or anywhere. */
        UNKNOWN,
        /** Between gateways, or behind the last one. */
        BEYOND_GATEWAY,
        /** The destination's SDK refused the call. */
        ISLAND,
        /** A provider of the destination had no thread for it. */
        PROVIDER,
        /** The SDK of another island refused the call: a gateway leads there. */
        ANOTHER_ISLAND
    }

    Failure(Reason reason, boolean mayHaveRun, String what) {
        this(reason, mayHaveRun, what, Place.UNKNOWN);
    }

    /** The call was certainly not executed. */
    public static Failure notRun(Reason reason, String what) {
        return new Failure(reason, false, what);
    }

    /** The call may have been executed. */
    public static Failure maybeRun(Reason reason, String what) {
        return new Failure(reason, true, what);
    }

    /** The SDK at this place refused the call, in its own words. */
    static Failure refused(Reason reason, Place place, String why) {
        return new Failure(reason, false, "the destination refused: " + why, place);
    }

    /** Whether the gateway leads to another island. */
    public boolean isMisrouted() {
        return place == Place.ANOTHER_ISLAND;
    }

    /** Whether the destination's SDK refused the call. */
    public boolean isRefusedThere() {
        return place == Place.ISLAND || place == Place.PROVIDER;
    }

    /** Whether a limit of the destination refused the call. */
    public boolean isBusyThere() {
        return reason == Reason.BUSY && place != Place.UNKNOWN;
    }

    /** Whether a provider of the destination had no thread for the call. */
    public boolean isWithoutThread() {
        return place == Place.PROVIDER;
    }

    /** A gateway lost the connection over which it had forwarded the call. */
    static Failure lostByAGateway(String connection) {
        return new Failure(
                Reason.CONNECTION_LOST, true, "a gateway lost its connection: " + connection, Place.BEYOND_GATEWAY);
    }

    /** The reason and what happened, without the addresses and numbers that Dubbo appends. */
    public String inShort() {
        String words = PeerErrorTexts.withoutAddresses(what);
        return reason + ": " + words.substring(0, Math.min(words.length(), LONGEST_TEXT));
    }

    /** How the gateway reported a failure with {@link Reason#GATEWAY_ERROR}. */
    public GatewayError gatewayError() {
        return PeerErrorTexts.gatewayError(what);
    }

    /** Whether the peer refused the stream of the call. */
    public boolean isRefusedStream() {
        return reason == Reason.CONNECTION_LOST && PeerErrorTexts.REFUSED_STREAM.test(what);
    }
}
