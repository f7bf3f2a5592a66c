// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.facts;

import io.highway.sdk.dubbo.internal.facts.DecodingCost.Container;
import io.netty.buffer.ByteBuf;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Values in Hessian 2. Class definitions apply to a whole message, so one reader must read all of it from the start.
 * Dubbo's decoder chooses by the expected class what it makes of a value, but the codes alone say where it ends.
 */
final class Hessian2Scanner extends BodyScanner {

    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    /** Set in no byte of eight ASCII characters. */
    private static final long NOT_ASCII = 0x8080808080808080L;

    /** What tells the first bytes of three characters of three bytes, the last of which is a byte longer than a word. */
    private static final long LEADS = 0xf00000f00000f000L;

    private static final long LEADS_OF_THREE = 0xe00000e00000e000L;

    private static final String TYPE_OF_TEXTS = "[string";

    /** How many bytes follow the code of null, a boolean, a number or a date; -1 for other codes. */
    private static final byte[] FOLLOWING = new byte[256];

    static {
        fill(0, 0xff, -1);
        for (int single : new int[] {'N', 'T', 'F', 0x5b, 0x5c}) {
            FOLLOWING[single] = 0;
        }
        fill(0x80, 0xbf, 0);
        fill(0xd8, 0xef, 0);
        fill(0xc0, 0xcf, 1);
        fill(0xf0, 0xff, 1);
        fill(0x5d, 0x5d, 1);
        fill(0xd0, 0xd7, 2);
        fill(0x38, 0x3f, 2);
        fill(0x5e, 0x5e, 2);
        for (int four : new int[] {'I', 0x59, 0x5f, 0x4b}) {
            FOLLOWING[four] = 4;
        }
        for (int eight : new int[] {'L', 'D', 0x4a}) {
            FOLLOWING[eight] = 8;
        }
    }

    private int[] fieldCounts = {};
    private int definitions;
    private int types;

    /** By the number of a type. */
    private final BitSet sets = new BitSet();

    Hessian2Scanner(ByteBuf body) {
        super("hessian2", 'Z');
        use(body);
    }

    @Override
    @Nullable
    String readText(int longest) {
        return textOrNull(longest);
    }

    /** As Dubbo writes it: a list with a length, and this type or none. */
    @Override
    @Nullable
    List<@Nullable String> readTexts() {
        int tag = next();
        if (isNull(tag)) {
            return null;
        }
        boolean isTyped = tag == 'V' || between(tag, 0x70, 0x77);
        if (isTyped && !textOf(next(), LONGEST_NAME).equals(TYPE_OF_TEXTS)) {
            throw unreadable("has parameter types that are no array of texts");
        }
        if (tag == 'V' || tag == 0x58) {
            return readTexts(readLength());
        } else if (between(tag, 0x70, 0x7f)) {
            return readTexts(tag & 0x7);
        }
        throw unexpected(tag, "an array of texts");
    }

    @Override
    void walk() {
        while (at < end) {
            walkValue();
        }
    }

    @Override
    void skipArgument() {
        skipValue();
    }

    @Override
    void readAttachments(RequestAttachments attachments) {
        int tag = next();
        if (tag == 'M' && !requireText(LONGEST_NAME, "type of its attachments").startsWith(JDK)) {
            throw unreadable("has attachments of another type");
        }
        if (tag == 'H' || tag == 'M') {
            readEntries(attachments);
        } else if (!isNull(tag)) {
            throw unexpected(tag, "attachments");
        }
    }

    @Override
    void requireEnd() {
        requireAllRead();
    }

    @Override
    void skip(int tag) {
        int following = FOLLOWING[tag];
        if (following >= 0) {
            skipBytes(following);
        } else if (isText(tag)) {
            skipText(tag, Integer.MAX_VALUE);
        } else if (isBinary(tag)) {
            skipBinary(tag);
        } else {
            openContainer(tag);
        }
    }

    private static void fill(int first, int last, int following) {
        Arrays.fill(FOLLOWING, first, last + 1, (byte) following);
    }

    private void openContainer(int tag) {
        if (tag == 'H') {
            openUntilEnd(Container.MAP);
        } else if (tag == 'M') {
            skipType();
            openUntilEnd(Container.MAP);
        } else if (tag == 0x57) {
            openUntilEnd(Container.OTHER);
        } else if (tag == 0x55) {
            openUntilEnd(skipType());
        } else if (tag == 'V') {
            Container list = skipType();
            openOf(list, readLength());
        } else if (tag == 0x58) {
            openOf(Container.OTHER, readLength());
        } else if (between(tag, 0x70, 0x77)) {
            openOf(skipType(), tag - 0x70);
        } else if (between(tag, 0x78, 0x7f)) {
            openOf(Container.OTHER, tag - 0x78);
        } else if (tag == 'C') {
            define();
            openOf(Container.PREFIX, 1);
        } else if (tag == 'O') {
            openOf(Container.OTHER, fieldCount(readInt()));
        } else if (between(tag, 0x60, 0x6f)) {
            openOf(Container.OTHER, fieldCount(tag - 0x60));
        } else if (tag == 0x51) {
            refersTo(readInt());
        } else {
            throw unexpected(tag, "a value");
        }
    }

    private void define() {
        skipText(next(), LONGEST_NAME);
        int fields = readLength();
        for (int left = fields; left > 0; left--) {
            skipText(next(), LONGEST_NAME);
        }
        if (definitions == fieldCounts.length) {
            fieldCounts = Arrays.copyOf(fieldCounts, Math.max(8, 2 * definitions));
        }
        fieldCounts[definitions++] = fields;
    }

    private int fieldCount(int definition) {
        if (definition < 0 || definition >= definitions) {
            throw unreadable("has an object of an undefined class");
        }
        return fieldCounts[definition];
    }

    /** A type is its name, or the number of a name that was written before; returns what a list of it is. */
    private Container skipType() {
        int number = types;
        if (isText(peek())) {
            if (!isCounted()) {
                skipText(next(), LONGEST_NAME);
            } else if (DecodingCost.isSet(textOf(next(), LONGEST_NAME))) {
                sets.set(types);
            }
            types++;
        } else {
            number = readInt();
        }
        return number >= 0 && sets.get(number) ? Container.SET : Container.OTHER;
    }

    /** Each of that which is counted takes a byte. */
    private int readLength() {
        return require(readInt());
    }

    private int readInt() {
        int tag = next();
        if (tag != 'I' && !between(tag, 0x80, 0xd7)) {
            throw unexpected(tag, "an int");
        }
        return (int) integer(tag);
    }

    @Override
    long integer(int tag) {
        if (between(tag, 0x80, 0xbf)) {
            return compact(tag - 0x90, 0);
        } else if (between(tag, 0xc0, 0xcf)) {
            return compact(tag - 0xc8, 1);
        } else if (between(tag, 0xd0, 0xd7)) {
            return compact(tag - 0xd4, 2);
        } else if (between(tag, 0xd8, 0xef)) {
            return compact(tag - 0xe0, 0);
        } else if (tag >= 0xf0) {
            return compact(tag - 0xf8, 1);
        } else if (between(tag, 0x38, 0x3f)) {
            return compact(tag - 0x3c, 2);
        } else if (tag == 'I' || tag == 0x59) {
            return number(4);
        } else if (tag == 'L') {
            return number(8);
        }
        throw unexpected(tag, "a text or an integer");
    }

    private static boolean between(int tag, int first, int last) {
        return tag >= first && tag <= last;
    }

    @Override
    boolean isNull(int tag) {
        return tag == 'N';
    }

    @Override
    boolean isText(int tag) {
        return tag <= 0x1f || between(tag, 0x30, 0x33) || tag == 'R' || tag == 'S';
    }

    private static boolean isBinary(int tag) {
        return between(tag, 0x20, 0x2f) || between(tag, 0x34, 0x37) || tag == 'A' || tag == 'B';
    }

    @Override
    String textOf(int first, int longest) {
        StringBuilder text = new StringBuilder();
        readText(first, longest, text);
        return text.toString();
    }

    private void skipText(int first, int longest) {
        readText(first, longest, null);
    }

    private void readText(int first, int longest, @Nullable StringBuilder text) {
        int characters = 0;
        for (int tag = first; ; tag = next()) {
            int length = textLength(tag);
            characters += length;
            requireShort(characters, longest);
            int start = at;
            skipCharacters(length);
            if (text != null) {
                text.append(utf8(start, at));
            }
            if (tag != 'R') {
                return;
            }
        }
    }

    /** The characters of a chunk; all but the last have the code R. */
    private int textLength(int tag) {
        if (!isText(tag)) {
            throw unexpected(tag, "a text");
        }
        int length;
        if (tag <= 0x1f) {
            length = tag;
        } else if (tag <= 0x33) {
            length = (int) compact(tag - 0x30, 1);
        } else {
            length = (int) compact(0, 2);
        }
        return require(length);
    }

    /** Each is a UTF-16 unit of one to three bytes; what follows the first byte is not looked at, as in Dubbo. */
    private void skipCharacters(int length) {
        byte[] from = bytes;
        int to = at;
        int left = length;
        while (left > 0) {
            int free = end - to;
            if (left >= 8 && free > 8) {
                long word = (long) WORD.get(from, to);
                if ((word & NOT_ASCII) == 0) {
                    to += 8;
                    left -= 8;
                    continue;
                } else if ((word & LEADS) == LEADS_OF_THREE) {
                    to += 9;
                    left -= 3;
                    continue;
                }
            }
            if (free <= 0) {
                throw unreadable("ends inside a text");
            }
            int lead = from[to];
            if (lead >= 0) {
                to++;
            } else if ((lead & 0xf0) == 0xe0) {
                to += 3;
            } else if ((lead & 0xe0) == 0xc0) {
                to += 2;
            } else {
                throw unreadable("has a text that is not UTF-8");
            }
            left--;
        }
        at += require(to - at);
    }

    private void skipBinary(int first) {
        for (int tag = first; ; tag = next()) {
            if (!isBinary(tag)) {
                throw unexpected(tag, "binary");
            }
            if (tag <= 0x2f) {
                skipBytes(tag - 0x20);
            } else if (tag <= 0x37) {
                skipBytes((int) compact(tag - 0x34, 1));
            } else {
                skipBytes((int) compact(0, 2));
            }
            if (tag != 'A') {
                return;
            }
        }
    }
}
