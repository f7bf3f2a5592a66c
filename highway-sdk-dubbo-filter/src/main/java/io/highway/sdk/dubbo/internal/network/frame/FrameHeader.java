// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.frame;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.remoting.Constants;
import org.apache.dubbo.remoting.exchange.Response;
import org.apache.dubbo.remoting.transport.CodecSupport;

/** The header of a frame of the Dubbo protocol that begins at a position, as Dubbo's {@code ExchangeCodec} writes it. */
public final class FrameHeader {

    /** The size of a header. */
    public static final int HEADER_BYTES = 16;

    private static final short MAGIC = (short) 0xdabb;
    private static final int FLAGS = 2;
    private static final int STATUS = 3;
    private static final int ID = 4;
    private static final int LENGTH = 12;
    private static final int IS_REQUEST = 0x80;
    private static final int IS_TWO_WAY = 0x40;
    private static final int IS_EVENT = 0x20;
    private static final int SERIALIZATION = 0x1f;

    private FrameHeader() {}

    /** Whether two bytes are there, and begin a frame. */
    static boolean isMagic(ByteBuf bytes, int at) {
        return bytes.writerIndex() - at >= Short.BYTES && bytes.getShort(at) == MAGIC;
    }

    /** Whether a whole header is there. The methods below need one. */
    public static boolean isHeader(ByteBuf bytes, int at) {
        return bytes.writerIndex() - at >= HEADER_BYTES && bytes.getShort(at) == MAGIC;
    }

    /** Whether a body is exactly one frame: a request or an answer, and no event. */
    public static boolean isWhole(ByteBuf body, boolean isRequest) {
        int start = body.readerIndex();
        return isHeader(body, start)
                && (isRequest ? isRequest(body, start) : isAnswer(body, start))
                && bytes(body, start) == body.readableBytes();
    }

    /** A request that is no event. */
    public static boolean isRequest(ByteBuf bytes, int at) {
        return (bytes.getByte(at + FLAGS) & (IS_REQUEST | IS_EVENT)) == IS_REQUEST;
    }

    /** An answer that is no event. */
    public static boolean isAnswer(ByteBuf bytes, int at) {
        return (bytes.getByte(at + FLAGS) & (IS_REQUEST | IS_EVENT)) == 0;
    }

    /** A heartbeat, which wants an answer. */
    public static boolean isHeartbeatRequest(ByteBuf bytes, int at) {
        int wanted = IS_REQUEST | IS_EVENT | IS_TWO_WAY;
        return (bytes.getByte(at + FLAGS) & wanted) == wanted;
    }

    /** The answer to a heartbeat. */
    static ByteBuf heartbeatAnswer(ByteBuf request, int at) {
        byte serialization = serialization(request, at);
        byte[] nothing = CodecSupport.getNullBytesOf(CodecSupport.getSerializationById(serialization));
        return Unpooled.buffer(HEADER_BYTES + nothing.length)
                .writeShort(MAGIC)
                .writeByte(IS_EVENT | serialization)
                .writeByte(Response.OK)
                .writeLong(id(request, at))
                .writeInt(nothing.length)
                .writeBytes(nothing);
    }

    /** The peer takes no more requests: the event is the text {@code R}, whatever its serialization puts around it. */
    public static boolean isReadOnlyEvent(ByteBuf bytes, int at) {
        int wanted = IS_REQUEST | IS_EVENT;
        return (bytes.getByte(at + FLAGS) & (wanted | IS_TWO_WAY)) == wanted
                && bytes.getByte(at + (int) bytes(bytes, at) - 1) == 'R';
    }

    /** Whether a request has an answer. */
    public static boolean isTwoWay(ByteBuf bytes, int at) {
        return (bytes.getByte(at + FLAGS) & IS_TWO_WAY) != 0;
    }

    /** The number of the serialization of an invoker's requests. */
    static byte serialization(URL invoker) {
        String name = invoker.getParameter(Constants.SERIALIZATION_KEY);
        Byte number = CodecSupport.getIDByName(name);
        if (number == null) {
            throw new IllegalStateException("the serialization " + name + " is not on the class path");
        }
        return number;
    }

    /** The number of the serialization of its body. */
    public static byte serialization(ByteBuf bytes, int at) {
        return (byte) (bytes.getByte(at + FLAGS) & SERIALIZATION);
    }

    /** The id of a request, which is that of its answer. */
    public static long id(ByteBuf bytes, int at) {
        return bytes.getLong(at + ID);
    }

    /** The status of an answer. */
    public static byte status(ByteBuf bytes, int at) {
        return bytes.getByte(at + STATUS);
    }

    /** Writes the header of a request into its first bytes; the body follows them. */
    static void writeRequest(ByteBuf frame, byte serialization, boolean isTwoWay, long id) {
        frame.setShort(0, MAGIC)
                .setByte(FLAGS, IS_REQUEST | (isTwoWay ? IS_TWO_WAY : 0) | serialization)
                .setLong(ID, id)
                .setInt(LENGTH, frame.readableBytes() - HEADER_BYTES);
    }

    /** The size of the frame with its header. */
    public static long bytes(ByteBuf bytes, int at) {
        return HEADER_BYTES + bytes.getUnsignedInt(at + LENGTH);
    }
}
