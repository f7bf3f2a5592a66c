// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.http;

import org.jspecify.annotations.Nullable;

/** The names of the HTTP tunnel, see docs/reference/wire-contract.md. */
public final class HttpWire {

    /** The prefix of the path of every call; without the last slash, the path of health checks. */
    public static final String PREFIX = "/highway/";

    /** The type of both bodies. Gateways append parameters to it. */
    public static final String CONTENT_TYPE = "application/x-dubbo";

    /** Request: the time that is left for the call, milliseconds. */
    public static final String TIMEOUT = "highway-timeout";

    /** Request without a signature: 16 random bytes in hexadecimal digits, new for each attempt. */
    public static final String CALL_ID = "highway-call-id";

    /** Request: the group of the service, if it has one; a provider chooses the thread pool by it. */
    public static final String GROUP = "tri-service-group";

    /** Request: the version of the service, as its group. */
    public static final String VERSION = "tri-service-version";

    /** The encoding of the body; {@code content-encoding} would invite gateways to inflate it. */
    public static final String ENCODING = "highway-encoding";

    /** What the sender of this header can inflate, separated by commas. */
    public static final String ACCEPT_ENCODING = "highway-accept-encoding";

    /** Answer: a gateway did not forward the call; the value is island, semicolon, reason. */
    public static final String NOT_FORWARDED = "highway-not-forwarded";

    private HttpWire() {}

    /** Whether a body of this type is a frame. */
    public static boolean isFrame(@Nullable String contentType) {
        return contentType != null && contentType.regionMatches(true, 0, CONTENT_TYPE, 0, CONTENT_TYPE.length());
    }
}
