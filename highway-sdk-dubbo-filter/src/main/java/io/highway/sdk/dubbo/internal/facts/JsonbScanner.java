// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.facts;

import io.highway.sdk.dubbo.internal.facts.DecodingCost.Container;
import io.netty.buffer.ByteBuf;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Values as Dubbo writes them with fastjson2: each is a four-byte length and that many bytes of JSONB. An argument ends
 * with its length, whatever is in it, so it is skipped as a whole.
 */
final class JsonbScanner extends BodyScanner {

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
    private static final int TEXT_LATIN = 0x79;
    private static final int TEXT_UTF8 = 0x7a;
    private static final int TEXT_UTF16_LE = 0x7c;
    private static final int TEXT_UTF16_BE = 0x7d;
    private static final int SYMBOL = 0x7f;

    /** What Java makes of half a character. */
    private static final char REPLACEMENT = 0xfffd;

    private static final String TYPE_OF_TEXTS = "[String";

    private final ByteBuf elements;

    JsonbScanner(ByteBuf elements) {
        super("fastjson2", OBJECT_END);
        this.elements = elements.slice();
    }

    private ByteBuf nextElement() {
        int left = elements.readableBytes() - Integer.BYTES;
        int length = left < 0 ? -1 : elements.readInt();
        if (length < 0 || length > left) {
            throw unreadable("has an element that goes beyond its end");
        }
        return elements.readSlice(length);
    }

    @Override
    @Nullable
    String readText(int longest) {
        use(nextElement());
        String text = textOrNull(longest);
        requireAllRead();
        return text;
    }

    @Override
    @Nullable
    List<@Nullable String> readTexts() {
        use(nextElement());
        List<@Nullable String> texts = null;
        int tag = next();
        if (tag == TYPED) {
            if (!textOf(next(), LONGEST_NAME).equals(TYPE_OF_TEXTS) || length() != 0) {
                throw unreadable("has parameter types that are no array of texts");
            }
            tag = next();
        }
        if (tag == ARRAY) {
            texts = readTexts(require(length()));
        } else if (tag >= ARRAY_FIXED && tag < ARRAY) {
            texts = readTexts(tag - ARRAY_FIXED);
        } else if (!isNull(tag)) {
            throw unexpected(tag, "an array of texts");
        }
        requireAllRead();
        return texts;
    }

    @Override
    void walk() {
        while (elements.isReadable()) {
            use(nextElement());
            walkValue();
            requireAllRead();
        }
    }

    @Override
    void skipArgument() {
        nextElement();
    }

    @Override
    void readAttachments(RequestAttachments attachments) {
        use(nextElement());
        int tag = next();
        if (tag == TYPED) {
            if (!textOf(next(), LONGEST_NAME).startsWith(JDK) || length() != 0) {
                throw unreadable("has attachments of another type");
            }
            tag = next();
        }
        if (tag == OBJECT) {
            readEntries(attachments);
        } else if (!isNull(tag)) {
            throw unexpected(tag, "attachments");
        }
        requireAllRead();
    }

    @Override
    void requireEnd() {
        if (elements.isReadable()) {
            throw unreadable("has bytes behind its end");
        }
    }

    @Override
    boolean isNull(int tag) {
        return tag == NULL;
    }

    @Override
    boolean isText(int tag) {
        return tag >= TEXT_FIXED && tag < SYMBOL;
    }

    private int textLength(int tag) {
        if (!isText(tag)) {
            throw unexpected(tag, "a text");
        }
        return require(tag < TEXT_LATIN ? tag - TEXT_FIXED : length());
    }

    @Override
    String textOf(int tag, int longest) {
        int length = textLength(tag);
        int start = at;
        at += length;
        if (tag <= TEXT_LATIN) {
            requireShort(length, longest);
            return latin(start, at);
        }
        String text =
                switch (tag) {
                    case TEXT_UTF8 -> utf8(start, at);
                    case TEXT_UTF16_LE -> utf16(StandardCharsets.UTF_16LE, start, length);
                    case TEXT_UTF16_BE -> utf16(StandardCharsets.UTF_16BE, start, length);
                    default -> throw unexpected(tag, "another encoding");
                };
        if (text.chars().allMatch(unit -> unit <= 0xff)) { // equal to no other text, once fastjson2 has decoded it
            throw unreadable("has a text that is not in its encoding");
        }
        requireShort(text.length(), longest);
        return text;
    }

    private String utf16(Charset charset, int start, int length) {
        String text = new String(bytes, start, length, charset);
        if (text.chars().anyMatch(unit -> Character.isSurrogate((char) unit) || unit == REPLACEMENT)) {
            throw unreadable("has a text that is not UTF-16");
        }
        return text;
    }

    private static boolean isInt(int tag) {
        return tag <= INT || tag >= 0xf0;
    }

    private int length() {
        int tag = next();
        if (!isInt(tag)) {
            throw unexpected(tag, "an int");
        }
        return (int) integer(tag);
    }

    @Override
    long integer(int tag) {
        if (tag >= 0xf0) {
            return compact((byte) tag, 0);
        } else if (tag <= 0x2f) {
            return compact(tag, 0);
        } else if (tag <= 0x3f) {
            return compact(tag - 0x38, 1);
        } else if (tag <= 0x47) {
            return compact(tag - 0x44, 2);
        } else if (tag >= 0xd8) {
            return compact(tag - 0xe0, 0);
        } else if (tag >= 0xc8) {
            return compact(tag - 0xd0, 1);
        } else if (tag >= 0xc0) {
            return compact(tag - 0xc4, 2);
        }
        return switch (tag) {
            case 0xbd -> number(1);
            case 0xbc -> number(2);
            case INT, 0xbf -> number(4);
            case 0xbe -> number(8);
            default -> throw unexpected(tag, "a text or an integer");
        };
    }

    /** A name is a number that refers to an earlier one, or a text and its new number. */
    private void skipName() {
        int tag = next();
        if (isInt(tag)) {
            integer(tag);
        } else {
            int length = textLength(tag);
            requireShort(length, LONGEST_NAME);
            at += length;
            length();
        }
    }

    /** Of requests only attachments come here, never arguments. */
    @Override
    void skip(int tag) {
        if (isText(tag)) {
            skipBytes(textLength(tag));
        } else if (isInt(tag)) {
            integer(tag);
        } else if (tag == SYMBOL) {
            skipName();
        } else if (tag == BINARY) {
            skipBytes(length());
        } else if (tag == TYPED) {
            skipName();
            openOf(Container.PREFIX, 1);
        } else if (tag == OBJECT) {
            openUntilEnd(Container.MAP);
        } else if (tag == ARRAY) {
            openOf(Container.SET, length());
        } else if (tag >= ARRAY_FIXED && tag < ARRAY) {
            openOf(Container.SET, tag - ARRAY_FIXED);
        } else {
            skipScalar(tag);
        }
    }

    private void skipScalar(int tag) {
        switch (tag) {
            case NULL, 0xb0, 0xb1, 0xb2, 0xb3 -> {}
            case 0x90, REFERENCE, 0xb4, 0xb6, 0xb8, 0xba -> openOf(Container.PREFIX, 1);
            case 0xa9, 0xac, 0xad, 0xb7 -> skipBytes(4);
            case 0xab, 0xb5 -> skipBytes(8);
            case 0xa7 -> skipWith(3);
            case 0xa8 -> skipWith(7);
            case 0xae -> {
                integer(next()); // seconds
                length();
            }
            case 0xaa -> {
                skipWith(7);
                openOf(Container.PREFIX, 1);
            }
            case 0xb9 -> {
                length();
                openOf(Container.PREFIX, 1);
            }
            case 0xbb -> skipBytes(length());
            default -> integer(tag);
        }
    }

    private void skipWith(int fixed) {
        skipBytes(fixed);
        length();
    }
}
