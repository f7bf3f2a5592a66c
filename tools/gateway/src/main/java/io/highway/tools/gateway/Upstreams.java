// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.AttributeKey;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
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
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections to where calls go: one per address, shared by all clients, or one for each call in flight.
 * Opened by the first call that needs it; after a failure or loss the next call tries again at once.
 * Used on the event loop only.
 */
@SuppressWarnings("FutureReturnValueIgnored") // Netty reports a failed write by closing the channel
final class Upstreams {
    private static final Logger log = LoggerFactory.getLogger(Upstreams.class);
    /** For so long an address that failed is tried after the others. */
    private static final long AVOID_NANOS = TimeUnit.SECONDS.toNanos(2);
    /** So is one that drains, until a registry has removed it or its process has ended. */
    private static final long DRAIN_NANOS = TimeUnit.SECONDS.toNanos(15);

    private static final AttributeKey<Address> ADDRESS = AttributeKey.valueOf(Upstreams.class, "address");

    private final EventLoop loop;
    private final ExecutorService resolver;
    private final Duration connectTimeout;
    private final @Nullable String source;
    private final BiFunction<Channel, Consumer<Channel>, CompletableFuture<?>> pipeline;
    private final ChannelGroup opened;
    private final Map<Address, CompletableFuture<Channel>> connections = new HashMap<>();
    /** Of those that one call at a time uses. */
    private final Map<Address, Deque<Channel>> idle = new HashMap<>();

    private final Map<Address, Long> avoidedUntil = new HashMap<>();

    /**
     * Connections come from the address {@code source}, or from the one that the system chooses if it is null.
     * The pipeline receives a new connection and the means to {@link #retire} it, and reports when calls may use it once
     * it is open.
     */
    Upstreams(
            EventLoop loop,
            ExecutorService resolver,
            Duration connectTimeout,
            @Nullable String source,
            BiFunction<Channel, Consumer<Channel>, CompletableFuture<?>> pipeline,
            ChannelGroup opened) {
        this.loop = loop;
        this.resolver = resolver;
        this.connectTimeout = connectTimeout;
        this.source = source;
        this.pipeline = pipeline;
        this.opened = opened;
    }

    /** A connection to the first candidate that has or gets one; fails with a {@link Refusal}. */
    CompletableFuture<Channel> anyOf(List<Address> candidates) {
        return attempt(ordered(candidates), 0, this::shared);
    }

    /** The same, for one call alone until {@link #release}. */
    CompletableFuture<Channel> anyIdleOf(List<Address> candidates) {
        return attempt(ordered(candidates), 0, this::idle);
    }

    /** Another call may use it, if it is still open. */
    void release(Channel connection) {
        Address address = connection.attr(ADDRESS).get();
        if (connection.isActive()) {
            idle.computeIfAbsent(address, any -> new ArrayDeque<>()).push(connection);
        }
    }

    private List<Address> ordered(List<Address> candidates) {
        List<Address> ordered = new ArrayList<>(candidates);
        if (!avoidedUntil.isEmpty() && ordered.size() > 1) {
            ordered.sort((one, other) -> Boolean.compare(isAvoided(one), isAvoided(other)));
        }
        return ordered;
    }

    /**
     * The calls on this connection continue. Later ones go to another address, or get a new connection if there is
     * none: who drains may take one and close it at once.
     */
    private void retire(Channel connection) {
        connections.entrySet().removeIf(known -> {
            boolean retired = known.getValue().getNow(null) == connection;
            if (retired) {
                avoid(known.getKey(), DRAIN_NANOS);
            }
            return retired;
        });
    }

    /** Other addresses come first for a while; the connection stays. */
    void avoid(Channel connection) {
        connections.forEach((address, known) -> {
            if (known.getNow(null) == connection) {
                avoid(address, AVOID_NANOS);
            }
        });
    }

    private void avoid(Address address, long nanos) {
        avoidedUntil.put(address, System.nanoTime() + nanos);
    }

    private boolean isAvoided(Address address) {
        Long until = avoidedUntil.get(address);
        return until != null && System.nanoTime() - until < 0;
    }

    private CompletableFuture<Channel> attempt(
            List<Address> candidates, int index, Function<Address, CompletableFuture<Channel>> to) {
        CompletableFuture<Channel> connection = to.apply(candidates.get(index));
        if (connection.isDone() && !connection.isCompletedExceptionally()) {
            return connection;
        }
        return connection
                .handle((channel, failure) -> {
                    if (failure == null) {
                        return CompletableFuture.completedFuture(channel);
                    } else if (index + 1 < candidates.size()) {
                        return attempt(candidates, index + 1, to);
                    }
                    String tried = candidates.stream().map(Address::toString).collect(Collectors.joining(","));
                    return CompletableFuture.<Channel>failedFuture(Refusal.unreachable(tried));
                })
                .thenCompose(next -> next);
    }

    private CompletableFuture<Channel> shared(Address address) {
        CompletableFuture<Channel> known = connections.get(address);
        if (known != null && (!known.isDone() || known.join().isActive())) {
            return known;
        }
        CompletableFuture<Channel> connection = new CompletableFuture<>();
        connections.put(address, connection);
        return open(address, connection);
    }

    private CompletableFuture<Channel> idle(Address address) {
        Channel waiting = idle.getOrDefault(address, new ArrayDeque<>()).poll();
        return waiting == null ? open(address, new CompletableFuture<>()) : CompletableFuture.completedFuture(waiting);
    }

    /** Name resolution blocks, so it has a separate thread; the time limit covers it too. */
    private CompletableFuture<Channel> open(Address address, CompletableFuture<Channel> connection) {
        connection.whenComplete((channel, failure) -> {
            if (failure == null) {
                avoidedUntil.remove(address);
                channel.attr(ADDRESS).set(address);
                channel.closeFuture().addListener(closed -> {
                    connections.remove(address, connection);
                    idle.getOrDefault(address, new ArrayDeque<>()).remove(channel);
                });
            } else {
                log.info("cannot connect to {}: {}", address, String.valueOf(failure.getMessage()));
                avoid(address, AVOID_NANOS);
                connections.remove(address, connection);
            }
        });
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
        return connection;
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
                .option(ChannelOption.ALLOCATOR, Flow.BUFFERS)
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
                .connect(address, source == null ? null : new InetSocketAddress(source, 0))
                .addListener(done -> {
                    if (done.isSuccess()) {
                        usable.thenAccept(connection::complete);
                    } else {
                        connection.completeExceptionally(done.cause());
                    }
                })
                .channel();
        channel.closeFuture().addListener(closed -> connection.completeExceptionally(new ClosedChannelException()));
        connection.exceptionally(failure -> {
            channel.close();
            return channel;
        });
    }
}
