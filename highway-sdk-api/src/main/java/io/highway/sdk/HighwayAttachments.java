// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk;

/**
 * The names on the wire: Dubbo attachments and Triple headers alike, lower case, ASCII values.
 *
 * <p>Application code needs {@link #ISLAND} only:
 *
 * <pre>{@code
 * RpcContext.getClientAttachment().setAttachment(HighwayAttachments.ISLAND, "shanghai"); // this call only
 * }</pre>
 */
public final class HighwayAttachments {

    /** The island a call goes to. Set by a caller for its next call; set by the SDK on the wire. */
    public static final String ISLAND = "highway-island";

    /**
     * Where a call comes from, {@code <island>/<application>/<hops>}, and {@code /<asked island>} if the destination is to
     * stand in for that. Set by the SDK, read by the guard.
     */
    public static final String FROM = "highway-from";

    /** {@code v2;kid=..;ts=..;n=..;sig=..} over the call, when signing is on. Set by the SDK, read by the guard. */
    public static final String SIGN = "highway-sign";

    private HighwayAttachments() {}
}
