// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security.attacker;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A recorded request of the Dubbo protocol: a header of 16 bytes, and a body in Hessian. Immutable. */
public final class Frame {

    private static final int HEADER = 16;
    private static final int FLAGS = 2;
    private static final int ID = 4;
    private static final int LENGTH = 12;

    /** A request that wants an answer and is no heartbeat. */
    private static final int KIND = 0xe0;

    private static final int CALL = 0xc0;

    /** Hessian: lengths of up to 31 characters are one byte, of up to 1023 two. */
    private static final int SHORT_STRING = 0x1f;

    private static final int LONGER_STRING = 0x30;

    private final byte[] bytes;

    private Frame(byte[] bytes) {
        this.bytes = bytes;
    }

    /** The calls in what was sent over a connection. */
    public static List<Frame> calls(byte[] recorded) {
        List<Frame> calls = new ArrayList<>();
        ByteBuffer all = ByteBuffer.wrap(recorded);
        while (all.remaining() >= HEADER) {
            int length = HEADER + all.getInt(all.position() + LENGTH);
            if (all.remaining() < length) {
                break;
            }
            byte[] frame = new byte[length];
            all.get(frame);
            if ((frame[FLAGS] & KIND) == CALL) {
                calls.add(new Frame(frame));
            }
        }
        return calls;
    }

    /** Whether this text is in it. */
    public boolean contains(String text) {
        return text().contains(text);
    }

    /** The same with another text wherever this one is, of the same length. */
    public Frame with(String text, String other) {
        if (text.length() != other.length() || !contains(text)) {
            throw new IllegalArgumentException(text + " cannot be replaced by " + other);
        }
        return new Frame(text().replace(text, other).getBytes(StandardCharsets.ISO_8859_1));
    }

    /** The value of an attachment. */
    public String attachment(String name) {
        int at = text().indexOf(name);
        if (at < 0) {
            throw new IllegalStateException("the recorded call has no " + name);
        }
        int start = at + name.length();
        int length = bytes[start] & 0xff;
        if (length > SHORT_STRING) {
            length = ((length - LONGER_STRING) << 8) + (bytes[start + 1] & 0xff);
            start++;
        }
        return new String(bytes, start + 1, length, StandardCharsets.US_ASCII);
    }

    /** The bytes to send, with another request id. */
    byte[] bytes(long id) {
        byte[] copy = bytes.clone();
        ByteBuffer.wrap(copy).putLong(ID, id);
        return copy;
    }

    private String text() {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }
}
