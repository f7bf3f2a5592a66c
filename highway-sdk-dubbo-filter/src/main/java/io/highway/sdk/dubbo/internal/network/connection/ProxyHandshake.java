// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.connection;

import io.highway.sdk.dubbo.internal.policy.ForwardProxy;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultChannelPromise;
import io.netty.handler.proxy.HttpProxyHandler;
import io.netty.handler.proxy.ProxyConnectException;
import io.netty.handler.proxy.ProxyConnectionEvent;
import io.netty.handler.proxy.ProxyHandler;
import io.netty.handler.proxy.Socks5ProxyHandler;
import io.netty.resolver.NoopAddressResolverGroup;
import io.netty.util.AttributeKey;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Asks a forward proxy to connect to one gateway address, by Netty's handlers. Only used with a proxy: Dubbo
 * brings {@code netty-handler-proxy}, which an application may exclude. Thread-safe.
 */
final class ProxyHandshake {

    private static final AttributeKey<ProxyHandler> HANDLER = AttributeKey.valueOf("highway.proxy");

    private final ForwardProxy proxy;
    private final InetSocketAddress gateway;
    private final int timeoutMillis;

    ProxyHandshake(ForwardProxy proxy, String host, int port, int timeoutMillis) {
        this.proxy = proxy;
        InetAddress literal = NetUtil.createInetAddressFromIpAddressString(host);
        this.gateway =
                literal == null ? InetSocketAddress.createUnresolved(host, port) : new InetSocketAddress(literal, port);
        this.timeoutMillis = timeoutMillis;
    }

    private ProxyHandler handler(InetAddress address) throws IOException {
        InetSocketAddress of = new InetSocketAddress(address, proxy.port());
        String user = proxy.user();
        String password = proxy.readPassword();
        ProxyHandler handler;
        if (user == null) {
            handler = proxy.isHttp() ? new HttpProxyHandler(of) : new Socks5ProxyHandler(of);
        } else {
            handler = proxy.isHttp()
                    ? new HttpProxyHandler(of, user, password)
                    : new Socks5ProxyHandler(of, user, password);
        }
        handler.setConnectTimeoutMillis(timeoutMillis);
        return handler;
    }

    /**
     * Connects to this address of the proxy.
     *
     * @return completes when the proxy has connected to the gateway, or has refused
     * @throws IOException if the password cannot be read
     */
    @SuppressWarnings("FutureReturnValueIgnored") // the listeners complete what is returned
    ChannelFuture connect(Bootstrap bootstrap, InetAddress address) throws IOException {
        ProxyHandler handler = handler(address);
        ChannelFuture connecting = bootstrap
                .clone()
                .resolver(NoopAddressResolverGroup.INSTANCE)
                .attr(HANDLER, handler)
                .connect(gateway);
        ChannelPromise connected = new DefaultChannelPromise(connecting.channel(), GlobalEventExecutor.INSTANCE);
        handler.connectFuture().addListener(asked -> end(connected, asked));
        connecting.addListener(reached -> {
            if (!reached.isSuccess()) {
                end(connected, reached);
            }
        });
        return connected;
    }

    private static void end(ChannelPromise connected, Future<?> result) {
        boolean unused = result.isSuccess() ? connected.trySuccess() : connected.tryFailure(result.cause());
    }

    /** Adds the handlers to the beginning of a new connection's pipeline. */
    static void addTo(Channel channel, ConnectionHandler.Listener listener) {
        channel.pipeline().addFirst(channel.attr(HANDLER).get(), new UnconnectedGateway(listener));
    }

    /** What Netty says after the addresses, such as {@code status: 407 Proxy Authentication Required}. */
    static @Nullable String refusal(Throwable failure) {
        String text = failure instanceof ProxyConnectException ? failure.getMessage() : null;
        return text == null
                ? null
                : text.substring(text.indexOf(", ", text.indexOf(" => ")) + 1).strip();
    }

    /** Hides a connection to the proxy from all other handlers until that has connected to the gateway. */
    private static final class UnconnectedGateway extends ChannelInboundHandlerAdapter {

        private final ConnectionHandler.Listener listener;

        UnconnectedGateway(ConnectionHandler.Listener listener) {
            this.listener = listener;
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            listener.accepted(); // by the proxy, which is not asked again at once if it refuses
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (event instanceof ProxyConnectionEvent) {
                context.pipeline().remove(this);
                context.fireChannelActive();
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            // the promise has failed
        }

        @Override
        @SuppressWarnings("FutureReturnValueIgnored") // the promise has failed
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }
}
