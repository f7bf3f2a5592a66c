// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.call;

import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.dubbo.rpc.Invocation;
import org.jspecify.annotations.Nullable;

/**
 * What the guard adds to its answer to {@code $echo}, for people who look for a problem: it proves nothing and decides
 * nothing. On the wire: {@code <island>;<version of the SDK>;<milliseconds since 1970>}.
 *
 * @param island the island of the process that answered
 * @param version its SDK's version, or {@code unknown}
 * @param clockMillis its clock
 */
public record GuardEchoReply(String island, String version, long clockMillis) {

    /** The response attachment, and Triple trailer. */
    public static final String NAME = "highway-guard";

    private static final String UNKNOWN = "unknown";

    private static final Pattern FORM =
            Pattern.compile("([a-z0-9][a-z0-9-]{0,62});([0-9A-Za-z.+_-]{1,64});([0-9]{1,15})");

    private static final String OWN_VERSION =
            Objects.requireNonNullElse(GuardEchoReply.class.getPackage().getImplementationVersion(), UNKNOWN);

    /** At the provider: lets the answer of this call state the island. */
    public static void mark(Invocation invocation, String island) {
        CallAttributes.put(invocation, GuardEchoReply.class, new GuardEchoReply(island, OWN_VERSION, 0));
    }

    /** At the provider: the text for the answer of this call, or null if it is not marked. */
    public static @Nullable String textFor(Invocation invocation) {
        GuardEchoReply answer = CallAttributes.get(invocation, GuardEchoReply.class);
        return answer == null ? null : answer.island + ";" + answer.version + ";" + System.currentTimeMillis();
    }

    /** Reads a received text; null if there is none, or if it has another form. */
    public static @Nullable GuardEchoReply parse(@Nullable String text) {
        if (text == null) {
            return null;
        }
        Matcher parts = FORM.matcher(text);
        return parts.matches()
                ? new GuardEchoReply(parts.group(1), parts.group(2), Long.parseLong(parts.group(3)))
                : null;
    }

    /**
     * How far its clock is ahead of ours, milliseconds, negative if it is behind; exact to half of the round trip. Call
     * it as soon as the answer has arrived.
     */
    public long aheadMillis(long roundTripMillis) {
        return clockMillis - (System.currentTimeMillis() - roundTripMillis / 2);
    }
}
