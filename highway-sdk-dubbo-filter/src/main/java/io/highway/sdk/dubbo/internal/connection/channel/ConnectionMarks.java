// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.channel;

import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import org.jspecify.annotations.Nullable;

/** What is known of one connection to a gateway, kept in its attributes. Thread-safe. */
public final class ConnectionMarks {

    private static final AttributeKey<Streams> STREAMS = AttributeKey.valueOf("highway.streams");
    private static final AttributeKey<Boolean> DRAINS = AttributeKey.valueOf("highway.drains");
    private static final AttributeKey<Boolean> USED = AttributeKey.valueOf("highway.used");

    private ConnectionMarks() {}

    /** The streams of an HTTP/2 connection. Readable by any thread, which may see a slightly outdated state. */
    public interface Streams {

        /** Whether there are as many as the gateway allows. */
        boolean isFull();

        /** Whether there is none, and no call waits for one. */
        boolean isIdle();
    }

    /** Sets the streams of a new connection. */
    public static void streams(Channel channel, Streams streams) {
        channel.attr(STREAMS).set(streams);
    }

    static @Nullable Streams streams(Channel channel) {
        return channel.attr(STREAMS).get();
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
