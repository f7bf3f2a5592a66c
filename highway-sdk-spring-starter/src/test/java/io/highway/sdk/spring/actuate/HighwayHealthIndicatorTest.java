// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.actuate;

import static io.highway.sdk.spring.actuate.TestRouting.dead;
import static io.highway.sdk.spring.actuate.TestRouting.ended;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.dubbo.Outcome;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.internal.caller.endpoint.GatewayEndpoint;
import io.highway.sdk.spring.actuate.HighwayHealthProperties.UnreachableIsland;
import io.highway.sdk.spring.actuate.TestRouting.Live;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.Status;

@Tag("network")
class HighwayHealthIndicatorTest {

    private UnreachableIsland unreachable = UnreachableIsland.UP;

    private Health health(TestRouting application) {
        return new HighwayHealthIndicator(application.runtime, new HighwayHealthProperties(unreachable)).health();
    }

    private static Map<?, ?> island(Health health, String id) {
        Map<?, ?> islands = (Map<?, ?>) health.getDetails().get("islands");
        return (Map<?, ?>) islands.get(id);
    }

    private static List<?> gateways(Health health) {
        return (List<?>) health.getDetails().get("gateways");
    }

    @Test
    void isUp_whileHomesGatewayIsConnected_andAnIslandIsUnknownUntilItHasAnswered() {
        try (Live home = new Live("gateway.zhejiang.test");
                TestRouting application =
                        new TestRouting("gateways.dubbo", home.address(), "islands.shanghai.tunnel", "dubbo")) {
            Health health = health(application.connected(home));

            assertThat(health.getStatus()).isEqualTo(Status.UP);
            assertThat(health.getDetails()).containsEntry("home", "zhejiang");
            assertThat(gateways(health))
                    .extracting("tunnel", "address", "state")
                    .containsExactly(tuple("dubbo", home.address(), "up"));
            assertThat(island(health, "shanghai")).isEqualTo(Map.of("status", "UNKNOWN", "tunnel", "dubbo"));

            endpoint(application).delivered(0, 0);

            assertThat(island(health(application), "shanghai")).isEqualTo(Map.of("status", "UP", "tunnel", "dubbo"));
        }
    }

    private static GatewayEndpoint endpoint(TestRouting application) {
        return application.runtime.destinations().of("shanghai").endpoints().get(0);
    }

    @Test
    void isDown_whileHomesGatewayCannotBeReached() {
        String homes = dead("gateway.zhejiang.test");
        try (TestRouting application = new TestRouting("gateways.dubbo", homes, "islands.shanghai.tunnel", "dubbo")) {
            Health health = health(application.connected());

            assertThat(health.getStatus()).isEqualTo(Status.DOWN);
            assertThat(gateways(health))
                    .singleElement(InstanceOfAssertFactories.MAP)
                    .containsEntry("address", homes)
                    .containsEntry("state", "down")
                    .extractingByKey("problem", InstanceOfAssertFactories.STRING)
                    .isNotEmpty();
            assertThat(island(health, "shanghai"))
                    .asInstanceOf(InstanceOfAssertFactories.MAP)
                    .containsEntry("status", "DEGRADED")
                    .containsEntry("tunnel", "none")
                    .containsEntry("cause", "no-endpoint")
                    .extractingByKey("endpoints", InstanceOfAssertFactories.LIST)
                    .singleElement(InstanceOfAssertFactories.MAP)
                    .containsEntry("state", "down")
                    .extractingByKey("problem", InstanceOfAssertFactories.STRING)
                    .isNotEmpty();
        }
    }

    @Test
    void isUp_whileOneOfHomesGatewaysIsConnected() {
        try (Live home = new Live("gateway.zhejiang.test");
                TestRouting application = new TestRouting(
                        "gateways.dubbo",
                        home.address() + "," + dead("gateway.zhejiang.test"),
                        "gateways.triple",
                        dead("gateway.zhejiang.test"),
                        "islands.shanghai.tunnel",
                        "auto")) {
            Health health = health(application.connected(home));

            assertThat(health.getStatus()).isEqualTo(Status.UP);
            assertThat(island(health, "shanghai")).isEqualTo(Map.of("status", "UNKNOWN", "tunnel", "dubbo"));
        }
    }

    @Test
    void isUp_whileNoReferenceHasNeededAGateway() {
        try (TestRouting application =
                new TestRouting("gateways.dubbo", dead("gateway.zhejiang.test"), "islands.shanghai.tunnel", "dubbo")) {
            Health health = health(application);

            assertThat(health.getStatus()).isEqualTo(Status.UP);
            assertThat(gateways(health)).extracting("state").containsExactly("unused");
            assertThat(island(health, "shanghai")).isEqualTo(Map.of("status", "UNKNOWN", "tunnel", "none"));
        }
    }

    @Test
    void showsThatThePolicyIsNoLongerFollowed_andStaysUp(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("policy.yaml"), "version: v1\nheartbeat.slow: 2s");
        try (TestRouting application = TestRouting.following(file, "gateways.dubbo", dead("gateway.zhejiang.test"))) {
            assertThat(health(application).getDetails())
                    .containsEntry("policy", Map.of("status", "UP", "version", "v1"));

            Files.delete(file);

            await().untilAsserted(
                            () -> assertThat(health(application).getDetails().get("policy"))
                                    .asInstanceOf(InstanceOfAssertFactories.MAP)
                                    .containsEntry("status", "DEGRADED")
                                    .containsEntry("version", "v1")
                                    .extractingByKey("problem", InstanceOfAssertFactories.STRING)
                                    .contains("there is no rule"));
            assertThat(health(application).getStatus()).isEqualTo(Status.UP);
        }
    }

    @Test
    void aProviderWithoutAnyGatewayIsUp() {
        try (TestRouting application = new TestRouting()) {
            assertThat(health(application).getStatus()).isEqualTo(Status.UP);
        }
    }

    /** It has no endpoints: those of the island that answers count. */
    @Test
    void anIslandThatAnotherAnswersFor_isNoOutage() {
        try (Live home = new Live("gateway.zhejiang.test");
                TestRouting application = new TestRouting(
                        "gateways.dubbo",
                        home.address(),
                        "islands.beijing.tunnel",
                        "dubbo",
                        "islands.shanghai.served-by",
                        "beijing")) {
            Health health = health(application.connected(home));

            assertThat(health.getStatus()).isEqualTo(Status.UP);
            assertThat(island(health, "shanghai")).isEqualTo(Map.of("status", "UNKNOWN", "tunnel", "none"));
        }
    }

    @Test
    void oneFarIslandThatCannotBeReached_isADetail() {
        try (Live home = new Live("gateway.zhejiang.test");
                TestRouting application = withDeadShanghai(home)) {
            Health health = health(application.connected(home));

            assertThat(health.getStatus()).isEqualTo(Status.UP);
            assertThat(island(health, "beijing")).isEqualTo(Map.of("status", "UNKNOWN", "tunnel", "dubbo"));
            assertThat(island(health, "shanghai"))
                    .asInstanceOf(InstanceOfAssertFactories.MAP)
                    .containsEntry("status", "DEGRADED")
                    .containsEntry("tunnel", "none")
                    .containsEntry("cause", "no-endpoint")
                    .extractingByKey("endpoints", InstanceOfAssertFactories.LIST)
                    .singleElement(InstanceOfAssertFactories.MAP)
                    .containsEntry("state", "down")
                    .extractingByKey("problem", InstanceOfAssertFactories.STRING)
                    .isNotEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void oneFarIslandThatCannotBeReached_countsAsConfigured(UnreachableIsland asConfigured) {
        try (Live home = new Live("gateway.zhejiang.test");
                TestRouting application = withDeadShanghai(home)) {
            unreachable = asConfigured;
            Health health = health(application.connected(home));

            assertThat(health.getStatus().getCode()).isEqualTo(asConfigured.name());
            assertThat(island(health, "shanghai").get("status")).isEqualTo("DEGRADED");
        }
    }

    private static TestRouting withDeadShanghai(Live home) {
        return new TestRouting(
                "gateways.dubbo",
                home.address(),
                "islands.beijing.tunnel",
                "dubbo",
                "islands.shanghai.tunnel",
                "dubbo",
                "islands.shanghai.gateways.dubbo",
                dead("gateway.shanghai.test"));
    }

    /** One of an island's applications is dead. */
    @Test
    void servicesThatCannotBeReached_makeTheirIslandDegraded_andAreNamed() {
        try (Live home = new Live("gateway.zhejiang.test");
                Live stock = new Live("gateway.zhejiang.test");
                TestRouting application = new TestRouting(
                        "gateways.dubbo",
                        home.address(),
                        "islands.shanghai.tunnel",
                        "dubbo",
                        "islands.shanghai.services.com.foo.stock.*.gateways.dubbo",
                        stock.address(),
                        "islands.shanghai.services.com.foo.billing.*.gateways.dubbo",
                        dead("gateway.zhejiang.test"))) {
            unreachable = UnreachableIsland.DOWN;
            Health health = health(application.connected(home, stock));

            assertThat(health.getStatus()).isEqualTo(Status.DOWN);
            assertThat(island(health, "shanghai"))
                    .asInstanceOf(InstanceOfAssertFactories.MAP)
                    .containsEntry("status", "DEGRADED")
                    .containsEntry("tunnel", "dubbo")
                    .containsEntry("cause", "no-endpoint")
                    .doesNotContainKey("endpoints")
                    .extractingByKey("services", InstanceOfAssertFactories.MAP)
                    .containsOnlyKeys("com.foo.billing.*")
                    .extractingByKey("com.foo.billing.*", InstanceOfAssertFactories.LIST)
                    .singleElement(InstanceOfAssertFactories.MAP)
                    .containsEntry("state", "down");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"GATEWAY_DOWN", "NOT_FORWARDED", "CONNECTION_LOST"})
    void aCallThatWasJustLostOnItsWay_makesItsIslandDegraded(Reason reason) {
        try (Live home = new Live("gateway.zhejiang.test");
                TestRouting application =
                        new TestRouting("gateways.dubbo", home.address(), "islands.shanghai.tunnel", "dubbo")) {
            application.connected(home);
            application.runtime.activity().remember(ended("shanghai", home.address(), Outcome.NOT_SENT, reason, false));
            Health lost = health(application);
            application.runtime.activity().remember(ended("shanghai", home.address(), Outcome.DELIVERED, null, false));
            endpoint(application).delivered(0, 0);
            Health delivered = health(application);

            assertThat(lost.getStatus()).isEqualTo(Status.UP);
            assertThat(island(lost, "shanghai").get("status")).isEqualTo("DEGRADED");
            assertThat(island(lost, "shanghai").get("cause")).isEqualTo("last-call");
            assertThat((Map<?, ?>) island(lost, "shanghai").get("lastOutcome"))
                    .asInstanceOf(InstanceOfAssertFactories.MAP)
                    .containsEntry("reason", reason.word());
            assertThat(island(delivered, "shanghai")).isEqualTo(Map.of("status", "UP", "tunnel", "dubbo"));
        }
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"GATEWAY_DOWN", "NOT_FORWARDED", "CONNECTION_LOST"})
    void aCallThatEndedOtherwise_doesNotAffectHealth(Reason reason) {
        try (TestRouting application =
                new TestRouting("gateways.dubbo", dead("gateway.zhejiang.test"), "islands.shanghai.tunnel", "dubbo")) {
            application.runtime.activity().remember(ended("shanghai", null, Outcome.REFUSED, reason, false));

            assertThat(island(health(application), "shanghai").get("status")).isEqualTo("UNKNOWN");
        }
    }

    @Test
    void isUnknown_whereTheHighwayIsOff() {
        try (TestRouting application = new TestRouting("enabled", "false")) {
            assertThat(health(application).getStatus()).isEqualTo(Status.UNKNOWN);
        }
    }
}
