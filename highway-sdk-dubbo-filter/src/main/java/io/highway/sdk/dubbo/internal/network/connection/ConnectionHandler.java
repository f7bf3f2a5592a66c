// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.connection;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.AttributeKey;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Handles the first bytes and the failures of one connection to a gateway, and keeps what is known of it; nothing is for a
 * channel that the SDK has not opened. Netty would log each failure, a reset too, with a stack trace. Thread-safe.
 */
public final class ConnectionHandler extends ChannelInboundHandlerAdapter {

    /** A name may lead to one of many addresses each time, so it must lead elsewhere so often in a row. */
    private static final int LOOKS = 10;

    private static final AttributeKey<ConnectionHandler> OF_CHANNEL = AttributeKey.valueOf("highway.connection");

    private final GatewayProtocolDetector first;
    private final @Nullable SslContext context;
    private final Listener listener;
    private volatile boolean isUsed;
    private volatile boolean isDraining;
    private volatile boolean isOutdated;

    /** How often in a row the name led elsewhere. */
    private int strayed;

    /** Receives the events; called on the connection's event loop. */
    interface Listener {

        /** The gateway has accepted the connection. */
        default void accepted() {}

        /**
         * A connection that did not drain is closed.
         *
         * @param used whether a call was written to it
         */
        default void ended(Channel channel, boolean used) {}

        /** TLS has failed. */
        default void failed(Throwable cause) {}
    }

    private ConnectionHandler(GatewayProtocolDetector first, @Nullable SslContext context, Listener listener) {
        this.first = first;
        this.context = context;
        this.listener = listener;
    }

    /** That of a new channel, which is to be added to its pipeline, after TLS. */
    static ConnectionHandler begin(
            Channel channel, ConnectionPreface greeting, @Nullable SslContext context, Listener listener) {
        ConnectionHandler begun = new ConnectionHandler(new GatewayProtocolDetector(greeting), context, listener);
        channel.attr(OF_CHANNEL).set(begun);
        return begun;
    }

    private static @Nullable ConnectionHandler known(Channel channel) {
        return channel.attr(OF_CHANNEL).get();
    }

    /** That of a channel that the SDK has opened. */
    static ConnectionHandler of(Channel channel) {
        return Objects.requireNonNull(known(channel));
    }

    /** Its first answer. */
    GatewayProtocolDetector first() {
        return first;
    }

    /** A call is written to a connection. */
    public static void used(Channel channel) {
        ConnectionHandler known = known(channel);
        if (known != null && !known.isUsed) {
            known.isUsed = true;
        }
    }

    /** Whether a call was written to a connection. */
    public static boolean isUsed(Channel channel) {
        ConnectionHandler known = known(channel);
        return known != null && known.isUsed;
    }

    void drains() {
        isDraining = true;
    }

    /** Whether the gateway has said that it ends the connection, or another one has replaced it. */
    boolean isDraining() {
        return isDraining;
    }

    /** Whether a new connection would have other certificates, or another address. */
    public static boolean isOutdated(Channel channel) {
        ConnectionHandler known = known(channel);
        return known != null && known.isOutdated;
    }

    /**
     * Compares it with a new one. One thread at a time.
     *
     * @param addresses of the gateway's name; empty if they are unknown
     * @param present the TLS context of a new connection; null if it is unknown, or there is none
     */
    void look(Channel channel, List<InetAddress> addresses, @Nullable SslContext present) {
        boolean leadsHere =
                channel.remoteAddress() instanceof InetSocketAddress used && addresses.contains(used.getAddress());
        strayed = leadsHere || addresses.isEmpty() ? 0 : strayed + 1;
        isOutdated = strayed >= LOOKS || (present != null && present != context);
    }

    /** A new connection was tried; if this one is still in use, the next look asks for another one. */
    void tried() {
        isOutdated = false;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        listener.accepted();
        context.fireChannelActive();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        first.closed();
        if (!isDraining) {
            listener.ended(context.channel(), isUsed);
        }
        context.fireChannelInactive();
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the connection cannot be used in any case
    public void channelRead(ChannelHandlerContext context, Object message) {
        first.read(message);
        if (first.isOtherProtocol()) {
            ReferenceCountUtil.release(message);
            context.close();
        } else {
            context.fireChannelRead(message);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof SslHandshakeCompletionEvent handshake && !handshake.isSuccess()) {
            listener.failed(handshake.cause());
        }
        context.fireUserEventTriggered(event);
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the connection has failed in any case
    public void exceptionCaught(ChannelHandlerContext context, Throwable thrown) {
        Throwable cause = thrown instanceof DecoderException && thrown.getCause() != null ? thrown.getCause() : thrown;
        if (cause instanceof SSLException) {
            listener.failed(cause);
        }
        if (cause instanceof IOException) {
            context.close();
        } else {
            context.fireExceptionCaught(thrown);
        }
    }
}
