// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.HighwayReport;
import io.highway.sdk.dubbo.HighwayReport.Endpoint;
import io.highway.sdk.dubbo.HighwayReport.Island;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.operate.report.HighwayCommand;
import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.gateway.Gateway;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.dubbo.qos.api.CommandContext;
import org.apache.dubbo.rpc.RpcContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A report with a dead gateway, a misrouted island and a full one; {@code tools/star.py} takes pictures of its page. */
@Tag("network")
@Tag("any-dubbo")
class FaultsReportTest extends OnFaultyStar {

    private static final String REPORT = "<script id=\"report\" type=\"application/json\">";

    private static HighwayReport report() {
        return HighwayReport.of(star.consumer().model()).orElseThrow();
    }

    private static Island island(String id) {
        return report().islands().get(id);
    }

    private static Endpoint.State state(String id) {
        return island(id).endpoints().get(0).state();
    }

    private static Reason refusal(Shop shop) {
        return catchThrowableOfType(HighwayException.class, () -> shop.sell("tea"))
                .reason();
    }

    @Test
    void showsADeadGateway_aMisroutedIsland_andAFullOne() throws Exception {
        TestIsland sichuan = star.star.closing(TestIsland.start("sichuan"));
        Gateway home = star.gateway(config -> config.next("sichuan", List.of(sichuan.gatewayAddress())));
        Gateway wrong = star.gatewayTo(star.star.beijing);
        Shop shop = star.connecting(
                events,
                TunnelKind.DUBBO,
                FaultyStar.address(home.port()),
                "highway.heartbeat.interval",
                "100ms",
                "highway.islands.sichuan.tunnel",
                "dubbo",
                "highway.islands.shanghai.gateways.dubbo",
                FaultyStar.address(wrong.port()),
                "highway.islands.guangdong.gateways.dubbo",
                "gateway.guangdong.test:" + FreePorts.next(),
                "highway.islands.beijing.timeout",
                "20s",
                "highway.islands.beijing.max-concurrent",
                "2");
        Shop beijing = Highway.to("beijing").bind(Shop.class, shop);
        await().ignoreExceptions()
                .untilAsserted(() -> assertThat(Highway.to("sichuan").call(() -> shop.sell("tea")))
                        .isEqualTo("sichuan:tea"));
        for (int i = 0; i < 25; i++) {
            assertThat(beijing.sell("tea")).isEqualTo("beijing:tea");
        }

        List<CompletableFuture<String>> slow = List.of(
                RpcContext.getServiceContext().asyncCall(() -> beijing.slow(15_000)),
                RpcContext.getServiceContext().asyncCall(() -> beijing.slow(15_000)));
        await().until(() -> island("beijing").inFlight() == 2);
        assertThat(refusal(beijing)).isEqualTo(Reason.BUSY);
        assertThat(refusal(Highway.to("shanghai").bind(Shop.class, shop))).isEqualTo(Reason.REFUSED_THERE);
        assertThat(refusal(Highway.to("guangdong").bind(Shop.class, shop))).isEqualTo(Reason.GATEWAY_DOWN);

        await().untilAsserted(() -> {
            assertThat(state("guangdong")).isEqualTo(Endpoint.State.DOWN);
            assertThat(state("shanghai")).isEqualTo(Endpoint.State.MISROUTED);
            assertThat(state("sichuan")).isEqualTo(Endpoint.State.UP);
            assertThat(island("sichuan").endpoints().get(0).roundTripMillis()).isNotNull();
            assertThat(island("beijing").endpoints().get(0).roundTripMillis()).isNotNull();
        });
        assertThat(island("beijing")).satisfies(full -> {
            assertThat(full.inFlight()).isEqualTo(2);
            assertThat(full.maxConcurrent()).isEqualTo(2);
            assertThat(full.callsLastMinute()).isEqualTo(26);
            assertThat(full.failuresLastMinute()).isEqualTo(1);
        });
        write(Path.of("target", "star", "faults.html"));

        await().untilAsserted(() -> {
            star.star.beijing.shop.hurry();
            assertThat(slow).allMatch(CompletableFuture::isDone);
        });
        assertThat(slow.get(0).get(1, TimeUnit.SECONDS)).isEqualTo("beijing:15000");
    }

    private static void write(Path file) throws IOException {
        String json = new HighwayCommand(star.consumer().model().getFrameworkModel())
                .execute(new CommandContext("highway"), new String[] {"--json"});
        assertThat(json).contains("\"inFlight\":2,\"callsLastMinute\":26,\"failuresLastMinute\":1");
        try (InputStream page = HighwayReport.class.getResourceAsStream("star.html")) {
            Files.createDirectories(file.getParent());
            Files.writeString(
                    file,
                    new String(page.readAllBytes(), StandardCharsets.UTF_8)
                            .replace(REPORT, REPORT + json.replace("<", "\\u003c")));
        }
    }
}
