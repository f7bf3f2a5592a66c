// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.highway.tools.fixtures.logs.CapturedLog;
import io.highway.tools.fixtures.ports.FreePorts;
import java.time.Duration;
import java.util.Map;
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

    private static void started(Map<String, String> properties) {
        TestApplication consumer = star.consumer(properties);
        consumer.refer(consumer.reference(Shop.class, config -> config.setUrl("dubbo://" + star.homeDubbo)))
                .start();
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
            started(star.properties(Tunnel.DUBBO, keys));

            awaitLine(log, "island shanghai: reachable: dubbo " + star.gatewayAddress() + " ok");
            awaitLine(log, "island beijing: not reachable: dubbo gateway.zhejiang.test:");
            assertThat(log.lines("highway: doctor: ")).hasSize(2);
        }
    }

    @Test
    void none_isTheDefault() {
        try (CapturedLog log = new CapturedLog()) {
            started(star.properties(Tunnel.DUBBO));

            assertThat(Thread.getAllStackTraces().keySet())
                    .noneMatch(thread -> thread.getName().startsWith("highway-probe"));
            assertThat(log.lines("highway: doctor: ")).isEmpty();
        }
    }
}
