// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.policy;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keys for signed route headers.
 *
 * @param keyId the key this process signs with, or null when it does not sign
 * @param secret its secret
 * @param accept secrets by key id that this process accepts; empty accepts unsigned calls
 */
public record SigningPolicy(@Nullable String keyId, @Nullable String secret, Map<String, String> accept) {

    static final SigningPolicy OFF = new SigningPolicy(null, null, Map.of());

    public SigningPolicy {
        accept = Map.copyOf(accept);
    }

    /** Secrets are never included. */
    @Override
    public String toString() {
        return "SigningPolicy[keyId=" + keyId + ", accept=" + accept.keySet() + "]";
    }
}
