// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway.dubbo;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Walks over the values Dubbo writes with fastjson2: each is a four-byte length and that many bytes of JSONB.
 * Arguments are skipped by their length; only the attachments are looked into.
 */
final class JsonbReader implements RequestReader {
    private static final int BINARY = 0x91;
    private static final int TYPED = 0x92;
    private static final int REFERENCE = 0x93;
    private static final int ARRAY_FIXED = 0x94;
    private static final int ARRAY = 0xa4;
    private static final int OBJECT_END = 0xa5;
    private static final int OBJECT = 0xa6;
    private static final int NULL = 0xaf;
    private static final int INT = 0x48;
    private static final int TEXT_FIXED = 0x49;
    private static final int TEXT_ASCII = 0x79;
    private static final int SYMBOL = 0x7f;

    /** Attachments of Dubbo's own have no depth at all, and each level takes some of this thread's stack. */
    private static final int DEEPEST = 200;

    private final ByteBuf elements;
    private int depth;

    JsonbReader(ByteBuf elements) {
        this.elements = elements;
    }

    @Override
    public @Nullable String readString() {
        ByteBuf in = next();
        int tag = in.readUnsignedByte();
        return tag == NULL ? null : text(in, tag);
    }

    @Override
    public void skipValue() {
        next();
    }

    private ByteBuf next() {
        return elements.readSlice(elements.readInt());
    }

    @Override
    public Map<String, String> readEntries(Set<String> wanted) {
        Map<String, String> entries = new HashMap<>();
        ByteBuf in = next();
        int tag = in.readUnsignedByte();
        if (tag == TYPED) {
            name(in);
            tag = in.readUnsignedByte();
        }
        if (tag == NULL) {
            return entries;
        } else if (tag != OBJECT) {
            throw unexpected(tag, "attachments");
        }
        for (int key = in.readUnsignedByte(); key != OBJECT_END; key = in.readUnsignedByte()) {
            String name = isText(key) ? text(in, key) : "";
            if (!isText(key)) {
                skip(in, key);
            }
            int value = in.readUnsignedByte();
            if (wanted.contains(name) && isText(value)) {
                entries.put(name, text(in, value));
            } else {
                skip(in, value);
            }
        }
        return entries;
    }

    private static boolean isText(int tag) {
        return tag >= TEXT_FIXED && tag < SYMBOL;
    }

    private static String text(ByteBuf in, int tag) {
        if (!isText(tag)) {
            throw unexpected(tag, "a string");
        }
        int length = tag < TEXT_ASCII ? tag - TEXT_FIXED : integer(in, in.readUnsignedByte());
        return in.readCharSequence(length, charset(tag)).toString();
    }

    private static Charset charset(int tag) {
        return switch (tag) {
            case 0x7b -> StandardCharsets.UTF_16;
            case 0x7c -> StandardCharsets.UTF_16LE;
            case 0x7d -> StandardCharsets.UTF_16BE;
            case 0x7e -> Charset.forName("GB18030");
            default -> StandardCharsets.UTF_8;
        };
    }

    private static boolean isInteger(int tag) {
        return tag <= INT || tag >= 0xf0;
    }

    private static int integer(ByteBuf in, int tag) {
        if (tag >= 0xf0) {
            return (byte) tag;
        } else if (tag <= 0x2f) {
            return tag;
        } else if (tag <= 0x3f) {
            return ((tag - 0x38) << 8) + in.readUnsignedByte();
        } else if (tag <= 0x47) {
            return ((tag - 0x44) << 16) + in.readUnsignedShort();
        } else if (tag == INT) {
            return in.readInt();
        }
        throw unexpected(tag, "an int");
    }

    /** A name is a number that refers to an earlier one, or a text and its new number. */
    private static void name(ByteBuf in) {
        int tag = in.readUnsignedByte();
        if (isInteger(tag)) {
            integer(in, tag);
        } else {
            text(in, tag);
            integer(in, in.readUnsignedByte());
        }
    }

    /** Only attachment values come here, never arguments. */
    private void skip(ByteBuf in, int tag) {
        if (++depth > DEEPEST) {
            throw new UnreadableRequestException("fastjson2 attachments nested deeper than " + DEEPEST);
        }
        skipNested(in, tag);
        depth--;
    }

    private void skipNested(ByteBuf in, int tag) {
        if (isText(tag)) {
            text(in, tag);
        } else if (isInteger(tag)) {
            integer(in, tag);
        } else if (tag == SYMBOL) {
            name(in);
        } else if (tag == BINARY) {
            in.skipBytes(integer(in, in.readUnsignedByte()));
        } else if (tag == TYPED) {
            name(in);
            skip(in, in.readUnsignedByte());
        } else if (tag == OBJECT) {
            for (int key = in.readUnsignedByte(); key != OBJECT_END; key = in.readUnsignedByte()) {
                skip(in, key);
                skip(in, in.readUnsignedByte());
            }
        } else if (tag >= ARRAY_FIXED && tag <= ARRAY) {
            int values = tag == ARRAY ? integer(in, in.readUnsignedByte()) : tag - ARRAY_FIXED;
            for (int value = 0; value < values; value++) {
                skip(in, in.readUnsignedByte());
            }
        } else {
            skipScalar(in, tag);
        }
    }

    private void skipScalar(ByteBuf in, int tag) {
        switch (tag) {
            case NULL, 0xb0, 0xb1, 0xb2, 0xb3 -> {}
            case 0xbd -> in.skipBytes(1);
            case 0x90, REFERENCE, 0xb4, 0xb6, 0xb8, 0xba -> skip(in, in.readUnsignedByte());
            case 0xbc -> in.skipBytes(2);
            case 0xa9, 0xac, 0xad, 0xb7, 0xbf -> in.skipBytes(4);
            case 0xab, 0xb5, 0xbe -> in.skipBytes(8);
            case 0xa7 -> skipWith(in, 3);
            case 0xa8 -> skipWith(in, 7);
            case 0xae -> skipWith(in, 8);
            case 0xaa -> {
                skipWith(in, 7);
                skip(in, in.readUnsignedByte());
            }
            case 0xb9 -> {
                integer(in, in.readUnsignedByte());
                skip(in, in.readUnsignedByte());
            }
            case 0xbb -> in.skipBytes(integer(in, in.readUnsignedByte()));
            default -> {
                if (tag >= 0xd8) {
                    return;
                }
                if (tag < 0xc0) {
                    throw unexpected(tag, "a value");
                }
                in.skipBytes(tag <= 0xc7 ? 2 : 1);
            }
        }
    }

    private static void skipWith(ByteBuf in, int fixed) {
        in.skipBytes(fixed);
        integer(in, in.readUnsignedByte());
    }

    private static UnreadableRequestException unexpected(int tag, String expected) {
        return new UnreadableRequestException(
                "fastjson2 code 0x" + Integer.toHexString(tag) + " where " + expected + " was expected");
    }

    /** An ASCII text of at most 2047 characters as Dubbo writes it with fastjson2. */
    static byte[] encode(byte[] text) {
        ByteBuf out = Unpooled.buffer(8 + text.length);
        if (text.length < TEXT_ASCII - TEXT_FIXED) {
            out.writeInt(1 + text.length).writeByte(TEXT_FIXED + text.length);
        } else {
            out.writeInt(3 + text.length).writeByte(TEXT_ASCII);
            out.writeByte(0x38 + (text.length >> 8)).writeByte(text.length);
        }
        out.writeBytes(text);
        byte[] encoded = new byte[out.readableBytes()];
        out.readBytes(encoded);
        return encoded;
    }
}
