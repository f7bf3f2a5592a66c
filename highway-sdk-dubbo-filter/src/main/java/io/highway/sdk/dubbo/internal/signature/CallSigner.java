// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.signature;

import io.highway.sdk.dubbo.internal.call.CanonicalMethod;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.function.LongSupplier;

/** Signs calls: {@code <version>;kid=<key id>;ts=<seconds>;n=<nonce>;sig=<signature>}. Thread-safe. */
public final class CallSigner {

    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

    private final String keyId;
    private final KeySecrets secrets;
    private final LongSupplier seconds;
    private final SecureRandom random = new SecureRandom();

    CallSigner(String keyId, KeySecrets secrets, LongSupplier seconds) {
        this.keyId = keyId;
        this.secrets = secrets;
        this.seconds = seconds;
    }

    /** The id of its key. */
    public String keyId() {
        return keyId;
    }

    /**
     * The value of {@code highway-sign} for one attempt of a call; each has a separate nonce.
     *
     * @param island the destination
     * @param from the value of {@code highway-from}
     * @param service {@code [group/]interface[:version]} of the reference
     */
    public String sign(String island, String from, String service, CanonicalMethod method) {
        String now = Long.toString(seconds.getAsLong());
        byte[] drawn = new byte[16];
        random.nextBytes(drawn);
        String nonce = ENCODER.encodeToString(drawn);
        byte[] signature = secrets.first().sign(CanonicalForm.of(keyId, now, nonce, island, from, service, method));
        return CanonicalForm.VERSION + ";kid=" + keyId + ";ts=" + now + ";n=" + nonce + ";sig="
                + new String(signature, StandardCharsets.US_ASCII);
    }
}
