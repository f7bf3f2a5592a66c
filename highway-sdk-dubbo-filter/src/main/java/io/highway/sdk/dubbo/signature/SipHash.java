// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.signature;

/** SipHash-2-4 (Aumasson and Bernstein, 2012): a keyed hash whose collisions nobody finds without the key. */
final class SipHash {

    private long v0;
    private long v1;
    private long v2;
    private long v3;

    private SipHash(long key0, long key1) {
        v0 = key0 ^ 0x736f6d6570736575L;
        v1 = key1 ^ 0x646f72616e646f6dL;
        v2 = key0 ^ 0x6c7967656e657261L;
        v3 = key1 ^ 0x7465646279746573L;
    }

    /** The hash of ASCII text. */
    static long of(String text, long key0, long key1) {
        SipHash hash = new SipHash(key0, key1);
        int length = text.length();
        int whole = length & ~7;
        for (int i = 0; i < whole; i += 8) {
            hash.add(word(text, i, i + 8));
        }
        hash.add(word(text, whole, length) | ((long) length << 56));
        return hash.end();
    }

    /** Little-endian. */
    private static long word(String text, int from, int to) {
        long word = 0;
        for (int i = to - 1; i >= from; i--) {
            word = (word << 8) | (text.charAt(i) & 0xff);
        }
        return word;
    }

    private void add(long word) {
        v3 ^= word;
        round();
        round();
        v0 ^= word;
    }

    private long end() {
        v2 ^= 0xff;
        for (int i = 0; i < 4; i++) {
            round();
        }
        return v0 ^ v1 ^ v2 ^ v3;
    }

    private void round() {
        v0 += v1;
        v2 += v3;
        v1 = Long.rotateLeft(v1, 13) ^ v0;
        v3 = Long.rotateLeft(v3, 16) ^ v2;
        v0 = Long.rotateLeft(v0, 32);
        v2 += v1;
        v0 += v3;
        v1 = Long.rotateLeft(v1, 17) ^ v2;
        v3 = Long.rotateLeft(v3, 21) ^ v0;
        v2 = Long.rotateLeft(v2, 32);
    }
}
