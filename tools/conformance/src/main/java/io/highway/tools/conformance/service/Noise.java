// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.service;

import java.util.Random;
import java.util.zip.CRC32;

/** Bodies that no gateway can compress, and a check that one has arrived whole. */
public final class Noise {

    private static final long SEED = 5;

    private Noise() {}

    /** The same bytes for the same size. */
    public static byte[] bytes(int size) {
        byte[] bytes = new byte[size];
        new Random(SEED + size).nextBytes(bytes);
        return bytes;
    }

    /** The CRC-32 of a body. */
    public static long crc(byte[] body) {
        CRC32 crc = new CRC32();
        crc.update(body);
        return crc.getValue();
    }
}
