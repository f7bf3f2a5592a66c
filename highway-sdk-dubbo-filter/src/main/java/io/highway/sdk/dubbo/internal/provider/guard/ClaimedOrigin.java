// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.guard;

import io.highway.sdk.Caller;
import io.highway.sdk.IslandId;
import io.highway.sdk.dubbo.internal.call.InboundRouteHeaders;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.rpc.Invocation;
import org.jspecify.annotations.Nullable;

/**
 * The origin of a call, from {@code highway-from}.
 *
 * @param claimed the caller that the header names, or null if it is absent or malformed
 * @param hops how many islands the chain of calls has crossed; 1 without a well-formed header
 * @param isPassedOn whether another application than the one that wrote the header sent the call: the header is about
 *     another call
 * @param asked the island that was asked for, if the destination is to stand in for it; otherwise null
 */
record ClaimedOrigin(@Nullable Caller claimed, int hops, boolean isPassedOn, @Nullable String asked) {

    /**
     * {@code <island>/<application>/<hops>}, and after a slash the island that was asked for, whatever it is: a call for one
     * that is none is refused. Dubbo allows application names of up to 200 characters.
     */
    private static final Pattern GRAMMAR =
            Pattern.compile("([a-z0-9-]{1,63})/([!-~&&[^/;]]{1,200})/([1-9][0-9]{0,3})(?:/(.*))?");

    static final ClaimedOrigin UNKNOWN = new ClaimedOrigin(null, 1, false, null);

    /** That of a call with these headers. */
    static ClaimedOrigin of(InboundRouteHeaders headers, Invocation call) {
        return parse(headers.from(), call.getAttachment(CommonConstants.REMOTE_APPLICATION_KEY));
    }

    /**
     * Reads the header.
     *
     * @param sender the sending application according to Dubbo, or null if unknown
     */
    static ClaimedOrigin parse(@Nullable String from, @Nullable String sender) {
        Matcher parts = from == null ? null : GRAMMAR.matcher(from);
        if (parts == null || !parts.matches() || !IslandId.isValid(parts.group(1))) {
            return UNKNOWN;
        }
        int hops = Integer.parseInt(parts.group(3));
        String application = parts.group(2);
        boolean passedOn = sender != null && !InboundRouteHeaders.ascii(sender).equals(application);
        return new ClaimedOrigin(Caller.of(parts.group(1), application), hops, passedOn, parts.group(4));
    }

    /** The caller, or null if it is unknown: also if another application sent the call and passed the header on. */
    @Nullable
    Caller caller() {
        return isPassedOn ? null : claimed;
    }
}
