// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.call;

import io.highway.sdk.HighwayAttachments;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import org.apache.dubbo.rpc.Invocation;
import org.jspecify.annotations.Nullable;

/**
 * The route headers, as read at the destination; {@code OutboundRouteHeaders} writes them.
 *
 * @param island the destination
 * @param from {@code <island>/<application>/<hops>}, with {@code /<asked island>} if that is another one; or null
 * @param sign the signature, or null
 */
public record InboundRouteHeaders(String island, @Nullable String from, @Nullable String sign) {

    /**
     * Not on the wire: the Triple server of the SDK replaces what the peer sends by a secret number of the request.
     */
    public static final String REQUEST = "highway-request";

    /** The prefix of all names on the wire. */
    private static final String PREFIX = "highway-";

    /** The value of {@code highway-from}. */
    public static String sender(String home, String application, int hops) {
        return home + "/" + ascii(application) + "/" + hops;
    }

    /** The value of {@code highway-from}, if the destination is to stand in for another island. */
    public static String asking(String sender, String askedIsland) {
        return sender + "/" + askedIsland;
    }

    /**
     * The headers of a call that arrived, or null if it comes from home. A value that is not text is read as a
     * placeholder with its type.
     */
    public static @Nullable InboundRouteHeaders read(Invocation invocation) {
        Object island = invocation.getObjectAttachment(HighwayAttachments.ISLAND);
        Object from = invocation.getObjectAttachment(HighwayAttachments.FROM);
        Object sign = invocation.getObjectAttachment(HighwayAttachments.SIGN);
        if (island == null && from == null && sign == null) {
            return null;
        }
        return new InboundRouteHeaders(
                island == null ? "" : text(island), from == null ? null : text(from), sign == null ? null : text(sign));
    }

    private static String text(Object value) {
        return value instanceof String text ? text : "(" + value.getClass().getName() + ")";
    }

    /**
     * Removes every key of the SDK, whatever its value; in upper case, too, since Triple writes all names in lower
     * case.
     */
    public static void strip(Map<String, Object> attachments) {
        stripExcept(Set.of(), attachments);
    }

    /**
     * The same, except for these names. A separate loop: the compiler removes its iterator, and not that of
     * {@code removeIf}.
     */
    public static void stripExcept(Set<String> names, Map<String, Object> attachments) {
        for (Iterator<String> rest = attachments.keySet().iterator(); rest.hasNext(); ) {
            String name = rest.next();
            if (isOurs(name) && !names.contains(name)) {
                rest.remove();
            }
        }
    }

    /** Whether a name, in any case, is one of the SDK. */
    public static boolean isOurs(String name) {
        return !name.isEmpty()
                && (name.charAt(0) == 'h' || name.charAt(0) == 'H') // most are not, and are asked for each call
                && name.regionMatches(true, 0, PREFIX, 0, PREFIX.length());
    }

    /** Header values are ASCII: anything else in an application's name would not survive Triple. */
    public static String ascii(String application) {
        StringBuilder ascii = new StringBuilder(application.length());
        for (int i = 0; i < application.length(); i++) {
            char c = application.charAt(i);
            ascii.append(c > ' ' && c < 0x7f && c != '/' && c != ';' ? c : '_');
        }
        return ascii.toString();
    }
}
