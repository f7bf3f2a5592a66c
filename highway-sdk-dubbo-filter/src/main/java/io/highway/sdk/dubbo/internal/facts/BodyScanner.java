// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.facts;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the values of a request body in order, without building any argument. Time and memory are linear in the bytes:
 * each value takes at least one, and no length is believed that goes beyond them.
 */
abstract class BodyScanner {

    /** The longest name of a class, method, type, field or attachment. */
    static final int LONGEST_NAME = 512;

    /** Attachments may be any map of the JDK; what is decoded is compared with what was read. */
    static final String JDK = "java.util.";

    /** The parameters of a Java method. */
    static final int MOST_PARAMETERS = 255;

    byte[] bytes = {};
    int at;
    int end;

    private final String format;
    private final int endCode;

    /**
     * The values still to skip in each open container, but of those that are at their last value. Containers up to an
     * end code have no such number: a negative one counts how many of them are directly inside each other.
     */
    private int[] open = {};

    private int depth;

    /** Counts what is stepped over, instead of the open containers above, if {@link #isCounted}; null before the first. */
    private @Nullable DecodingCost cost;

    private boolean isCounted;

    BodyScanner(String format, int endCode) {
        this.format = format;
        this.endCode = endCode;
    }

    /** Continues with these bytes. */
    final void use(ByteBuf buffer) {
        if (buffer.hasArray()) {
            bytes = buffer.array();
            at = buffer.arrayOffset() + buffer.readerIndex();
        } else {
            bytes = ByteBufUtil.getBytes(buffer);
            at = 0;
        }
        end = at + buffer.readableBytes();
    }

    /** A text of at most so many characters, or null. */
    abstract @Nullable String readText(int longest);

    final String requireText(int longest, String what) {
        String text = readText(longest);
        if (text == null) {
            throw unreadable("has no " + what);
        }
        return text;
    }

    /** An array or list of texts, or null. */
    abstract @Nullable List<@Nullable String> readTexts();

    /**
     * Steps over all values.
     *
     * @throws UnreadableRequestException if decoding them costs too much
     */
    abstract void walk();

    /** Steps over a value. */
    final void walkValue() {
        isCounted = true;
        skip(next());
        while (cost != null && cost.isOpen()) {
            int left = cost.left();
            if (left == 0) {
                cost.close();
            } else if (left < 0 && peek() == endCode) {
                at++;
                cost.close();
            } else {
                cost.next();
                int depth = cost.depth();
                skip(next());
                if (cost.depth() == depth) {
                    cost.scalar();
                }
            }
        }
    }

    /** Whether the values are those of an answer. */
    final boolean isCounted() {
        return isCounted;
    }

    private DecodingCost counted() {
        DecodingCost known = cost;
        if (known == null) {
            known = new DecodingCost(end);
            cost = known;
        }
        return known;
    }

    /** Steps over an argument. */
    abstract void skipArgument();

    abstract void readAttachments(RequestAttachments attachments);

    /** Requires that nothing follows. */
    abstract void requireEnd();

    final void readEntries(RequestAttachments attachments) {
        while (peek() != endCode) {
            String key = textOf(next(), LONGEST_NAME);
            if (attachments.isFact(key)) {
                int tag = next();
                attachments.put(
                        key, isNull(tag) ? null : isText(tag) ? textOf(tag, end - at) : Long.toString(integer(tag)));
            } else {
                skipValue();
            }
        }
        at++;
    }

    final List<@Nullable String> readTexts(int size) {
        if (size > MOST_PARAMETERS) {
            throw unreadable("has more than " + MOST_PARAMETERS + " parameter types");
        }
        List<@Nullable String> texts = new ArrayList<>(size);
        for (int left = size; left > 0; left--) {
            texts.add(textOrNull(LONGEST_NAME));
        }
        return texts;
    }

    final @Nullable String textOrNull(int longest) {
        int tag = next();
        return isNull(tag) ? null : textOf(tag, longest);
    }

    abstract boolean isNull(int tag);

    abstract boolean isText(int tag);

    /** The text behind this code, each of whose characters has one encoding only. */
    abstract String textOf(int tag, int longest);

    abstract long integer(int tag);

    /** Steps over a scalar, or opens the container whose values follow. */
    abstract void skip(int tag);

    final void skipValue() {
        push(1);
        while (depth > 0) {
            int left = open[depth - 1];
            if (left < 0 && peek() == endCode) {
                at++;
                close(left + 1);
            } else {
                if (left > 0) {
                    close(left - 1);
                }
                skip(next());
            }
        }
    }

    private void close(int left) {
        open[depth - 1] = left;
        if (left == 0) {
            depth--;
        }
    }

    /** So many values follow, each of which takes a byte. */
    final void openOf(DecodingCost.Container kind, int values) {
        require(values);
        if (isCounted) {
            counted().open(kind, values);
        } else if (values > 0) {
            push(values);
        }
    }

    final void openUntilEnd(DecodingCost.Container kind) {
        if (isCounted) {
            counted().open(kind, -1);
        } else if (depth > 0 && open[depth - 1] < 0) {
            open[depth - 1]--;
        } else {
            push(-1);
        }
    }

    final void refersTo(int number) {
        if (cost != null) {
            cost.refersTo(number);
        }
    }

    private void push(int values) {
        if (depth == open.length) {
            open = Arrays.copyOf(open, Math.max(16, 2 * depth));
        }
        open[depth++] = values;
    }

    final int next() {
        require(1);
        return bytes[at++] & 0xff;
    }

    final int peek() {
        require(1);
        return bytes[at] & 0xff;
    }

    /** The next so many bytes as a number, the highest first. */
    final long number(int size) {
        require(1);
        return compact(bytes[at++], size - 1);
    }

    /** A number whose highest bits are in its code, and so many bytes follow. */
    final long compact(int highest, int size) {
        require(size);
        long number = highest;
        for (int left = size; left > 0; left--) {
            number = (number << 8) | (bytes[at++] & 0xff);
        }
        return number;
    }

    /** A length that is not beyond the bytes. */
    final int require(int length) {
        if (length < 0 || length > end - at) {
            throw unreadable("has a length of " + length + " with " + (end - at) + " bytes left");
        }
        return length;
    }

    final void skipBytes(int length) {
        at += require(length);
    }

    final void requireAllRead() {
        if (at != end) {
            throw unreadable("has bytes behind its end");
        }
    }

    final void requireShort(int length, int longest) {
        if (length > longest) {
            throw unreadable("has a text of more than " + longest + " characters");
        }
    }

    /** UTF-8 whose characters are complete, shortest and without surrogates: decoders differ in what they make of others. */
    final String utf8(int from, int to) {
        int ascii = from;
        while (ascii < to && bytes[ascii] >= 0) {
            ascii++;
        }
        if (ascii == to) {
            return latin(from, to);
        }
        try {
            ByteBuffer encoded = ByteBuffer.wrap(bytes, from, to - from);
            String text = StandardCharsets.UTF_8.newDecoder().decode(encoded).toString();
            if (text.chars().noneMatch(unit -> Character.isSurrogate((char) unit))) {
                return text;
            }
        } catch (CharacterCodingException e) {
            // of no use to the peer
        }
        throw unreadable("has a text that is not UTF-8");
    }

    @SuppressWarnings("deprecation") // the fast one
    final String latin(int from, int to) {
        return new String(bytes, 0, from, to - from);
    }

    final UnreadableRequestException unexpected(int tag, String expected) {
        return unreadable("has code 0x" + Integer.toHexString(tag) + " where " + expected + " was expected");
    }

    final UnreadableRequestException unreadable(String why) {
        return new UnreadableRequestException("the " + format + " body " + why);
    }
}
