// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.actuate;

import static io.highway.sdk.spring.actuate.TestRouting.dead;
import static io.highway.sdk.spring.actuate.TestRouting.ended;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.highway.sdk.dubbo.Outcome;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.policy.HighwayKeys;
import io.highway.sdk.spring.actuate.TestRouting.Live;
import java.time.Instant;
import java.util.List;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("network")
class HighwayEndpointTest {

    private JsonNode json(TestRouting application) throws JsonProcessingException {
        ObjectMapper mapper = new ObjectMapper();
        return mapper.readTree(mapper.writeValueAsString(new HighwayEndpoint(application.runtime).highway()));
    }

    private static JsonNode gateway(JsonNode report, String address) {
        return StreamSupport.stream(report.path("gateways").spliterator(), false)
                .filter(gateway -> gateway.path("address").asText().equals(address))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> texts(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false)
                .map(JsonNode::asText)
                .toList();
    }

    @Test
    void tellsHomeAndTheRules() throws Exception {
        try (TestRouting application = new TestRouting(
                "unknown-islands", "gateway", "max-hops", "5", "gateways.dubbo", "gateway.zhejiang.test:20880")) {
            JsonNode report = json(application);

            assertThat(report.path("home").asText()).isEqualTo("zhejiang");
            assertThat(report.path("policy").path("version").asText()).isEqualTo("static");
            assertThat(report.path("unknownIslands").asText()).isEqualTo("gateway");
            assertThat(report.path("maxHops").asInt()).isEqualTo(5);
            assertThat(report.path("signing").path("keyId").isNull()).isTrue();
            assertThat(report.path("signing").path("acceptedKeyIds")).isEmpty();
        }
    }

    @Test
    void tellsHowEachGatewayIs() throws Exception {
        String shanghais = dead("gateway.shanghai.test");
        try (Live home = new Live("gateway.zhejiang.test");
                TestRouting application = new TestRouting(
                        "gateways.dubbo",
                        home.address(),
                        "islands.beijing.tunnel",
                        "dubbo",
                        "islands.shanghai.tunnel",
                        "dubbo",
                        "islands.shanghai.gateways.dubbo",
                        shanghais)) {
            JsonNode before = json(application);
            application.connected(home);
            JsonNode after = json(application);

            assertThat(gateway(before, home.address()).path("state").asText()).isEqualTo("unused");
            assertThat(gateway(after, home.address()).path("state").asText()).isEqualTo("up");
            assertThat(gateway(after, home.address()).path("tunnel").asText()).isEqualTo("dubbo");
            assertThat(gateway(after, home.address()).path("home").asBoolean()).isTrue();
            assertThat(gateway(after, home.address()).path("problem").isNull()).isTrue();
            assertThat(gateway(after, shanghais).path("state").asText()).isEqualTo("down");
            assertThat(gateway(after, shanghais).path("home").asBoolean()).isFalse();
            assertThat(gateway(after, shanghais).path("problem").asText()).isNotEmpty();
            assertThat(after.path("islands").path("beijing").path("tunnel").asText())
                    .isEqualTo("dubbo");
            assertThat(after.path("islands").path("shanghai").path("tunnel").asText())
                    .isEqualTo("none");
        }
    }

    @Test
    void tellsEverySettingOfAnIsland_andWhereItComesFrom() throws Exception {
        try (TestRouting application = new TestRouting(
                "gateways.dubbo", "gateway.zhejiang.test:20880",
                "defaults.timeout", "3s",
                "defaults.retries", "1",
                "islands.shanghai.tunnel", "dubbo",
                "islands.shanghai.retries", "2")) {
            JsonNode settings =
                    json(application).path("islands").path("shanghai").path("settings");

            assertThat(settings.fieldNames())
                    .toIterable()
                    .containsExactlyInAnyOrderElementsOf(HighwayKeys.ofIsland().keySet());
            assertSetting(settings, "tunnel", "dubbo", "highway.islands.shanghai.tunnel", "application");
            assertSetting(settings, "retries", "2", "highway.islands.shanghai.retries", "application");
            assertSetting(settings, "timeout", "3s", "highway.defaults.timeout", "application");
            assertSetting(
                    settings, "gateways.dubbo", "gateway.zhejiang.test:20880", "highway.gateways.dubbo", "application");
            assertSetting(settings, "max-request-size", "4MB", null, "default");
            assertSetting(settings, "fallback", "none", null, "default");
        }
    }

    private static void assertSetting(
            JsonNode settings, String name, String value, @Nullable String key, String origin) {
        assertThat(settings.path(name).path("value").asText()).as(name).isEqualTo(value);
        assertThat(settings.path(name).path("key").textValue()).as(name).isEqualTo(key);
        assertThat(settings.path(name).path("origin").asText()).as(name).isEqualTo(origin);
    }

    @Test
    void tellsHowTheLastCallToAnIslandEnded() throws Exception {
        try (TestRouting application = new TestRouting(
                "gateways.dubbo", "gateway.zhejiang.test:20880",
                "islands.shanghai.fallback", "home",
                "islands.beijing.tunnel", "dubbo")) {
            application
                    .runtime
                    .lastOutcomes()
                    .onOutcome(ended("shanghai", "gateway.zhejiang.test:20880", Outcome.DELIVERED, null, false));
            application
                    .runtime
                    .lastOutcomes()
                    .onOutcome(ended(
                            "shanghai", "gateway.zhejiang.test:20880", Outcome.NOT_SENT, Reason.NOT_FORWARDED, true));
            JsonNode islands = json(application).path("islands");

            JsonNode last = islands.path("shanghai").path("lastOutcome");
            assertThat(last.path("outcome").asText()).isEqualTo("not-sent");
            assertThat(last.path("reason").asText()).isEqualTo("not-forwarded");
            assertThat(last.path("call").asText()).isEqualTo("com.foo.Sms#send");
            assertThat(last.path("tunnel").asText()).isEqualTo("dubbo");
            assertThat(last.path("gateway").asText()).isEqualTo("gateway.zhejiang.test:20880");
            assertThat(last.path("servedAtHome").asBoolean()).isTrue();
            assertThat(last.path("durationMillis").asInt()).isEqualTo(7);
            assertThat(Instant.parse(last.path("endedAt").asText())).isBeforeOrEqualTo(Instant.now());
            assertThat(islands.path("beijing").path("lastOutcome").isNull()).isTrue();
        }
    }

    @Test
    void neverTellsASecret() throws Exception {
        try (TestRouting application = new TestRouting(
                "gateways.dubbo", "gateway.zhejiang.test:20880",
                "islands.shanghai.tunnel", "dubbo",
                "sign.key-id", "zhejiang-2026",
                "sign.secret", "salt-and-more",
                "islands.shanghai.sign.key-id", "zhejiang-shanghai-2026",
                "islands.shanghai.sign.secret", "basil-and-more",
                "sign.accept.shanghai-2026", "pepper-and-more",
                "sign.accept.beijing-2026", "thyme-and-more")) {
            JsonNode report = json(application);

            assertThat(report.path("signing").path("keyId").asText()).isEqualTo("zhejiang-2026");
            assertThat(texts(report.path("signing").path("acceptedKeyIds")))
                    .containsExactly("beijing-2026", "shanghai-2026");
            assertThat(report.toString()).doesNotContain("-and-more");
        }
    }

    @Test
    void isEmptyWhereTheHighwayIsOff() {
        try (TestRouting application = new TestRouting("enabled", "false")) {
            assertThat(new HighwayEndpoint(application.runtime).highway()).isNull();
        }
    }
}
