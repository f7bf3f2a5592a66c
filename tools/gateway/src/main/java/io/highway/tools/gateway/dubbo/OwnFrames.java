// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway.dubbo;

import io.highway.sdk.dubbo.internal.network.frame.FrameHeader;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.apache.dubbo.common.serialize.Constants;

/**
 * Frames that a gateway writes itself, and the id of others, the only bytes of a call that it changes:
 * {@code dabb | flags and serialization id | status | id (8) | body length (4) | body}.
 */
public final class OwnFrames {
    private static final int MAGIC = 0xdabb;
    private static final int REQUEST = 0x80;
    private static final int TWO_WAY = 0x40;
    private static final int EVENT = 0x20;
    private static final int ID = 4;
    private static final int STATUS_OK = 20;
    /** Service error: the status a caller sees as "the other side refused or lost this call". */
    private static final int STATUS_SERVICE_ERROR = 70;

    private static final int MAX_MESSAGE = 1000;

    private OwnFrames() {}

    /** The frame, with another id. */
    public static ByteBuf withId(ByteBuf frame, long id) {
        return frame.setLong(frame.readerIndex() + ID, id);
    }

    /** The body of a whole frame. */
    public static ByteBuf body(ByteBuf frame) {
        return frame.slice(
                frame.readerIndex() + FrameHeader.HEADER_BYTES, frame.readableBytes() - FrameHeader.HEADER_BYTES);
    }

    /** The answer to a heartbeat carries the same null body, in the same serialization. */
    public static ByteBuf heartbeatAnswer(ByteBufAllocator allocator, ByteBuf heartbeat) {
        int at = heartbeat.readerIndex();
        return frame(
                allocator,
                EVENT | FrameHeader.serialization(heartbeat, at),
                STATUS_OK,
                FrameHeader.id(heartbeat, at),
                ByteBufUtil.getBytes(body(heartbeat)));
    }

    public static ByteBuf heartbeat(ByteBufAllocator allocator) {
        return frame(
                allocator, REQUEST | TWO_WAY | EVENT | Constants.HESSIAN2_SERIALIZATION_ID, 0, 0, new byte[] {'N'});
    }

    public static ByteBuf readonlyEvent(ByteBufAllocator allocator, int serialization) {
        int known = readable(serialization);
        return frame(allocator, REQUEST | EVENT | known, 0, 0, text(known, "R"));
    }

    public static ByteBuf error(ByteBufAllocator allocator, long id, int serialization, String message) {
        int known = readable(serialization);
        return frame(allocator, known, STATUS_SERVICE_ERROR, id, text(known, message));
    }

    /** A client reads an error in any serialization it has; hessian2 is always among them. */
    private static int readable(int serialization) {
        return serialization == Constants.FASTJSON2_SERIALIZATION_ID
                ? serialization
                : Constants.HESSIAN2_SERIALIZATION_ID;
    }

    private static byte[] text(int serialization, String message) {
        String ascii = message.replaceAll("[^\\x20-\\x7e]", "?");
        String kept = ascii.substring(0, Math.min(ascii.length(), MAX_MESSAGE));
        byte[] text = kept.getBytes(StandardCharsets.US_ASCII);
        return serialization == Constants.FASTJSON2_SERIALIZATION_ID ? jsonb(text) : hessian2(text);
    }

    private static byte[] hessian2(byte[] text) {
        int head = text.length <= 0x1f ? 1 : 2;
        byte[] encoded = new byte[head + text.length];
        if (head == 2) {
            encoded[0] = (byte) (0x30 + (text.length >> 8));
        }
        encoded[head - 1] = (byte) text.length;
        System.arraycopy(text, 0, encoded, head, text.length);
        return encoded;
    }

    /** As Dubbo writes it with fastjson2: a length in front. */
    private static byte[] jsonb(byte[] text) {
        ByteBuf out = Unpooled.buffer(8 + text.length);
        if (text.length < 0x30) {
            out.writeInt(1 + text.length).writeByte(0x49 + text.length);
        } else {
            out.writeInt(3 + text.length).writeByte(0x79);
            out.writeByte(0x38 + (text.length >> 8)).writeByte(text.length);
        }
        return ByteBufUtil.getBytes(out.writeBytes(text));
    }

    private static ByteBuf frame(ByteBufAllocator allocator, int flags, int status, long id, byte[] body) {
        return allocator
                .buffer(FrameHeader.HEADER_BYTES + body.length)
                .writeShort(MAGIC)
                .writeByte(flags)
                .writeByte(status)
                .writeLong(id)
                .writeInt(body.length)
                .writeBytes(body);
    }
}
