// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.actuate;

import static io.highway.sdk.spring.actuate.TestRouting.dead;
import static io.highway.sdk.spring.actuate.TestRouting.ended;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.highway.sdk.dubbo.CallOutcome;
import io.highway.sdk.dubbo.Intent;
import io.highway.sdk.dubbo.Outcome;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.TrafficClass;
import io.highway.sdk.dubbo.internal.application.IslandActivity;
import io.highway.sdk.dubbo.internal.background.ApplicationClock;
import io.highway.sdk.dubbo.internal.operate.report.HighwayCommand;
import io.highway.sdk.dubbo.internal.operate.report.HighwayExplainCommand;
import io.highway.sdk.dubbo.internal.policy.HighwayKeys;
import io.highway.sdk.spring.actuate.TestRouting.Live;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.StreamSupport;
import org.apache.dubbo.qos.api.CommandContext;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;

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
        try (TestRouting application =
                new TestRouting("max-hops", "5", "gateways.dubbo", "gateway.zhejiang.test:20880")) {
            JsonNode report = json(application);

            assertThat(report.path("home").asText()).isEqualTo("zhejiang");
            assertThat(report.path("policy").path("version").asText()).isEqualTo("static");
            assertThat(report.path("maxHops").asInt()).isEqualTo(5);
            assertThat(report.path("signing").path("keyId").isNull()).isTrue();
            assertThat(report.path("signing").path("acceptedKeyIds")).isEmpty();
        }
    }

    @Test
    void tellsWhyARuleWasRefused(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("policy.yaml"), "version: v1\nheartbeat.slow: 2s");
        try (TestRouting application = TestRouting.following(file, "gateways.dubbo", "gateway.zhejiang.test:20880")) {
            JsonNode accepted = json(application).path("policy");
            Files.writeString(file, "version: v2\nheartbeat.slow: perhaps");
            await().until(() ->
                    json(application).path("policy").path("state").asText().equals("refused"));
            JsonNode refused = json(application).path("policy");

            assertThat(accepted.path("version").asText()).isEqualTo("v1");
            assertThat(accepted.path("state").asText()).isEqualTo("accepted");
            assertThat(accepted.path("hash").asText()).hasSize(64);
            assertThat(accepted.path("source").asText()).isEqualTo("file:" + file);
            assertThat(accepted.path("since").asText()).matches("20.*T.*Z");
            assertThat(accepted.path("refusal").isNull()).isTrue();
            assertThat(refused.path("version").asText()).isEqualTo("v1");
            assertThat(refused.path("hash")).isEqualTo(accepted.path("hash"));
            assertThat(refused.path("refusal").path("version").asText()).isEqualTo("v2");
            assertThat(refused.path("refusal").path("key").asText()).isEqualTo("highway.heartbeat.slow");
            assertThat(refused.path("refusal").path("origin").asText()).isEqualTo("highway.policy, line 2");
            assertThat(refused.path("refusal").path("reason").asText()).contains("perhaps", "a duration");
            assertThat(refused.path("refusal").path("refusedAt").asText()).matches("20.*T.*Z");
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
                    .activity()
                    .remember(ended("shanghai", "gateway.zhejiang.test:20880", Outcome.DELIVERED, null, false));
            application
                    .runtime
                    .activity()
                    .remember(ended(
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
    void tellsTheCallsOfTheLastMinute() throws Exception {
        AtomicLong seconds = new AtomicLong(1000);
        try (TestRouting application =
                new TestRouting("gateways.dubbo", "gateway.zhejiang.test:20880", "islands.shanghai.tunnel", "dubbo")) {
            ApplicationClock.of(application.model()).follow(() -> TimeUnit.SECONDS.toNanos(seconds.get()));
            IslandActivity outcomes = application.runtime.activity();
            CallOutcome delivered = ended("shanghai", null, Outcome.DELIVERED, null, false);

            assertLastMinute(application, 0, 0);
            outcomes.remember(delivered);
            outcomes.remember(ended("shanghai", null, Outcome.NOT_SENT, Reason.GATEWAY_DOWN, true));
            seconds.addAndGet(59);
            outcomes.remember(delivered);
            assertLastMinute(application, 3, 1);
            seconds.addAndGet(1);
            assertLastMinute(application, 1, 0);
            seconds.addAndGet(1000);
            assertLastMinute(application, 0, 0);
            outcomes.remember(new CallOutcome(
                    "com.foo.Sms",
                    "send",
                    Intent.NONE,
                    "hangzhou",
                    null,
                    Outcome.DELIVERED,
                    null,
                    false,
                    Duration.ofMillis(7),
                    null,
                    TrafficClass.INTERACTIVE,
                    "shanghai",
                    Reason.NOT_FORWARDED)); // its fallback
            assertLastMinute(application, 1, 1);
        }
    }

    private void assertLastMinute(TestRouting application, int calls, int failures) throws Exception {
        JsonNode island = json(application).path("islands").path("shanghai");
        assertThat(island.path("callsLastMinute").intValue()).isEqualTo(calls);
        assertThat(island.path("failuresLastMinute").intValue()).isEqualTo(failures);
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

    @Test
    void explainsACall() {
        try (TestRouting application =
                new TestRouting("gateways.dubbo", "gateway.zhejiang.test:20880", "islands.shanghai.tunnel", "dubbo")) {
            application.refer("com.foo.Sms");
            HighwayExplainEndpoint endpoint = new HighwayExplainEndpoint(application.model());

            assertThat(endpoint.explain("com.foo.Sms", "send", "shanghai", null, null))
                    .asInstanceOf(InstanceOfAssertFactories.LIST)
                    .singleElement(InstanceOfAssertFactories.MAP)
                    .containsEntry("decision", "tunnel")
                    .containsEntry("island", "shanghai");
            assertThat(endpoint.explain("com.foo.Sms", "send", null, "home", null))
                    .asInstanceOf(InstanceOfAssertFactories.LIST)
                    .singleElement(InstanceOfAssertFactories.MAP)
                    .containsEntry("decision", "home");
            assertThatThrownBy(() -> endpoint.explain("no service", "send", null, null, null))
                    .isInstanceOf(InvalidEndpointRequestException.class)
                    .hasMessageContaining("[group/]interface[:version]");
        }
    }

    /** Each report reads the clock, so this time differs by a millisecond now and then. */
    private static String withoutSince(String report) {
        return report.replaceFirst("\"since\":\"[^\"]*\"", "");
    }

    /** Spring Boot leaves out what has no value. */
    @Test
    void hasTheJsonOfTheQosCommands() throws Exception {
        ObjectMapper mapper = new ObjectMapper().setDefaultPropertyInclusion(JsonInclude.Include.NON_NULL);
        try (Live home = new Live("gateway.zhejiang.test");
                TestRouting application = new TestRouting(
                        "gateways.dubbo", home.address(), "islands.shanghai.deny", "query*", "max-hops", "7")) {
            application.connected(home).refer("com.foo.Sms");
            HighwayEndpoint endpoint = new HighwayEndpoint(application.runtime);
            HighwayExplainEndpoint explain = new HighwayExplainEndpoint(application.model());
            FrameworkModel framework = application.model().getFrameworkModel();
            CommandContext context = new CommandContext("highway");

            String report = new HighwayCommand(framework).execute(context, new String[] {"--json"});
            String explained = new HighwayExplainCommand(framework)
                    .execute(context, new String[] {"com.foo.Sms#send", "shanghai", "--json"});

            assertThat(withoutSince(report)).isEqualTo(withoutSince(mapper.writeValueAsString(endpoint.highway())));
            assertThat(explained)
                    .isEqualTo(
                            mapper.writeValueAsString(explain.explain("com.foo.Sms", "send", "shanghai", null, null)));
        }
    }
}
