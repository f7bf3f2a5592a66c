// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.channel;

import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import java.util.function.BooleanSupplier;

/** What is known of one connection to a gateway, kept in its attributes. Thread-safe. */
public final class ConnectionMarks {

    private static final AttributeKey<BooleanSupplier> FULLNESS = AttributeKey.valueOf("highway.fullness");
    private static final AttributeKey<Boolean> DRAINS = AttributeKey.valueOf("highway.drains");
    private static final AttributeKey<Boolean> USED = AttributeKey.valueOf("highway.used");

    private ConnectionMarks() {}

    /**
     * Sets what tells whether a connection takes no more calls at once.
     *
     * @param isFull readable by any thread, which may see a slightly outdated state
     */
    public static void fullness(Channel channel, BooleanSupplier isFull) {
        channel.attr(FULLNESS).set(isFull);
    }

    static boolean isFull(Channel channel) {
        BooleanSupplier known = channel.attr(FULLNESS).get();
        return known != null && known.getAsBoolean();
    }

    /** A call is written to a connection. */
    public static void used(Channel channel) {
        channel.attr(USED).set(true);
    }

    /** Whether a call was written to a connection. */
    public static boolean isUsed(Channel channel) {
        return channel.hasAttr(USED);
    }

    static void drains(Channel channel) {
        channel.attr(DRAINS).set(true);
    }

    /** Whether the gateway has said that it ends the connection, or another one has replaced it. */
    public static boolean isDraining(Channel channel) {
        return channel.hasAttr(DRAINS);
    }
}
