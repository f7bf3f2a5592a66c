// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.Http2DataFrame;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Records the gRPC messages that one side of a call sends and that are not compressed; passes all frames on. */
final class MessageRecorder extends ChannelInboundHandlerAdapter {

    /** Of a gRPC message: the flag of compression, then the length. */
    private static final int HEAD = 5;

    private static final String HEALTH_CHECK = "/$echo";

    private final MessageFiles files;
    private final String island;
    private final String kind;
    private final byte[] head = new byte[HEAD];
    private int headBytes;
    private long missing;
    private byte @Nullable [] message;

    private MessageRecorder(MessageFiles files, String island, String kind) {
        this.files = files;
        this.island = island;
        this.kind = kind;
    }

    /** Records both sides of a call from now on, unless it is a health check or names no island. */
    static void record(
            MessageFiles files, @Nullable String island, CharSequence path, Channel client, Channel upstream) {
        if (!files.isFull()
                && island != null
                && GatewayConfig.isIsland(island)
                && !path.toString().endsWith(HEALTH_CHECK)) {
            client.pipeline().addFirst(new MessageRecorder(files, island, "request"));
            upstream.pipeline().addFirst(new MessageRecorder(files, island, "answer"));
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object frame) {
        if (frame instanceof Http2DataFrame data) {
            read(data.content().slice());
        }
        context.fireChannelRead(frame);
    }

    private void read(ByteBuf bytes) {
        while (bytes.isReadable()) {
            if (headBytes < HEAD) {
                head[headBytes++] = bytes.readByte();
                if (headBytes == HEAD) {
                    begin();
                }
            } else {
                int count = (int) Math.min(missing, bytes.readableBytes());
                if (message == null) {
                    bytes.skipBytes(count);
                } else {
                    bytes.readBytes(message, message.length - (int) missing, count);
                }
                missing -= count;
                endIfComplete();
            }
        }
    }

    private void begin() {
        missing = Integer.toUnsignedLong(ByteBuffer.wrap(head).getInt(1));
        boolean wanted = head[0] == 0 && missing > 0 && missing <= MessageFiles.LONGEST && !files.isFull();
        message = wanted ? new byte[(int) missing] : null;
        endIfComplete();
    }

    private void endIfComplete() {
        if (missing == 0) {
            headBytes = 0;
            if (message != null) {
                files.add(island, kind, message);
                message = null;
            }
        }
    }
}
