// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security.memory;

import io.highway.tools.fixtures.ports.Sockets;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoopGroup;
import io.netty.util.NetUtil;
import io.netty.util.ReferenceCountUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** A connection of a peer that writes frames as they are, without Dubbo. Thread-safe. */
record RawPeer(Connecting made, Channel connection) implements AutoCloseable {

    /** The answer of a call that was served. */
    static final String SERVED = "served";

    static final String CLOSED = "closed";

    /** The answer of a call that has none. */
    static final String SENT = "sent";

    /**
     * A request; the bytes are shared by many and are not copied.
     *
     * @param path the service and its method
     * @param headers of the call; the Dubbo protocol has them in its body
     * @param frame what a call sends after its headers: a gRPC message, or the body of a Dubbo frame
     * @param announced the length in the head of a Dubbo frame
     * @param ends whether this is the whole request; the others stall
     * @param answer whether it has an answer, and which
     */
    record Request(
            String path, Map<String, String> headers, ByteBuf frame, int announced, boolean ends, Answer answer) {

        /** The answer of a Dubbo call, or what else is in a Dubbo frame. */
        enum Answer {
            OF_ITS_OWN(0xc200),

            /** It wants none. */
            NONE(0x8200),

            /** One that does not tell to which call it belongs. */
            OF_MANY(0xc200),

            /** No call, but an event, or the answer to a call that the provider never made. */
            EVENT(0xe200),
            RESULT(0x0214),
            ERROR(0x0246);

            /** The frame's flags and status. */
            private final int kind;

            Answer(int kind) {
                this.kind = kind;
            }

            int kind() {
                return kind;
            }
        }

        static Request of(String service, String method, Map<String, String> headers, byte[] frame) {
            return new Request(service + "/" + method, headers, shared(frame), frame.length, true, Answer.OF_ITS_OWN);
        }

        /** The same, over the Dubbo protocol. */
        Request with(Answer other) {
            return new Request(path, headers, frame, announced, ends, other);
        }

        /** The same, of which so many bytes come and then nothing. */
        Request stalledAfter(int bytes) {
            return new Request(path, headers, frame.slice(0, bytes), announced, false, answer);
        }

        /** The same, with or without its end. */
        Request ended(boolean whether) {
            return new Request(path, headers, frame, announced, whether, answer);
        }

        static ByteBuf shared(byte[] bytes) {
            return Unpooled.unreleasableBuffer(
                    Unpooled.directBuffer(bytes.length).writeBytes(bytes));
        }
    }

    /**
     * Connects.
     *
     * @param from the address to connect from
     * @param interleaved whether bodies go at the same time over an HTTP/2 connection, or one after another
     */
    static RawPeer connect(Cell cell, EventLoopGroup loop, String from, int port, boolean interleaved) {
        Connecting made =
                cell.isHttp() ? new HttpFrames() : cell.isTriple() ? new TripleFrames(interleaved) : new DubboFrames();
        Channel connection = Sockets.connect(
                loop,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                new InetSocketAddress(NetUtil.createInetAddressFromIpAddressString(from), 0),
                pipeline -> {
                    made.addTo(pipeline);
                    pipeline.addLast(new Last());
                });
        return new RawPeer(made, connection);
    }

    /** Ignores what is left, such as settings, pings and window updates, and ends a broken connection. */
    private static final class Last extends ChannelInboundHandlerAdapter {

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ReferenceCountUtil.release(message);
        }

        @Override
        @SuppressWarnings("FutureReturnValueIgnored") // it is broken anyway
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }

    /** What differs between the protocols. */
    interface Connecting {

        void addTo(ChannelPipeline pipeline);

        void send(Channel connection, Request request, CompletableFuture<String> answer);
    }

    /** Sends it; the answer is {@link #SERVED}, {@link #CLOSED} or why it was refused. */
    CompletableFuture<String> send(Request request) {
        CompletableFuture<String> answer = new CompletableFuture<>();
        made.send(connection, request, answer);
        return answer;
    }

    boolean isOpen() {
        return connection.isActive();
    }

    @Override
    public void close() {
        connection.close().syncUninterruptibly();
    }
}
