// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.highway.sdk.dubbo.HighwayConfigurationException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Any keys and values: a policy, or an error that names a key and contains no secret. */
class PolicyParserFuzzTest {

    private static final String SECRET = "s3cr3t-of-the-fuzz-test";

    /** Each line is one {@code key=value} below {@code highway.}; {@code %} is replaced by a secret. */
    @FuzzTest
    void readsAPolicy_orNamesTheKey(byte[] input) {
        Map<String, String> keys = new LinkedHashMap<>();
        new String(input, StandardCharsets.UTF_8).lines().forEach(line -> {
            int equals = Math.max(line.indexOf('='), 0);
            keys.put(
                    HighwayKeys.PREFIX + line.substring(0, equals),
                    line.substring(equals).replaceFirst("^=", ""));
        });
        keys.replaceAll((key, value) -> key.contains("sign.") ? value.replace("%", SECRET) : value);
        try {
            Optional<Policy> policy = PolicyParser.parse(RawSettings.of(keys, "test"), "test", null);

            policy.ifPresent(read -> assertThat(read.summary() + read).doesNotContain(SECRET));
        } catch (HighwayConfigurationException e) {
            assertThat(e.key()).startsWith(HighwayKeys.PREFIX);
            assertThat(e.getMessage()).contains(e.key()).doesNotContain(SECRET);
        }
    }
}
