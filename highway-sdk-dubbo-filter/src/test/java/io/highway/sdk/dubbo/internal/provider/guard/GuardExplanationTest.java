// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.dubbo.internal.policy.Policy;
import io.highway.sdk.dubbo.internal.policy.PolicyParser;
import io.highway.sdk.dubbo.internal.policy.RawSettings;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GuardExplanationTest {

    private static Policy policy(String... keys) {
        Map<String, String> all = new HashMap<>(Map.of(
                "highway.island", "shanghai",
                "highway.gateways.dubbo", "gateway.shanghai.test:20880",
                "highway.guard.rules.orders.action", "allow",
                "highway.guard.rules.orders.from", "zhejiang/orders"));
        for (int i = 0; i < keys.length; i += 2) {
            all.put("highway." + keys[i], keys[i + 1]);
        }
        return PolicyParser.parse(RawSettings.of(all, "test"), "static", null).orElseThrow();
    }

    private static String decision(Policy policy, String from) {
        return GuardExplanation.of(policy, "com.foo.Sms", "send", from).decision();
    }

    @Test
    void isAboutAVerifiedCaller_whereSignaturesAreDemanded() {
        assertThat(decision(signed("zhejiang/orders"), "zhejiang/orders")).isEqualTo("serve");
        assertThat(decision(signed("zhejiang/orders,zhejiang/*"), "zhejiang/reports"))
                .isEqualTo("refuse");
    }

    private static Policy signed(String from) {
        String[] key = {"sign.accept.zj", "0123456789abcdef0123456789abcdef", "sign.accept-from.zj", from};
        return policy(from.isEmpty() ? Arrays.copyOf(key, 2) : key);
    }

    @ParameterizedTest
    @CsvSource({"'', not-allowed", "*/*, not-allowed", "zhejiang/*, not-allowed", "beijing/*, wrong-key"})
    void refusesWhatNoKeyProves(String from, String reason) {
        GuardExplanation found = GuardExplanation.of(signed(from), "com.foo.Sms", "send", "zhejiang/orders");

        assertThat(found.decision()).isEqualTo("refuse");
        assertThat(found.reason()).isEqualTo(reason);
    }

    /** Before any rule. */
    @Test
    void refusesACallerWithoutAnOwner_whereThatIsConfigured() {
        Policy owned = policy("guard.unknown-callers", "refuse", "guard.callers.zhejiang/reports.owner", "data team");

        GuardExplanation unknown = GuardExplanation.of(owned, "com.foo.Sms", "send", "zhejiang/orders");
        GuardExplanation known = GuardExplanation.of(owned, "com.foo.Sms", "send", "zhejiang/reports");

        assertThat(unknown.reason()).isEqualTo("unknown-caller");
        assertThat(unknown.owner()).isNull();
        assertThat(known.reason()).isEqualTo("not-allowed");
        assertThat(known.owner()).isEqualTo("data team");
    }

    @Test
    void refusesNothing_inShadowMode() {
        assertThat(decision(policy("guard.mode", "shadow"), "zhejiang/reports")).isEqualTo("shadow");
    }
}
