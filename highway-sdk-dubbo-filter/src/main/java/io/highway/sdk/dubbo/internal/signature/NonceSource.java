// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.signature;

import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;

/** Random nonces of 16 bytes, drawn in batches, since the generator takes a lock. Thread-safe. */
final class NonceSource {

    private static final int BYTES = 16;
    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

    /** A power of two. */
    private static final int STRIPES = 16;

    private final SecureRandom random = new SecureRandom();
    private final Batch[] batches = new Batch[STRIPES];

    private static final class Batch {

        private final byte[] bytes = new byte[256 * BYTES];
        private int next = bytes.length;
    }

    NonceSource() {
        Arrays.setAll(batches, any -> new Batch());
    }

    /** The next nonce, base64url without padding. */
    String next() {
        Batch batch = batches[(int) Thread.currentThread().getId() & (STRIPES - 1)];
        byte[] nonce;
        synchronized (batch) {
            if (batch.next == batch.bytes.length) {
                random.nextBytes(batch.bytes);
                batch.next = 0;
            }
            nonce = Arrays.copyOfRange(batch.bytes, batch.next, batch.next + BYTES);
            batch.next += BYTES;
        }
        return ENCODER.encodeToString(nonce);
    }
}
