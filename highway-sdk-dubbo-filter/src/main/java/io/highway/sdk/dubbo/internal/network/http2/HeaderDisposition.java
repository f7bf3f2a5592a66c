// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.http2;

import io.netty.handler.codec.http2.Http2Headers;
import java.util.Set;

/**
 * What becomes of a header of Triple, most of which are attachments. HTTP/2 (RFC 9113, section 8.2) has no place for some
 * names and values: the next hop, or the one behind it, ends the connection for them, with the calls of all islands.
 */
enum HeaderDisposition {
    /** It is sent. */
    CARRIED,
    /** Its name is about a connection, or Triple's own: a proxy leaves it out, too. */
    LEFT_OUT,
    /** Its value has a control character. */
    ODD_VALUE,
    /** Its name is no token. */
    ODD_NAME;

    static final String TYPE = "content-type";
    static final String GRPC_PROTO = "application/grpc+proto";
    static final String TE = "te";
    static final String TRAILERS = "trailers";

    static final String GRPC = "application/grpc";

    private static final Set<String> OF_CONNECTIONS = Set.of(
            "connection",
            "content-length",
            "expect",
            "host",
            "http2-settings",
            "keep-alive",
            "proxy-connection",
            "transfer-encoding",
            "upgrade");

    private static final boolean[] TOKEN = new boolean[0x80];

    static {
        "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyz".chars().forEach(c -> TOKEN[c] = true);
    }

    /**
     * Decides about one header; allocates nothing.
     *
     * @param name in lower case, as Triple writes it
     */
    static HeaderDisposition of(CharSequence name, CharSequence value) {
        if (!isToken(name)) {
            return ODD_NAME;
        }
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if ((c < ' ' && c != '\t') || c == 0x7f) {
                return ODD_VALUE;
            }
        }
        String known = name.toString();
        boolean isLeftOut =
                switch (known) {
                    case TE -> !TRAILERS.contentEquals(value);
                    case TYPE -> !value.toString().startsWith(GRPC);
                    default -> OF_CONNECTIONS.contains(known);
                };
        return isLeftOut ? LEFT_OUT : CARRIED;
    }

    /** RFC 9110, section 5.6.2, in lower case; or a field of HTTP/2 itself, which no attachment becomes. */
    private static boolean isToken(CharSequence name) {
        if (Http2Headers.PseudoHeaderName.isPseudoHeader(name)) {
            return true;
        }
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c >= TOKEN.length || !TOKEN[c]) {
                return false;
            }
        }
        return name.length() > 0;
    }
}
