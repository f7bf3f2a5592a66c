// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway.dubbo;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Walks over Hessian 2 values by structure alone. Class definitions apply to a whole message, so one reader must read
 * all of it from the start. Containers are counted on an explicit stack, not by recursion: a long chain of nested
 * objects is a legal argument.
 */
final class Hessian2Reader implements RequestReader {
    private static final int UNTIL_END = -1;

    /** More than any provider could read; each level takes four bytes here, and one in the request. */
    private static final int DEEPEST = 1 << 20;

    private final ByteBuf in;
    private int[] fieldCounts = new int[8];
    private int definitions;
    private int[] open = new int[16];
    private int depth;

    Hessian2Reader(ByteBuf in) {
        this.in = in;
    }

    @Override
    public @Nullable String readString() {
        int tag = in.readUnsignedByte();
        if (tag == 'N') {
            return null;
        }
        StringBuilder text = new StringBuilder();
        string(tag, text);
        return text.toString();
    }

    @Override
    public Map<String, String> readEntries(Set<String> wanted) {
        Map<String, String> entries = new HashMap<>();
        int tag = in.readUnsignedByte();
        if (tag == 'N') {
            return entries;
        }
        if (tag == 'M') {
            skipType();
        } else if (tag != 'H') {
            throw unexpected(tag, "attachments");
        }
        while (!atEnd()) {
            String key = isString(peek()) ? readString() : null;
            if (key == null) {
                skipValue();
                skipValue();
            } else if (wanted.contains(key) && isString(peek())) {
                String value = readString();
                if (value != null) {
                    entries.put(key, value);
                }
            } else {
                skipValue();
            }
        }
        return entries;
    }

    @Override
    public void skipValue() {
        depth = 0;
        push(1);
        while (depth > 0) {
            int left = open[depth - 1];
            if (left == 0 || (left == UNTIL_END && atEnd())) {
                depth--;
            } else {
                if (left > 0) {
                    open[depth - 1] = left - 1;
                }
                skipOne(in.readUnsignedByte());
            }
        }
    }

    /** Skips a scalar, or opens a container whose values are skipped next. */
    private void skipOne(int tag) {
        if (isString(tag)) {
            string(tag, null);
        } else if (isBinary(tag)) {
            binary(tag);
        } else if (!skipNumber(tag)) {
            openContainer(tag);
        }
    }

    /** Null, booleans, numbers, dates and references. */
    private boolean skipNumber(int tag) {
        int following;
        if (tag == 'N' || tag == 'T' || tag == 'F' || tag == 0x5b || tag == 0x5c) {
            following = 0;
        } else if (between(tag, 0x80, 0xbf) || between(tag, 0xd8, 0xef)) {
            following = 0;
        } else if (between(tag, 0xc0, 0xcf) || tag >= 0xf0 || tag == 0x5d) {
            following = 1;
        } else if (between(tag, 0xd0, 0xd7) || between(tag, 0x38, 0x3f) || tag == 0x5e) {
            following = 2;
        } else if (tag == 'I' || tag == 0x59 || tag == 0x5f || tag == 0x4b) {
            following = 4;
        } else if (tag == 'L' || tag == 'D' || tag == 0x4a) {
            following = 8;
        } else if (tag == 0x51) {
            readInt();
            following = 0;
        } else {
            return false;
        }
        in.skipBytes(following);
        return true;
    }

    private void openContainer(int tag) {
        if (tag == 'H' || tag == 0x57) {
            push(UNTIL_END);
        } else if (tag == 'M' || tag == 0x55) {
            skipType();
            push(UNTIL_END);
        } else if (tag == 'V') {
            skipType();
            push(readLength());
        } else if (tag == 0x58) {
            push(readLength());
        } else if (between(tag, 0x70, 0x77)) {
            skipType();
            push(tag - 0x70);
        } else if (between(tag, 0x78, 0x7f)) {
            push(tag - 0x78);
        } else if (tag == 'C') {
            define();
            push(1);
        } else if (tag == 'O') {
            push(fieldCount(readInt()));
        } else if (between(tag, 0x60, 0x6f)) {
            push(fieldCount(tag - 0x60));
        } else {
            throw unexpected(tag, "a value");
        }
    }

    private void define() {
        skipString();
        int fields = readLength();
        for (int field = 0; field < fields; field++) {
            skipString();
        }
        if (definitions == fieldCounts.length) {
            fieldCounts = Arrays.copyOf(fieldCounts, 2 * definitions);
        }
        fieldCounts[definitions++] = fields;
    }

    private int fieldCount(int definition) {
        if (definition < 0 || definition >= definitions) {
            throw new UnreadableRequestException("hessian2 object of an undefined class #" + definition);
        }
        return fieldCounts[definition];
    }

    private void push(int values) {
        if (depth == DEEPEST) {
            throw new UnreadableRequestException("hessian2 values nested deeper than " + DEEPEST);
        }
        if (depth == open.length) {
            open = Arrays.copyOf(open, 2 * depth);
        }
        open[depth++] = values;
    }

    private boolean atEnd() {
        if (peek() != 'Z') {
            return false;
        }
        in.skipBytes(1);
        return true;
    }

    private int peek() {
        return in.getUnsignedByte(in.readerIndex());
    }

    /** A type is its name, or the number of a name that was written before. */
    private void skipType() {
        if (isString(peek())) {
            skipString();
        } else {
            readInt();
        }
    }

    private int readLength() {
        int length = readInt();
        if (length < 0) {
            throw new UnreadableRequestException("hessian2 length " + length);
        }
        return length;
    }

    private int readInt() {
        int tag = in.readUnsignedByte();
        if (between(tag, 0x80, 0xbf)) {
            return tag - 0x90;
        } else if (between(tag, 0xc0, 0xcf)) {
            return ((tag - 0xc8) << 8) + in.readUnsignedByte();
        } else if (between(tag, 0xd0, 0xd7)) {
            return ((tag - 0xd4) << 16) + in.readUnsignedShort();
        } else if (tag == 'I') {
            return in.readInt();
        }
        throw unexpected(tag, "an int");
    }

    private static boolean between(int tag, int first, int last) {
        return tag >= first && tag <= last;
    }

    private static boolean isString(int tag) {
        return tag <= 0x1f || between(tag, 0x30, 0x33) || tag == 'R' || tag == 'S';
    }

    private static boolean isBinary(int tag) {
        return between(tag, 0x20, 0x2f) || between(tag, 0x34, 0x37) || tag == 'A' || tag == 'B';
    }

    private void skipString() {
        int tag = in.readUnsignedByte();
        if (tag != 'N') {
            string(tag, null);
        }
    }

    /** Chunks until a final one; lengths count UTF-16 units, not bytes. */
    private void string(int first, @Nullable StringBuilder text) {
        int tag = first;
        while (true) {
            if (!isString(tag)) {
                throw unexpected(tag, "a string");
            }
            int length;
            if (tag <= 0x1f) {
                length = tag;
            } else if (tag <= 0x33) {
                length = ((tag - 0x30) << 8) + in.readUnsignedByte();
            } else {
                length = in.readUnsignedShort();
            }
            characters(length, text);
            if (tag != 'R') {
                return;
            }
            tag = in.readUnsignedByte();
        }
    }

    private void characters(int length, @Nullable StringBuilder text) {
        int left = length;
        while (left > 0) {
            int lead = in.readUnsignedByte();
            if (lead < 0x80) {
                append(text, lead);
                left--;
            } else if ((lead & 0xe0) == 0xc0) {
                append(text, ((lead & 0x1f) << 6) | continued());
                left--;
            } else if ((lead & 0xf0) == 0xe0) {
                append(text, ((lead & 0x0f) << 12) | (continued() << 6) | continued());
                left--;
            } else {
                throw new UnreadableRequestException("hessian2 string that is not UTF-8");
            }
        }
    }

    private int continued() {
        return in.readByte() & 0x3f;
    }

    private static void append(@Nullable StringBuilder text, int unit) {
        if (text != null) {
            text.append((char) unit);
        }
    }

    private void binary(int first) {
        int tag = first;
        while (true) {
            if (!isBinary(tag)) {
                throw unexpected(tag, "binary");
            }
            if (tag <= 0x2f) {
                in.skipBytes(tag - 0x20);
            } else if (tag <= 0x37) {
                in.skipBytes(((tag - 0x34) << 8) + in.readUnsignedByte());
            } else {
                in.skipBytes(in.readUnsignedShort());
            }
            if (tag != 'A') {
                return;
            }
            tag = in.readUnsignedByte();
        }
    }

    private static UnreadableRequestException unexpected(int tag, String expected) {
        return new UnreadableRequestException(
                "hessian2 code 0x" + Integer.toHexString(tag) + " where " + expected + " was expected");
    }

    /** An ASCII text of at most 1023 characters as a Hessian 2 string. */
    static byte[] encode(byte[] text) {
        int head = text.length <= 0x1f ? 1 : 2;
        byte[] encoded = new byte[head + text.length];
        if (head == 2) {
            encoded[0] = (byte) (0x30 + (text.length >> 8));
        }
        encoded[head - 1] = (byte) text.length;
        System.arraycopy(text, 0, encoded, head, text.length);
        return encoded;
    }
}
