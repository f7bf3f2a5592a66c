// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.dubbo.GatewayAddress;
import io.highway.sdk.dubbo.TrafficClass;
import io.highway.sdk.dubbo.TunnelKind;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PolicyTest {

    private static Policy policy(String... keysAndValues) {
        Map<String, String> entries = new LinkedHashMap<>();
        entries.put("highway.island", "zhejiang");
        entries.put("highway.gateways.dubbo", "gateway:20880");
        for (int i = 0; i < keysAndValues.length; i += 2) {
            entries.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        return PolicyParser.parse(RawSettings.of(entries, "test"), "7", null).orElseThrow();
    }

    private final Policy china = policy(
            "highway.islands.shanghai.keys", "310000,31*,42*",
            "highway.islands.pudong.keys", "310115, 3101*",
            "highway.islands.cloud.keys", "*-cloud, 9*9, 420*0",
            "highway.islands.beijing.tunnel", "auto");

    @ParameterizedTest
    @CsvSource({
        "310000, shanghai", // exact
        "310115, pudong", // exact, though two patterns fit
        "310104, pudong", // the longest pattern
        "310200, shanghai",
        "31, shanghai",
        "420, shanghai", // too short for 420*0
        "4200, cloud",
        "tencent-cloud, cloud",
        "919, cloud",
        "shanghai, shanghai", // the id itself
        "beijing, beijing",
        "110000, 110000", // no island's: left to the decision
        "'', ''"
    })
    void knowsTheIslandOfAKey(String key, String island) {
        assertThat(china.islandOfKey(key)).isEqualTo(island);
    }

    @Test
    void letsAStarMatchRemainingKeys() {
        Policy policy = policy("highway.islands.shanghai.keys", "31*", "highway.islands.cloud.keys", "*");

        assertThat(policy.islandOfKey("310000")).isEqualTo("shanghai");
        assertThat(policy.islandOfKey("110000")).isEqualTo("cloud");
    }

    @Test
    void takesAnIslandsIdForThatIsland_beforeAnyPattern() {
        Policy policy = policy("highway.islands.shanghai.keys", "310000", "highway.islands.cloud.keys", "*");

        assertThat(policy.islandOfKey("shanghai")).isEqualTo("shanghai");
        assertThat(policy.islandOfKey("zhejiang")).as("home").isEqualTo("zhejiang");
    }

    interface Sms {

        String get(String id);

        String send(String text);
    }

    @Test
    void namesThePatternsThatMatchNoMethodOfAService() {
        String sms = Sms.class.getName();
        Policy policy = policy(
                "highway.islands.shanghai.deny", sms + "#gett," + sms + "#get," + sms + "#s*," + sms + "#*",
                "highway.islands.beijing.deny", "nothing*,com.foo.Other#any",
                "highway.defaults.idempotent", sms + "#query*");

        assertThat(new PolicyWarnings(policy).ofPatterns(sms, Sms.class))
                .containsExactlyInAnyOrder(
                        "highway.islands.shanghai.deny: \"" + sms + "#gett\" matches no method of " + sms
                                + ", so it does nothing; its methods are get, send; did you mean \"get\"?",
                        "highway.defaults.idempotent: \"" + sms + "#query*\" matches no method of " + sms
                                + ", so it does nothing; its methods are get, send");
        assertThat(new PolicyWarnings(policy).ofPatterns("com.foo.Other", Runnable.class))
                .hasSize(1);
        assertThat(new PolicyWarnings(policy).ofPatterns("com.foo.Another", Runnable.class))
                .isEmpty();
    }

    @Test
    void namesRetriesThatHaveNoEffect_becauseNoMethodIsIdempotent() {
        Policy policy = policy(
                "highway.defaults.retries", "1",
                "highway.islands.beijing.tunnel", "auto",
                "highway.islands.cloud.retries", "0",
                "highway.islands.shanghai.retries", "2",
                "highway.islands.tianjin.idempotent", "query*",
                "highway.islands.xian.tunnel", "auto");

        assertThat(new PolicyWarnings(policy).ofKeys())
                .containsExactly(
                        "highway.defaults.retries has no effect on calls to beijing, xian, because no method there is"
                                + " idempotent; write highway.islands.<id>.idempotent with the methods that may run twice,"
                                + " such as query*, or remove highway.defaults.retries (a call that was not sent fails over"
                                + " without it)",
                        "highway.islands.shanghai.retries has no effect on calls to shanghai, because no method there is"
                                + " idempotent; write highway.islands.<id>.idempotent with the methods that may run twice,"
                                + " such as query*, or remove highway.islands.shanghai.retries (a call that was not sent"
                                + " fails over without it)");
        assertThat(new PolicyWarnings(china).ofKeys()).isEmpty();
    }

    @Test
    void namesATimeoutOfMilliseconds_thatIsProbablyMeantAsSeconds() {
        assertThat(new PolicyWarnings(policy("highway.defaults.timeout", "3", "highway.islands.shanghai.timeout", "3s"))
                        .ofKeys())
                .isEmpty();
        assertThat(new PolicyWarnings(policy("highway.islands.shanghai.timeout", "3")).ofKeys())
                .containsExactly(
                        "highway.islands.shanghai.timeout is 3, which is milliseconds and less than calls between"
                                + " islands take; write 3s for three seconds");
    }

    @Test
    void namesLimitsOfBulkCallsThatHaveNoEffect_becauseNoCallIsBulk() {
        Policy policy = policy(
                "highway.defaults.bulk.max-wait", "1s",
                "highway.islands.beijing.bulk.over", "16KB",
                "highway.islands.shanghai.bulk.max-concurrent", "2",
                "highway.islands.tianjin.bulk.methods", "upload*");

        assertThat(new PolicyWarnings(policy).ofKeys())
                .containsExactly(
                        "highway.islands.shanghai.bulk.max-concurrent has no effect on calls to shanghai, because no call"
                                + " there is bulk; write highway.islands.<id>.bulk.methods or .bulk.over, or remove"
                                + " highway.islands.shanghai.bulk.max-concurrent",
                        "highway.defaults.bulk.max-wait has no effect on calls to shanghai, because no call there is bulk;"
                                + " write highway.islands.<id>.bulk.methods or .bulk.over, or remove"
                                + " highway.defaults.bulk.max-wait");
    }

    @Test
    void hasGatewaysForBulkCalls_whereThereAreAny() {
        Policy policy = policy(
                "highway.gateways.dubbo", "gateway:20880",
                "highway.islands.beijing.tunnel", "dubbo",
                "highway.islands.shanghai.bulk.over", "16KB");

        assertThat(policy.gateways()).extracting(GatewaySpec::toString).contains("dubbo gateway:20880 (bulk)");
        assertThat(policy.gateways()).allMatch(policy::isGatewayOfHome);
        assertThat(policy.forIsland("beijing").trafficClasses()).containsExactly(TrafficClass.INTERACTIVE);
        assertThat(china.gateways()).noneMatch(gateway -> gateway.trafficClass() == TrafficClass.BULK);
    }

    @Test
    void knowsNoOtherIslands() {
        assertThat(china.knownIslands()).containsExactlyInAnyOrder("beijing", "cloud", "pudong", "shanghai");
        assertThat(china.forIsland("atlantis")).isNull();
    }

    @Test
    void collectsEveryGatewayOnce() {
        Policy policy = policy(
                "highway.gateways.triple", "gateway:50051",
                "highway.islands.shanghai.gateways.dubbo", "gateway:20880,gateway:20881",
                "highway.islands.beijing.tunnel", "triple",
                "highway.islands.beijing.gateways.dubbo", "unused:20880");

        assertThat(policy.gateways())
                .containsExactlyInAnyOrder(
                        new GatewaySpec(
                                GatewayAddress.of(TunnelKind.DUBBO, "gateway", 20880, false),
                                null,
                                null,
                                3000,
                                TrafficClass.INTERACTIVE),
                        new GatewaySpec(
                                GatewayAddress.of(TunnelKind.DUBBO, "gateway", 20881, false),
                                null,
                                null,
                                3000,
                                TrafficClass.INTERACTIVE),
                        new GatewaySpec(
                                GatewayAddress.of(TunnelKind.TRIPLE, "gateway", 50051, false),
                                null,
                                null,
                                3000,
                                TrafficClass.INTERACTIVE));
    }

    @Test
    void sumsUpInOneLine() {
        Policy policy = policy(
                "highway.islands.shanghai.tunnel", "auto",
                "highway.islands.beijing.tunnel", "auto");

        assertThat(policy.summary())
                .isEqualTo("home zhejiang, gateways [dubbo gateway:20880], islands [beijing, shanghai], policy 7");
        assertThat(policy.version()).isEqualTo("7");
    }
}
