// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security.memory;

import static io.highway.sdk.dubbo.internal.network.frame.FrameHeader.HEADER_BYTES;

import io.highway.sdk.dubbo.internal.network.frame.FrameHeader;
import io.highway.tools.security.memory.RawPeer.Request;
import io.highway.tools.security.memory.RawPeer.Request.Answer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.dubbo.remoting.exchange.Response;

/** The Dubbo protocol in Hessian; a call is a frame. */
final class DubboFrames implements RawPeer.Connecting {

    static final int LENGTH = 12;

    private static final int KIND = 2;
    private static final short MAGIC = (short) 0xdabb;
    private static final int EVENT = 0x2000;

    /** Hessian's integers of the kinds of answers: a value or nothing, without and with attachments. */
    private static final String VALUES = "\u0091\u0092\u0094\u0095";

    private static final int MOST = 16 << 20;
    private static final int WORDS = 200;

    private final AtomicLong ids = new AtomicLong();
    private final Map<Long, CompletableFuture<String>> calls = new ConcurrentHashMap<>();

    @Override
    public void addTo(ChannelPipeline pipeline) {
        pipeline.addLast(new LengthFieldBasedFrameDecoder(MOST, LENGTH, Integer.BYTES))
                .addLast(new Answers());
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // a failed write closes the connection
    public void send(Channel connection, Request request, CompletableFuture<String> answer) {
        boolean isAnswered = request.answer() == Answer.OF_ITS_OWN;
        long id = request.answer() == Answer.OF_MANY ? Long.MAX_VALUE : ids.incrementAndGet();
        if (isAnswered) {
            calls.put(id, answer);
        }
        ByteBuf head = head(request.answer().kind(), id, request.announced());
        connection
                .eventLoop()
                .execute(
                        () -> { // frames of several threads do not mix
                            connection.write(head);
                            connection
                                    .writeAndFlush(request.frame().retainedDuplicate())
                                    .addListener(written -> {
                                        if (!isAnswered) {
                                            answer.complete(RawPeer.SENT);
                                        }
                                    });
                            if (!connection.isActive()) {
                                answer.complete(RawPeer.CLOSED);
                            }
                        });
    }

    /** What is in front of a body. */
    static ByteBuf head(int kind, long id, int length) {
        ByteBuf head = Unpooled.buffer(HEADER_BYTES, HEADER_BYTES);
        return head.writeShort(MAGIC).writeShort(kind).writeLong(id).writeInt(length);
    }

    /** What is in front of the body of the answer to a request. */
    static ByteBuf answerTo(ByteBuf request, int length) {
        return head(Answer.RESULT.kind() | (request.getShort(KIND) & EVENT), FrameHeader.id(request, 0), length);
    }

    /** A whole frame of a call. */
    static byte[] frame(byte[] body) {
        ByteBuf head = head(Answer.OF_ITS_OWN.kind(), 1, body.length);
        return ByteBufUtil.getBytes(Unpooled.wrappedBuffer(head, Unpooled.wrappedBuffer(body)));
    }

    /** What a frame answers. */
    static String answer(ByteBuf frame) {
        int status = FrameHeader.status(frame, 0);
        int words = Math.min(WORDS, frame.readableBytes() - HEADER_BYTES);
        String body = frame.toString(HEADER_BYTES, words, StandardCharsets.ISO_8859_1);
        boolean served = status == Response.OK && VALUES.indexOf(body.charAt(0)) >= 0;
        return served ? RawPeer.SERVED : "status " + status + " " + body;
    }

    private final class Answers extends SimpleChannelInboundHandler<ByteBuf> {

        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf frame) {
            if (!FrameHeader.isAnswer(frame, 0)) {
                return; // a heartbeat
            }
            CompletableFuture<String> call = calls.remove(FrameHeader.id(frame, 0));
            if (call != null) {
                call.complete(answer(frame));
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            calls.values().forEach(call -> call.complete(RawPeer.CLOSED));
        }
    }
}
