// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.signature;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicReferenceArray;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** HMAC-SHA256 with one secret. Keeps a few keyed {@link Mac}s, which are not thread-safe, for reuse. Thread-safe. */
final class KeyedMac {

    /** The length of {@link #sign}'s answer. */
    static final int LENGTH = 43;

    private static final String ALGORITHM = "HmacSHA256";
    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

    /** A power of two. */
    private static final int IDLE = 16;

    private final byte[] secret;
    private final AtomicReferenceArray<@Nullable Mac> idle = new AtomicReferenceArray<>(IDLE);

    KeyedMac(String secret) {
        this.secret = secret.getBytes(StandardCharsets.UTF_8);
    }

    /** The MAC, base64url without padding, as ASCII bytes. */
    byte[] sign(byte[] data) {
        int slot = (int) Thread.currentThread().getId() & (IDLE - 1);
        Mac mac = idle.getAndSet(slot, null);
        if (mac == null) {
            mac = create();
        }
        byte[] signed = mac.doFinal(data);
        idle.set(slot, mac);
        return ENCODER.encode(signed);
    }

    private Mac create() {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret, ALGORITHM));
            return mac;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(ALGORITHM + " is missing from this Java runtime", e);
        }
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return ALGORITHM;
    }
}
