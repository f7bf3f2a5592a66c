// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.tools.fixtures.logs.CapturedLog;
import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.gateway.Gateway;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.dubbo.qos.probe.ReadinessProbe;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code highway.doctor}. */
@Tag("network")
@Tag("any-dubbo")
class DoctorTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    private static Star star;

    @BeforeAll
    static void start() {
        star = new Star();
    }

    @AfterAll
    static void end() {
        star.close();
    }

    private static ApplicationModel started(Map<String, String> properties) {
        TestApplication consumer = star.consumer(properties);
        consumer.refer(consumer.reference(Shop.class, config -> config.setUrl("dubbo://" + star.homeDubbo)))
                .start();
        return consumer.model();
    }

    private static boolean isReady(ApplicationModel application) {
        return application
                .getFrameworkModel()
                .getExtensionLoader(ReadinessProbe.class)
                .getExtension("highway")
                .check();
    }

    private static void awaitLine(CapturedLog log, String text) {
        await().atMost(LONG).until(() -> log.lines("highway: doctor: ").stream().anyMatch(line -> line.contains(text)));
    }

    @Test
    void warn_logsOneLinePerIsland() {
        String[] keys = {
            "highway.doctor", "warn", "highway.islands.beijing.gateways.dubbo", FaultyStar.address(FreePorts.next())
        };
        try (CapturedLog log = new CapturedLog()) {
            ApplicationModel application = started(star.properties(Tunnel.DUBBO, keys));

            assertThat(isReady(application)).isTrue();
            awaitLine(log, "island shanghai: reachable: dubbo " + star.gatewayAddress() + " ok");
            awaitLine(log, "island beijing: not reachable: dubbo gateway.zhejiang.test:");
            assertThat(log.lines("highway: doctor: ")).hasSize(2);
            assertThat(isReady(application)).isTrue();
        }
    }

    @Test
    void fail_isNotReadyUntilEveryIslandHasAnswered() {
        int port = FreePorts.next();
        String[] keys = {"highway.doctor", "fail", "highway.islands.beijing.gateways.dubbo", FaultyStar.address(port)};
        try (CapturedLog log = new CapturedLog()) {
            ApplicationModel application = started(star.properties(Tunnel.DUBBO, keys));

            assertThat(isReady(application)).isFalse();
            awaitLine(log, "the application is not ready until it answers (highway.doctor=fail)");
            assertThat(isReady(application)).isFalse();

            Gateway late = star.closing(star.anotherGateway(port));

            await().atMost(LONG).until(() -> isReady(application));
            assertThat(late.port()).isEqualTo(port);
            List<String> lines = log.lines("highway: doctor: island beijing: ");
            assertThat(lines).hasSize(2);
            assertThat(lines.get(1)).contains("reachable: dubbo gateway.zhejiang.test:" + port + " ok");
        }
    }

    @Test
    void fail_isReady_onceAPolicyLeavesOutTheIslandThatDoesNotAnswer() {
        Map<String, String> without = star.properties(Tunnel.DUBBO, "highway.doctor", "fail");
        without.keySet().removeIf(key -> key.startsWith("highway.islands.beijing."));
        Map<String, String> keys = new HashMap<>(without);
        keys.put("highway.islands.beijing.gateways.dubbo", FaultyStar.address(FreePorts.next()));
        try (CapturedLog log = new CapturedLog()) {
            ApplicationModel application = started(keys);
            awaitLine(log, "the application is not ready until it answers (highway.doctor=fail)");
            assertThat(isReady(application)).isFalse();

            HighwayRuntime.of(application).swap(PolicySwapTest.policy("v1", without));

            await().atMost(LONG).until(() -> isReady(application));
            assertThat(log.lines("the islands could not be probed")).isEmpty();
        }
    }

    /** Services with separate gateways are probed separately. */
    @Test
    void isNotReady_whileOnlyAPartOfAnIslandIsReachable() {
        Map<String, String> keys = new HashMap<>(star.properties(Tunnel.DUBBO, "highway.doctor", "fail"));
        keys.put(
                "highway.islands.shanghai.services.com.foo.Files.gateways.dubbo", FaultyStar.address(FreePorts.next()));
        try (CapturedLog log = new CapturedLog()) {
            ApplicationModel application = started(keys);
            awaitLine(log, "the application is not ready until it answers (highway.doctor=fail)");

            await().during(Duration.ofSeconds(6)) // more than a round
                    .atMost(LONG)
                    .until(() -> !isReady(application));
        }
    }

    @Test
    void none_isTheDefault() {
        try (CapturedLog log = new CapturedLog()) {
            ApplicationModel application = started(star.properties(Tunnel.DUBBO));

            assertThat(isReady(application)).isTrue();
            assertThat(Thread.getAllStackTraces().keySet())
                    .noneMatch(thread -> thread.getName().startsWith("highway-probe"));
            assertThat(log.lines("highway: doctor: ")).isEmpty();
        }
    }
}
