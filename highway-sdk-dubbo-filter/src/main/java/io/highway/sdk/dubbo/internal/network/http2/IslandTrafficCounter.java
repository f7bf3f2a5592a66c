// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.http2;

import io.highway.sdk.dubbo.internal.network.connection.IslandTraffic;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.util.collection.IntObjectHashMap;
import io.netty.util.collection.IntObjectMap;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Counts the bytes of one HTTP/2 connection by island: the frames of the streams whose request names it, as they are on
 * the wire before TLS, with compressed headers and bodies. Frames of the connection itself count for no island. It parses
 * nothing until an island is counted. Runs on the connection's event loop.
 */
final class IslandTrafficCounter {

    private final ChannelHandlerContext codec;
    private final Http2ConnectionEncoder encoder;
    private boolean isParsing;
    private final IntObjectMap<IslandTraffic.Bytes> open = new IntObjectHashMap<>();

    private IslandTrafficCounter(ChannelHandlerContext codec, Http2ConnectionEncoder encoder) {
        this.codec = codec;
        this.encoder = encoder;
    }

    /** Counts what passes between a new connection and its codec. */
    static IslandTrafficCounter before(
            ChannelHandlerContext codec, Http2ConnectionEncoder encoder, IslandTraffic traffic) {
        IslandTrafficCounter counter = new IslandTrafficCounter(codec, encoder);
        if (traffic.isCounted()) {
            counter.parse(0);
        }
        return counter;
    }

    private void parse(long ping) {
        isParsing = true;
        codec.pipeline().addBefore(codec.name(), null, new Counting(ping));
    }

    /** Parses an open connection from here on: the codec may have a part of a frame, but none is behind the PING's answer. */
    @SuppressWarnings("FutureReturnValueIgnored") // a failed write closes the connection
    private void parseAfterPing() {
        long ping = ThreadLocalRandom.current().nextLong() | 1;
        parse(ping);
        encoder.writePing(codec, false, ping, codec.newPromise());
    }

    /**
     * The headers of a stream are written next.
     *
     * @param bytes counts them, unless it is null
     */
    void opens(int stream, IslandTraffic.@Nullable Bytes bytes) {
        if (bytes == null) {
            return;
        }
        if (!isParsing) { // the first call since its island is counted
            parseAfterPing();
        }
        open.put(stream, bytes);
    }

    /** A stream is closed. */
    void closed(int stream) {
        open.remove(stream);
    }

    /** Reads the headers of frames. */
    private final class Counting extends ChannelDuplexHandler {

        private final Frames out = new Frames();
        private final Frames in = new Frames();

        /** What a PING carries whose answer has not come; 0 if none is awaited. */
        private long ping;

        private long lastReceived;

        Counting(long ping) {
            this.ping = ping;
        }

        @Override
        @SuppressWarnings("FutureReturnValueIgnored") // the promise reports the result
        public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
            if (message instanceof ByteBuf bytes) {
                out.read(bytes, bytes.readerIndex(), true);
            }
            context.write(message, promise);
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (message instanceof ByteBuf bytes) {
                in.read(bytes, firstFrame(bytes), false);
            }
            context.fireChannelRead(message);
        }

        /** Where the first frame begins whose beginning is known: at once, or behind the answer to the PING. */
        private int firstFrame(ByteBuf bytes) {
            int at = bytes.readerIndex();
            while (ping != 0 && at < bytes.writerIndex()) {
                lastReceived = (lastReceived << Byte.SIZE) | bytes.getUnsignedByte(at);
                at++;
                if (lastReceived == ping) {
                    ping = 0;
                }
            }
            return at;
        }
    }

    /** The frames of one direction (RFC 9113, section 4.1), in buffers that may end anywhere. */
    private final class Frames {

        private static final int HEADER = 9;
        private static final int STREAM = 5;

        /** The client's preface begins so, and no frame does: it would have more than 5 MB. */
        private static final byte PREFACE_BEGIN = 'P';

        private static final int PREFACE_BYTES = 24;

        private final byte[] header = new byte[HEADER];
        private int headerBytes;
        private int payloadLeft;

        void read(ByteBuf buffer, int from, boolean sent) {
            int at = from;
            int end = buffer.writerIndex();
            while (at < end) {
                if (payloadLeft > 0) {
                    int part = Math.min(payloadLeft, end - at);
                    payloadLeft -= part;
                    at += part;
                } else {
                    header[headerBytes] = buffer.getByte(at);
                    headerBytes++;
                    at++;
                    readHeader(sent);
                }
            }
        }

        private void readHeader(boolean sent) {
            if (headerBytes == 1 && header[0] == PREFACE_BEGIN) {
                headerBytes = 0;
                payloadLeft = PREFACE_BYTES - 1;
            } else if (headerBytes == HEADER) {
                headerBytes = 0;
                payloadLeft = number(0, 3);
                count(number(STREAM, 4) & Integer.MAX_VALUE, HEADER + payloadLeft, sent);
            }
        }

        private int number(int at, int bytes) {
            int number = 0;
            for (int i = at; i < at + bytes; i++) {
                number = (number << Byte.SIZE) | (header[i] & 0xff);
            }
            return number;
        }

        private void count(int stream, int bytes, boolean sent) {
            IslandTraffic.Bytes known = open.get(stream);
            if (known == null) {
                return;
            }
            if (sent) {
                known.addSent(bytes);
            } else {
                known.addReceived(bytes);
            }
        }
    }
}
