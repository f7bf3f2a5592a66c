// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway.dubbo;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;

/**
 * One whole frame, read in place: {@code dabb | flags and serialization id | status | id (8) | body length (4) | body}.
 * Does not own its bytes: the owner releases them.
 */
public record DubboFrame(ByteBuf bytes) {
    static final int HEADER_LENGTH = 16;
    static final int MAGIC = 0xdabb;
    static final int LENGTH = 12;

    private static final int REQUEST = 0x80;
    private static final int TWO_WAY = 0x40;
    private static final int EVENT = 0x20;
    private static final int SERIALIZATION_MASK = 0x1f;
    private static final int STATUS_OK = 20;
    /** Service error: the status a caller sees as "the other side refused or lost this call". */
    private static final int STATUS_SERVICE_ERROR = 70;

    private static final int MAX_MESSAGE = 1000;

    /** Whether it is exactly one request: what follows it would reach a provider as a call of its own. */
    public static boolean isCall(ByteBuf body) {
        int start = body.readerIndex();
        if (body.readableBytes() < HEADER_LENGTH || body.getUnsignedShort(start) != MAGIC) {
            return false;
        }
        DubboFrame frame = new DubboFrame(body);
        return frame.isRequest()
                && !frame.isEvent()
                && body.getUnsignedInt(start + LENGTH) == body.readableBytes() - HEADER_LENGTH;
    }

    private int flags() {
        return bytes.getUnsignedByte(bytes.readerIndex() + 2);
    }

    public boolean isRequest() {
        return (flags() & REQUEST) != 0;
    }

    public boolean isTwoWay() {
        return (flags() & TWO_WAY) != 0;
    }

    public boolean isEvent() {
        return (flags() & EVENT) != 0;
    }

    public int serialization() {
        return flags() & SERIALIZATION_MASK;
    }

    public long id() {
        return bytes.getLong(bytes.readerIndex() + 4);
    }

    /** Rewrites the id in place; the only bytes of a call that a gateway changes. */
    public void id(long id) {
        bytes.setLong(bytes.readerIndex() + 4, id);
    }

    /** Whether this event asks for no new requests: its body is the string {@code R}. */
    public boolean isReadonlyEvent() {
        return isEvent() && isRequest() && bytes.getByte(bytes.writerIndex() - 1) == 'R';
    }

    ByteBuf body() {
        return bytes.slice(bytes.readerIndex() + HEADER_LENGTH, bytes.readableBytes() - HEADER_LENGTH);
    }

    /** The answer to a heartbeat carries the same null body, in the same serialization. */
    public ByteBuf heartbeatAnswer(ByteBufAllocator allocator) {
        return frame(allocator, EVENT | serialization(), STATUS_OK, id(), ByteBufUtil.getBytes(body()));
    }

    public static ByteBuf heartbeat(ByteBufAllocator allocator) {
        return frame(allocator, REQUEST | TWO_WAY | EVENT | Serialization.HESSIAN2, 0, 0, new byte[] {'N'});
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
        return serialization == Serialization.FASTJSON2 ? serialization : Serialization.HESSIAN2;
    }

    private static byte[] text(int serialization, String message) {
        String ascii = message.replaceAll("[^\\x20-\\x7e]", "?");
        String kept = ascii.substring(0, Math.min(ascii.length(), MAX_MESSAGE));
        byte[] text = kept.getBytes(StandardCharsets.US_ASCII);
        return serialization == Serialization.FASTJSON2 ? jsonb(text) : hessian2(text);
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
                .buffer(HEADER_LENGTH + body.length)
                .writeShort(MAGIC)
                .writeByte(flags)
                .writeByte(status)
                .writeLong(id)
                .writeInt(body.length)
                .writeBytes(body);
    }
}
