// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.signature;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.highway.sdk.Caller;
import io.highway.sdk.dubbo.internal.call.CanonicalMethod;
import io.highway.sdk.dubbo.internal.policy.CallerPattern;
import io.highway.sdk.dubbo.internal.policy.PolicyParser;
import io.highway.sdk.dubbo.internal.policy.RawSettings;
import io.highway.sdk.dubbo.internal.policy.SecretSource;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Any text as {@code highway-sign}, without the secret: the call is refused with a reason, and no text has the secret. */
class CallVerifierFuzzTest {

    private static final String SECRET = "s3cr3t-of-the-fuzz-test";
    private static final long NOW = 1_700_000_000;

    private static final Map<String, CallVerifier.AcceptedKey> KEYS = Map.of(
            "zhejiang-1",
            new CallVerifier.AcceptedKey(new KeySecrets(secret()), List.of(new CallerPattern("zhejiang", "*"))));

    /** Not an accepted key's: the fuzzer's agent breaks records with a compact constructor (NoSuchFieldError, JDK 17). */
    private static SecretSource secret() {
        Map<String, String> settings = Map.of(
                "highway.island", "zhejiang",
                "highway.sign.key-id", "zhejiang-1",
                "highway.sign.secret", SECRET);
        return PolicyParser.parse(RawSettings.of(settings, "test"), "test", null)
                .orElseThrow()
                .signing()
                .own()
                .secret();
    }

    /** The first line is {@code highway-sign}, the second one {@code highway-from}, the third one the method. */
    @FuzzTest
    void refusesWhatTheKeyHasNotSigned(byte[] input) {
        String[] lines = new String(input, StandardCharsets.ISO_8859_1).split("\n", 3);
        String from = lines.length < 2 ? null : lines[1];
        String method = lines.length < 3 ? "send" : lines[2];
        CallVerifier verifier = new CallVerifier("shanghai", KEYS, 10, null, () -> NOW, () -> 0);

        Verification verdict = verifier.verify(
                "shanghai",
                from,
                lines[0],
                Caller.of("zhejiang", "shop"),
                "com.foo.Sms",
                new CanonicalMethod(method, List.of()));

        assertThat(verdict.reason())
                .isIn("unreadable-signature", "unknown-key", "expired-signature", "wrong-signature");
        assertThat(verdict.caller()).isNull();
        assertThat(verdict.detail()).doesNotContain(SECRET);
    }
}
