// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.quickstart;

import io.highway.sdk.dubbo.IntentSource;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.TunnelKind;

/** The expected result of a call: its line without the time. */
record Expected(String route, String tunnel, String from, String servedBy, String refused) {

    static Expected home(IntentSource from) {
        return new Expected("home", "none", from.word(), "zhejiang", "");
    }

    static Expected island(String island, TunnelKind tunnel, IntentSource from) {
        return new Expected(
                "island", tunnel.word(), from.word(), island + " (" + tunnel.word() + ", for zhejiang)", "");
    }

    /** Refused before anything was sent. */
    static Expected refused(Reason reason, IntentSource from) {
        return new Expected("island", "none", from.word(), "", reason.word());
    }

    /** Refused by a gateway or the destination. */
    static Expected refusedOnTheWay(Reason reason, TunnelKind tunnel, IntentSource from) {
        return new Expected("island", tunnel.word(), from.word(), "", reason.word());
    }

    /** The line for a call with this text, up to the time. */
    String line(String text) {
        return refused.isEmpty()
                ? Calls.line(route, tunnel, from, servedBy + ": " + text)
                : Calls.line(route, tunnel, from, Calls.NO_ANSWER);
    }
}
