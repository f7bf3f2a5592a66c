// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.channel;

import io.netty.channel.Channel;
import io.netty.handler.ssl.SslContext;
import io.netty.util.AttributeKey;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether a new connection in place of an open one would have other certificates, or another address. One thread at a time
 * looks; any thread may ask.
 */
public final class Freshness {

    /** A name may lead to one of many addresses each time, so it must lead elsewhere so often in a row. */
    private static final int LOOKS = 10;

    private static final AttributeKey<Freshness> OF_CHANNEL = AttributeKey.valueOf("highway.freshness");

    private final Channel channel;
    private final @Nullable SslContext context;

    /** How often in a row the name led elsewhere. */
    private volatile int strayed;

    private volatile boolean isOutdated;

    private Freshness(Channel channel, @Nullable SslContext context) {
        this.channel = channel;
        this.context = context;
    }

    /** Begins with a new connection, which is fresh. */
    static void begin(Channel channel, @Nullable SslContext context) {
        channel.attr(OF_CHANNEL).set(new Freshness(channel, context));
    }

    /** That of a connection that the SDK has opened. */
    static Freshness of(Channel channel) {
        return channel.attr(OF_CHANNEL).get();
    }

    /** Whether a new connection would be another one; false if the SDK has not opened this one. */
    public static boolean isOutdated(Channel channel) {
        @Nullable Freshness known = channel.attr(OF_CHANNEL).get();
        return known != null && known.isOutdated;
    }

    /**
     * Compares the connection with a new one.
     *
     * @param addresses of the gateway's name; empty if they are unknown
     * @param present the TLS context of a new connection; null if it is unknown, or there is none
     */
    void look(List<InetAddress> addresses, @Nullable SslContext present) {
        boolean leadsHere =
                channel.remoteAddress() instanceof InetSocketAddress used && addresses.contains(used.getAddress());
        strayed = leadsHere || addresses.isEmpty() ? 0 : strayed + 1;
        isOutdated = strayed >= LOOKS || (present != null && present != context);
    }

    /** A new connection was tried; if this one is still in use, the next look asks for another one. */
    void tried() {
        isOutdated = false;
    }
}
