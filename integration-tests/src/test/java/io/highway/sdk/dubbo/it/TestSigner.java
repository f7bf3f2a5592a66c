// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import io.highway.sdk.dubbo.internal.policy.PolicyParser;
import io.highway.sdk.dubbo.internal.policy.RawSettings;
import io.highway.sdk.dubbo.internal.signature.CallSigner;
import io.highway.sdk.dubbo.internal.signature.SignatureService;
import java.util.Map;

/** Signs calls to shanghai that a test writes itself. */
final class TestSigner {

    private TestSigner() {}

    static CallSigner of(String island, String keyId, String secret) {
        Map<String, String> keys =
                Map.of("highway.island", island, "highway.sign.key-id", keyId, "highway.sign.secret", secret);
        return SignatureService.of(
                        PolicyParser.parse(RawSettings.of(keys, "test"), "static", null)
                                .orElseThrow(),
                        null)
                .signerTo("shanghai");
    }
}
