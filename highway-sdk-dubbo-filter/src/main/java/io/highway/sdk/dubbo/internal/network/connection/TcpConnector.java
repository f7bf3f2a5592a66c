// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.connection;

import io.highway.sdk.dubbo.internal.policy.ForwardProxy;
import io.highway.sdk.dubbo.internal.policy.GatewaySpec;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.dubbo.remoting.transport.netty4.NettyEventLoopFactory;
import org.jspecify.annotations.Nullable;

/**
 * Connects to one gateway address: directly, to one of the addresses that its name has, or through a forward proxy, which
 * resolves the name; then the addresses are the proxy's. Thread-safe.
 */
public final class TcpConnector {

    static final String KEY = "highway.gateways.proxy";

    private final @Nullable ForwardProxy proxy;
    private final @Nullable ProxyHandshake handshake;
    private final ResolvedAddresses addresses;

    TcpConnector(GatewaySpec gateway) {
        this.proxy = gateway.proxy();
        String host = gateway.address().host();
        int port = gateway.address().port();
        this.handshake = proxy == null ? null : new ProxyHandshake(proxy, host, port, gateway.connectMillis());
        this.addresses =
                proxy == null ? new ResolvedAddresses(host, port) : new ResolvedAddresses(proxy.host(), proxy.port());
    }

    ResolvedAddresses addresses() {
        return addresses;
    }

    /** A text about connecting, with the proxy if there is one. */
    String named(String text) {
        return proxy == null ? text : "the proxy " + proxy + " (" + KEY + "): " + text;
    }

    /**
     * Opens a connection to one of the addresses.
     *
     * @return completes when it leads to the gateway
     * @throws IOException if the proxy's password cannot be read
     */
    ChannelFuture connect(Bootstrap bootstrap, InetAddress address) throws IOException {
        return handshake == null
                ? bootstrap.connect(new InetSocketAddress(address, addresses.port()))
                : handshake.connect(bootstrap, address);
    }

    /** Opens a connection to one of the addresses; the result is set on its event loop, once TLS is ready. */
    @SuppressWarnings("FutureReturnValueIgnored") // the result reports it
    CompletableFuture<Channel> connectSecured(Bootstrap bootstrap, InetAddress address) {
        CompletableFuture<Channel> opened = new CompletableFuture<>();
        try {
            connect(bootstrap, address).addListener((ChannelFuture connecting) -> {
                if (connecting.isSuccess()) {
                    completeSecured(opened, connecting.channel());
                } else {
                    opened.completeExceptionally(new IOException(words(connecting.cause())));
                }
            });
        } catch (IOException e) {
            opened.completeExceptionally(e);
        }
        return opened;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the result reports it
    private static void completeSecured(CompletableFuture<Channel> opened, Channel channel) {
        SslHandler secured = channel.pipeline().get(SslHandler.class);
        if (secured == null) {
            opened.complete(channel);
            return;
        }
        secured.handshakeFuture().addListener(handshake -> {
            if (handshake.isSuccess()) {
                opened.complete(channel);
            } else {
                opened.completeExceptionally(new IOException(ConnectionTls.problem(handshake.cause())));
            }
        });
    }

    /** Adds the proxy's handlers to the beginning of a new connection's pipeline. */
    void prepare(Channel channel, ConnectionHandler.Listener listener) {
        if (handshake != null) {
            ProxyHandshake.addTo(channel, listener);
        }
    }

    /** Why an address could not be connected to. */
    String failed(InetAddress address, @Nullable Throwable failure) {
        return named(addresses.failed(address, words(failure)));
    }

    /** The cause, in words. */
    String words(@Nullable Throwable failure) {
        if (failure == null || failure instanceof ConnectTimeoutException) {
            return "Connect timed out";
        }
        String refusal = handshake == null ? null : ProxyHandshake.refusal(failure);
        Throwable cause = failure.getCause() != null ? failure.getCause() : failure; // Netty's has the address in it
        if (refusal != null) {
            return refusal;
        }
        return cause.getMessage() != null ? cause.getMessage() : cause.toString(); // of a channel that was closed
    }

    /**
     * Bootstraps connections.
     *
     * @param handlers adds the handlers of a new one
     */
    static Bootstrap bootstrap(EventLoopGroup loops, int connectMillis, Consumer<SocketChannel> handlers) {
        return new Bootstrap()
                .group(loops)
                .channel(NettyEventLoopFactory.socketChannelClass())
                .option(ChannelOption.SO_KEEPALIVE, true)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, connectMillis)
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        handlers.accept(channel);
                    }
                });
    }

    /** Closes a connection below its codecs, which would wait for open streams; calls in flight fail. */
    @SuppressWarnings("FutureReturnValueIgnored") // the connection is lost in any case
    public static void abort(Channel channel) {
        ChannelHandlerContext first = channel.pipeline().firstContext();
        if (first == null) {
            channel.close();
        } else {
            first.close();
        }
    }
}
