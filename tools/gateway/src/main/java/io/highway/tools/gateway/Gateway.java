// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.ChannelGroupFuture;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioChannelOption;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http2.DefaultHttp2GoAwayFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A gateway between islands for development, demos and tests. Takes Dubbo, Triple and HTTP tunnel calls on one port and forwards
 * each, by its {@code highway-island}, to a provider of this island or to the next gateway.
 *
 * <p>Everything runs on one event loop: a call never changes threads, and nothing needs a lock.
 */
@SuppressWarnings("FutureReturnValueIgnored") // Netty reports a failed write by closing the channel
public final class Gateway implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Gateway.class);
    private static final long LAST_WRITES_MILLIS = 1000;

    /** How long an idle connection by HTTP/1.1 may bring one more call. */
    private static final long LAST_CALLS_MILLIS = 1000;

    private final GatewayConfig config;

    @SuppressWarnings("deprecation") // its successor is not in Netty 4.1
    private final EventLoopGroup group = new NioEventLoopGroup(1, new DefaultThreadFactory("gateway", true));

    private final EventLoop loop = group.next();
    private final ExecutorService resolver =
            Executors.newSingleThreadExecutor(new DefaultThreadFactory("gateway-names", true));
    private final ChannelGroup connections = new DefaultChannelGroup(loop);
    private final ChannelGroup dubboClients = new DefaultChannelGroup(loop);
    private final ChannelGroup tripleClients = new DefaultChannelGroup(loop);
    private final ChannelGroup httpClients = new DefaultChannelGroup(loop);
    private final Traffic traffic = new Traffic();
    private final @Nullable MessageFiles recording;
    private final Routes routes;
    private final Forwarder forwarder;
    private final Channel listener;
    private final AtomicBoolean closed = new AtomicBoolean();

    private Gateway(GatewayConfig config, @Nullable MessageFiles recording) {
        this.config = config;
        this.recording = recording;
        this.routes = new Routes(config);
        this.forwarder = new Forwarder(
                loop,
                routes,
                upstreams((channel, retire) -> Pipelines.dubboUpstream(channel, config.maxFrame(), retire)),
                upstreams(Pipelines::tripleUpstream),
                upstreams((channel, retire) -> Pipelines.httpUpstream(channel, config.maxFrame())),
                traffic,
                recording);
        ChannelFuture binding = bind();
        this.listener = binding.channel();
        if (!binding.isSuccess()) {
            release();
            throw new IllegalStateException("cannot listen on " + config.listen(), binding.cause());
        }
    }

    /** Listens when it returns. */
    public static Gateway start(GatewayConfig config) {
        RecordSpec recording = config.recording();
        Gateway gateway = new Gateway(config, recording == null ? null : new MessageFiles(recording));
        log.info("gateway {} listening on {}", config.island(), gateway.port());
        return gateway;
    }

    private Upstreams upstreams(BiFunction<Channel, Consumer<Channel>, CompletableFuture<?>> pipeline) {
        return new Upstreams(loop, resolver, config.connectTimeout(), config.source(), pipeline, connections);
    }

    private ChannelFuture bind() {
        SslContext tls = config.tls() == null ? null : config.tls().context();
        ServerBootstrap server = new ServerBootstrap();
        if (config.reusePort()) {
            server.option(NioChannelOption.of(StandardSocketOptions.SO_REUSEPORT), true);
        }
        return server.group(group)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.SO_BACKLOG, 1024)
                .childOption(ChannelOption.ALLOCATOR, Flow.BUFFERS)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel client) {
                        connections.add(client);
                        if (tls != null) {
                            client.pipeline().addLast(tls.newHandler(client.alloc()));
                        }
                        client.pipeline()
                                .addLast(new ProtocolSniffer(
                                        Gateway.this::dubbo, Gateway.this::triple, Gateway.this::http));
                    }
                })
                .bind(config.listen().host(), config.listen().port())
                .awaitUninterruptibly();
    }

    private void dubbo(Channel client) {
        dubboClients.add(client);
        Pipelines.dubboClient(client, config.maxFrame(), forwarder);
    }

    private void triple(Channel client) {
        tripleClients.add(client);
        Pipelines.tripleClient(client, forwarder);
    }

    private void http(Channel client) {
        httpClients.add(client);
        Pipelines.httpClient(client, config.maxFrame(), forwarder);
    }

    public int port() {
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    public GatewayStats stats() {
        return traffic.stats(dubboClients.size(), tripleClients.size());
    }

    /** Refuses new calls, lets the calls in flight finish within the grace period, then closes every connection. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            listener.close().syncUninterruptibly();
            await(CompletableFuture.supplyAsync(this::drain, loop).thenCompose(drained -> drained), config.grace());
            ChannelGroupFuture allClosed = connections.newCloseFuture();
            connections.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(written -> abort());
            allClosed.awaitUninterruptibly(LAST_WRITES_MILLIS);
            stop();
        }
    }

    /** As if the process had been killed: closes without notice and without waiting. */
    public void closeNow() {
        if (closed.compareAndSet(false, true)) {
            listener.close().syncUninterruptibly();
            stop();
        }
    }

    /**
     * Notifies Dubbo clients by a readonly event, HTTP/2 clients by a GOAWAY that ends no stream, HTTP/1.1 clients by
     * {@code connection: close} with their next answer: a call that is on its way meanwhile is still forwarded.
     */
    private CompletableFuture<Void> drain() {
        for (Channel client : dubboClients) {
            client.pipeline().get(DubboClient.class).sendReadonly();
        }
        for (Channel client : tripleClients) {
            client.writeAndFlush(new DefaultHttp2GoAwayFrame(Http2Error.NO_ERROR).setExtraStreamIds(Integer.MAX_VALUE));
        }
        CompletableFuture<@Nullable Void> left = new CompletableFuture<>();
        httpClients.newCloseFuture().addListener(closed -> left.complete(null));
        left.completeOnTimeout(null, LAST_CALLS_MILLIS, TimeUnit.MILLISECONDS).thenRunAsync(traffic::endHttp, loop);
        return traffic.drain();
    }

    private static void await(CompletableFuture<Void> drained, Duration grace) {
        try {
            drained.get(grace.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            log.info("closing with calls in flight: the grace period of {} is over", grace);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    private void stop() {
        CompletableFuture.runAsync(this::abort, loop).join();
        release();
        log.info("gateway {} closed", config.island());
    }

    /** Closes sockets below the codecs, which would wait for open streams. */
    private void abort() {
        dubboClients.forEach(Gateway::abort);
        tripleClients.forEach(Gateway::abort);
        connections.forEach(Gateway::abort);
    }

    private static void abort(Channel channel) {
        ChannelHandlerContext first = channel.pipeline().firstContext();
        if (first == null) {
            channel.close();
        } else {
            first.close();
        }
    }

    private void release() {
        routes.close();
        resolver.shutdownNow();
        group.shutdownGracefully(0, LAST_WRITES_MILLIS, TimeUnit.MILLISECONDS).awaitUninterruptibly();
        if (recording != null) {
            recording.close();
        }
    }
}
