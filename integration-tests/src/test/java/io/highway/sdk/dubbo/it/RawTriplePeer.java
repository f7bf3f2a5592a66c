// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.awaitility.Awaitility.await;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2PingFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2PingFrame;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.util.AttributeKey;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** A peer without Dubbo: it runs every call of HTTP/2, counts it, and answers as the test requires. */
final class RawTriplePeer implements AutoCloseable {

    private static final String GRPC = "application/grpc+proto";
    private static final AttributeKey<CompletableFuture<Void>> PING_ANSWERED = AttributeKey.valueOf("ping-answered");
    private static final AttributeKey<Calls> CALLS = AttributeKey.valueOf("calls");

    /** Calls of which a whole request has come, or the first message of a stream. */
    final AtomicInteger executed = new AtomicInteger();

    /** Of requests, with their bytes. */
    final AtomicInteger dataFrames = new AtomicInteger();

    final AtomicInteger dataBytes = new AtomicInteger();

    /** What is done with a call, on its stream. */
    volatile Consumer<ChannelHandlerContext> answer = stream -> {};

    /** What is done with each further message of a stream. */
    volatile Consumer<ChannelHandlerContext> further = stream -> {};

    /** Whether it answers the headers of each call by a GOAWAY that excludes it. */
    volatile boolean refusesByGoAway;

    /** Whether it does so with the next call. */
    final AtomicBoolean refusesNext = new AtomicBoolean();

    /** After so many calls a connection gets a GOAWAY, as with nginx's keepalive_requests. */
    volatile int callsPerConnection = Integer.MAX_VALUE;

    /** Whether it begins a graceful end of each connection as soon as that is open. */
    volatile boolean drainsAtOnce;

    /** The connections that it has accepted, probes of its port among them. */
    final AtomicInteger accepted = new AtomicInteger();

    @SuppressWarnings("deprecation") // its successor is not in Netty 4.1
    private final NioEventLoopGroup loop = new NioEventLoopGroup(1, new DefaultThreadFactory("raw-triple-peer", true));

    private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);

    /** The connection that it has accepted last. */
    private volatile Channel newest;

    private final Channel listener;

    RawTriplePeer(String host) {
        this(host, 1000);
    }

    /** One that allows so many streams on a connection. */
    RawTriplePeer(String host, int maxStreams) {
        this(host, 0, maxStreams);
    }

    private RawTriplePeer(String host, int port, int maxStreams) {
        listener = new ServerBootstrap()
                .group(loop)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel client) {
                        connections.add(client);
                        newest = client;
                        accepted.incrementAndGet();
                        client.attr(CALLS).set(new Calls(client));
                        client.pipeline()
                                .addLast(Http2FrameCodecBuilder.forServer()
                                        .initialSettings(
                                                Http2Settings.defaultSettings().maxConcurrentStreams(maxStreams))
                                        .build())
                                .addLast(new Http2MultiplexHandler(new ChannelInitializer<>() {
                                    @Override
                                    protected void initChannel(Channel stream) {
                                        stream.pipeline().addLast(new Call());
                                    }
                                }))
                                .addLast(new PingAnswers(client))
                                .addLast(new ChannelInboundHandlerAdapter() {
                                    @Override
                                    public void channelActive(ChannelHandlerContext context) {
                                        if (drainsAtOnce) {
                                            sayGoAway(client, Integer.MAX_VALUE);
                                        }
                                    }
                                });
                    }
                })
                .bind(new InetSocketAddress(resolve(host), port))
                .syncUninterruptibly()
                .channel();
    }

    /** One that listens at this port, as soon as nobody else does: who is about to accept keeps a closed listener for a moment. */
    static RawTriplePeer at(String host, int port) {
        return await().ignoreExceptionsInstanceOf(BindException.class)
                .until(() -> new RawTriplePeer(host, port, 1000), Objects::nonNull);
    }

    private static InetAddress resolve(String host) {
        try {
            return InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    int port() {
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    /**
     * Accepts no new connection, and sends on every open one a GOAWAY that excludes every stream. Returns when each
     * client has read it: a client answers a PING after the frames that came before it.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // a failed write closes the connection
    void goAway() {
        refusesByGoAway = true;
        listener.close().syncUninterruptibly();
        connections.forEach(connection -> {
            sayGoAway(connection, 0);
            connection.writeAndFlush(new DefaultHttp2PingFrame(0));
            connection.attr(PING_ANSWERED).get().orTimeout(20, TimeUnit.SECONDS).join();
        });
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a failed write closes the connection
    private static void sayGoAway(Channel connection, int last) {
        ByteBuf frame =
                Unpooled.buffer().writeMedium(8).writeByte(7).writeByte(0).writeInt(0);
        connection.pipeline().firstContext().writeAndFlush(frame.writeInt(last).writeInt(0)); // no error
    }

    /** Accepts no new connection; those that are open stay. */
    void refuseConnections() {
        listener.close().syncUninterruptibly();
    }

    /** Reads nothing more from the newest connection, so that it answers neither calls nor PINGs. */
    void muteNewest() {
        newest.config().setAutoRead(false);
    }

    /** Sends GOAWAY on every open connection: calls that have come are answered, and new connections are accepted. */
    void drain() {
        connections.forEach(connection -> connection
                .eventLoop()
                .submit(connection.attr(CALLS).get()::drain)
                .syncUninterruptibly());
    }

    /** The calls of a connection, on its thread. */
    private static final class Calls {

        private final Channel connection;
        private int latest;
        private int count;
        private int open;
        private boolean drains;

        Calls(Channel connection) {
            this.connection = connection;
        }

        /** A stream above the last one of GOAWAY is ignored, as nginx does. */
        boolean admits(int stream, int most) {
            if (drains) {
                return false;
            }
            latest = stream;
            open++;
            if (++count == most) {
                drain();
            }
            return true;
        }

        void drain() {
            if (!drains) {
                drains = true;
                sayGoAway(connection, latest);
                closeIfDone();
            }
        }

        void ended() {
            open--;
            closeIfDone();
        }

        /** Closing with unread requests would discard the last answers. */
        private void closeIfDone() {
            if (drains && open == 0) {
                connection.eventLoop().execute(((SocketChannel) connection)::shutdownOutput);
            }
        }
    }

    /** Notes that the client answered a PING, or closed the connection. */
    private static final class PingAnswers extends ChannelInboundHandlerAdapter {

        PingAnswers(Channel client) {
            client.attr(PING_ANSWERED).set(new CompletableFuture<>());
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (message instanceof Http2PingFrame ping && ping.ack()) {
                context.channel().attr(PING_ANSWERED).get().complete(null);
            }
            ReferenceCountUtil.release(message);
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            context.channel().attr(PING_ANSWERED).get().complete(null);
        }
    }

    private final class Call extends ChannelInboundHandlerAdapter {

        private boolean run;
        private boolean admitted;

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            if (admitted) {
                context.channel().parent().attr(CALLS).get().ended();
            }
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            boolean isMessage =
                    message instanceof Http2DataFrame data && data.content().isReadable();
            boolean whole = (message instanceof Http2HeadersFrame headers && headers.isEndStream())
                    || (message instanceof Http2DataFrame data
                            && (data.isEndStream() || data.content().isReadable()));
            if (message instanceof Http2DataFrame data) {
                dataFrames.incrementAndGet();
                dataBytes.addAndGet(data.content().readableBytes());
            }
            ReferenceCountUtil.release(message);
            if (refusesByGoAway || refusesNext.getAndSet(false)) {
                sayGoAway(context.channel().parent(), 0);
                return;
            }
            if (message instanceof Http2HeadersFrame) {
                int stream = ((Http2StreamChannel) context.channel()).stream().id();
                admitted = context.channel().parent().attr(CALLS).get().admits(stream, callsPerConnection);
            }
            if (!admitted) {
                return;
            }
            if (whole && !run) {
                run = true;
                executed.incrementAndGet();
                answer.accept(context);
                context.flush();
            } else if (isMessage) {
                further.accept(context);
                context.flush();
            }
        }
    }

    /** What a gRPC response begins with. */
    static Http2Headers begin() {
        return new DefaultHttp2Headers().status("200").set("content-type", GRPC);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a failed write closes the stream
    static void write(ChannelHandlerContext stream, Http2Headers headers, boolean end) {
        stream.write(new DefaultHttp2HeadersFrame(headers, end));
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a failed write closes the stream
    static void end(ChannelHandlerContext stream) {
        stream.write(new DefaultHttp2DataFrame(true));
    }

    /** A text as Triple wraps it. */
    @SuppressWarnings("FutureReturnValueIgnored") // a failed write closes the stream
    static void message(ChannelHandlerContext stream, String text) {
        String wrapped = "\n\bhessian4\u0012" + (char) (text.length() + 1) + (char) text.length() + text
                + "\u001a\u0010java.lang.String";
        byte[] bytes = wrapped.getBytes(StandardCharsets.US_ASCII);
        stream.write(new DefaultHttp2DataFrame(
                Unpooled.buffer().writeByte(0).writeInt(bytes.length).writeBytes(bytes)));
    }

    @Override
    public void close() {
        listener.close().syncUninterruptibly();
        connections.close().syncUninterruptibly();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
}
