// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.gateway;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections to where calls go: one per address, shared by all clients.
 * Opened by the first call that needs it; after a failure or loss the next call tries again at once.
 * Used on the event loop only.
 */
@SuppressWarnings("FutureReturnValueIgnored") // Netty reports a failed write by closing the channel
final class Upstreams {
    private static final Logger log = LoggerFactory.getLogger(Upstreams.class);
    /** For so long an address that failed is tried after the others. */
    private static final long AVOID_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final EventLoop loop;
    private final ExecutorService resolver;
    private final Duration connectTimeout;
    private final BiFunction<Channel, Consumer<Channel>, CompletableFuture<?>> pipeline;
    private final ChannelGroup opened;
    private final Map<Address, CompletableFuture<Channel>> connections = new HashMap<>();
    private final Map<Address, Long> failures = new HashMap<>();

    /** The pipeline is given a new connection and how to {@link #retire} it, and says when calls may use it. */
    Upstreams(
            EventLoop loop,
            ExecutorService resolver,
            Duration connectTimeout,
            BiFunction<Channel, Consumer<Channel>, CompletableFuture<?>> pipeline,
            ChannelGroup opened) {
        this.loop = loop;
        this.resolver = resolver;
        this.connectTimeout = connectTimeout;
        this.pipeline = pipeline;
        this.opened = opened;
    }

    /** A connection to the first candidate that has or gets one; fails with a {@link Refusal}. */
    CompletableFuture<Channel> anyOf(List<Address> candidates) {
        List<Address> ordered = new ArrayList<>(candidates);
        if (!failures.isEmpty() && ordered.size() > 1) {
            ordered.sort((one, other) -> Boolean.compare(failedLately(one), failedLately(other)));
        }
        return attempt(ordered, 0);
    }

    /** Later calls get a new connection; the calls on this one go on. */
    private void retire(Channel connection) {
        connections.values().removeIf(known -> known.getNow(null) == connection);
    }

    private boolean failedLately(Address address) {
        Long since = failures.get(address);
        return since != null && System.nanoTime() - since < AVOID_NANOS;
    }

    private CompletableFuture<Channel> attempt(List<Address> candidates, int index) {
        CompletableFuture<Channel> connection = to(candidates.get(index));
        if (connection.isDone() && !connection.isCompletedExceptionally()) {
            return connection;
        }
        return connection
                .handle((channel, failure) -> {
                    if (failure == null) {
                        return CompletableFuture.completedFuture(channel);
                    } else if (index + 1 < candidates.size()) {
                        return attempt(candidates, index + 1);
                    }
                    String tried = candidates.stream().map(Address::toString).collect(Collectors.joining(","));
                    return CompletableFuture.<Channel>failedFuture(Refusal.unreachable(tried));
                })
                .thenCompose(next -> next);
    }

    private CompletableFuture<Channel> to(Address address) {
        CompletableFuture<Channel> known = connections.get(address);
        if (known != null && (!known.isDone() || known.join().isActive())) {
            return known;
        }
        CompletableFuture<Channel> connection = new CompletableFuture<>();
        connections.put(address, connection);
        connection.whenComplete((channel, failure) -> {
            if (failure == null) {
                failures.remove(address);
                channel.closeFuture().addListener(closed -> connections.remove(address, connection));
            } else {
                log.info("cannot connect to {}: {}", address, String.valueOf(failure.getMessage()));
                failures.put(address, System.nanoTime());
                connections.remove(address, connection);
            }
        });
        open(address, connection);
        return connection;
    }

    /** Name look-up blocks, so it has a thread of its own; the time limit covers it too. */
    private void open(Address address, CompletableFuture<Channel> connection) {
        loop.schedule(
                () -> connection.completeExceptionally(new TimeoutException("no connection in " + connectTimeout)),
                connectTimeout.toMillis(),
                TimeUnit.MILLISECONDS);
        CompletableFuture.supplyAsync(() -> lookUp(address), resolver)
                .whenCompleteAsync(
                        (resolved, failure) -> {
                            if (failure != null) {
                                connection.completeExceptionally(failure);
                            } else if (!connection.isDone()) {
                                connect(resolved, connection);
                            }
                        },
                        loop);
    }

    private static InetSocketAddress lookUp(Address address) {
        try {
            return new InetSocketAddress(InetAddress.getByName(address.host()), address.port());
        } catch (UnknownHostException e) {
            throw new CompletionException(e);
        }
    }

    private void connect(InetSocketAddress address, CompletableFuture<Channel> connection) {
        CompletableFuture<Channel> usable = new CompletableFuture<>();
        Channel channel = new Bootstrap()
                .group(loop)
                .channel(NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) connectTimeout.toMillis())
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        opened.add(channel);
                        pipeline.apply(channel, Upstreams.this::retire).thenRun(() -> usable.complete(channel));
                    }
                })
                .connect(address)
                .addListener(done -> {
                    if (!done.isSuccess()) {
                        connection.completeExceptionally(done.cause());
                    }
                })
                .channel();
        channel.closeFuture().addListener(closed -> connection.completeExceptionally(new ClosedChannelException()));
        usable.thenAccept(connection::complete);
        connection.exceptionally(failure -> {
            channel.close();
            return channel;
        });
    }
}
