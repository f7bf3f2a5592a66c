// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.facts;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Changes bodies: bytes are changed, inserted, left out, repeated, and taken from others. */
final class MutatedBody {

    /** Codes of both formats, and texts in forms that differ. */
    private static final String[] TOKENS = {
        "43",
        "60",
        "4f90",
        "48",
        "4d",
        "5a",
        "4e",
        "5190",
        "56",
        "57",
        "58",
        "71",
        "79",
        "52",
        "53",
        "41",
        "42",
        "49",
        "4c",
        "00",
        "01",
        "90",
        "91",
        "f0",
        "af",
        "a6",
        "a5",
        "a4",
        "92",
        "93",
        "94",
        "95",
        "7f",
        "7a",
        "7c",
        "7d",
        "7e",
        "79",
        "48",
        "c0ad",
        "c1a1",
        "e080ad",
        "eda080",
        "edb080",
        "f09f9a80",
        "ff",
        "80",
        "0568",
        "59",
        "5d",
        "5e",
        "5f",
        "4a",
        "4b",
        "4d00",
        "4d116a6176612e7574696c2e486173684d6170",
        "0e686967687761792d69736c616e64",
        "0470617468",
        "5761",
        "5768696768776179",
        "d4d4",
        "4a61",
        "924b4c4d00",
        "9249",
        "93",
        "4a24",
        "934b2e2e",
        "7c0261004a61",
        "cf01",
        "38ff"
    };

    private final Random random;
    private final boolean hasElements;

    /**
     * Changes as this source chooses.
     *
     * @param hasElements whether the body is made of elements with a length in front
     */
    MutatedBody(Random random, boolean hasElements) {
        this.random = random;
        this.hasElements = hasElements;
    }

    byte[] of(byte[] body, byte[] other) {
        if (!hasElements || random.nextInt(10) == 0) {
            return changed(body, other);
        }
        List<byte[]> elements = elements(body);
        List<byte[]> others = elements(other);
        int index = random.nextInt(3) == 0 ? random.nextInt(elements.size()) : elements.size() - 1;
        elements.set(index, changed(elements.get(index), others.get(random.nextInt(others.size()))));
        ByteBuf joined = Unpooled.buffer();
        for (byte[] element : elements) {
            joined.writeInt(element.length).writeBytes(element);
        }
        return ByteBufUtil.getBytes(joined);
    }

    private static List<byte[]> elements(byte[] body) {
        ByteBuf left = Unpooled.wrappedBuffer(body);
        List<byte[]> elements = new ArrayList<>();
        while (left.isReadable()) {
            elements.add(ByteBufUtil.getBytes(left.readSlice(left.readInt())));
        }
        return elements;
    }

    private byte[] changed(byte[] body, byte[] other) {
        byte[] changed = body;
        for (int left = random.nextInt(4); left >= 0; left--) {
            int at = random.nextInt(changed.length + 1);
            int size = Math.min(changed.length - at, random.nextInt(random.nextInt(20) + 1));
            byte[] some = new byte[1];
            random.nextBytes(some);
            byte[] token = ByteBufUtil.decodeHexDump(TOKENS[random.nextInt(TOKENS.length)]);
            changed = switch (random.nextInt(8)) {
                case 0 -> replaced(changed, at, Math.min(1, changed.length - at), some);
                case 1 -> replaced(changed, at, 0, some);
                case 2 -> replaced(changed, at, size, new byte[0]);
                case 3 -> replaced(changed, at, 0, part(changed, size));
                case 4 -> replaced(changed, at, 0, token);
                case 5 -> replaced(changed, at, Math.min(token.length, changed.length - at), token);
                case 6 -> replaced(changed, at, size, part(other, random.nextInt(60)));
                default -> nudged(changed, Math.min(at, changed.length - 1));
            };
        }
        return changed;
    }

    /** So many bytes of it, from anywhere. */
    private byte[] part(byte[] of, int size) {
        int start = random.nextInt(of.length + 1);
        return ByteBufUtil.getBytes(Unpooled.wrappedBuffer(of, start, Math.min(size, of.length - start)));
    }

    private byte[] nudged(byte[] body, int at) {
        byte[] nudged = body.clone();
        if (at >= 0) {
            nudged[at] += (byte) (random.nextInt(5) - 2);
        }
        return nudged;
    }

    private static byte[] replaced(byte[] body, int at, int size, byte[] by) {
        return ByteBufUtil.getBytes(Unpooled.wrappedBuffer(
                Unpooled.wrappedBuffer(body, 0, at),
                Unpooled.wrappedBuffer(by),
                Unpooled.wrappedBuffer(body, at + size, body.length - at - size)));
    }
}
