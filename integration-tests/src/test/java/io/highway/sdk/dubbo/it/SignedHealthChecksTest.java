// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.Highway;
import io.highway.tools.gateway.Gateway;
import io.highway.tools.gateway.GatewayConfig;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A destination that demands signatures answers health checks: each has one. */
@Tag("network")
class SignedHealthChecksTest {

    @ParameterizedTest
    @EnumSource
    void healthChecks_areSignedAnew(Tunnel tunnel) throws Exception {
        RecordingWrapper.ARRIVED.clear();
        RecordingWrapper.REFUSED.clear();
        try (TestApplication shanghai = new TestApplication(
                        "shanghai",
                        Map.of(
                                "highway.island", "shanghai",
                                "highway.sign.accept.zhejiang", "s3cr3t",
                                "highway.sign.accept-from.zhejiang", "zhejiang/*"));
                Gateway gateway = gateway(shanghai);
                TestApplication zhejiang = new TestApplication(
                        "zhejiang",
                        Map.of(
                                "highway.island",
                                "zhejiang",
                                "highway.gateways." + tunnel.key(),
                                "gateway.zhejiang.test:" + gateway.port(),
                                "highway.islands.shanghai.tunnel",
                                tunnel.key(),
                                "highway.heartbeat.interval",
                                "100ms",
                                "highway.sign.key-id",
                                "zhejiang",
                                "highway.sign.secret",
                                "s3cr3t"))) {
            Ledger home = zhejiang.reference(Ledger.class, config -> {
                        config.setUrl("dubbo://127.0.0.1:1");
                        config.setCheck(false);
                    })
                    .get();
            Highway.to("shanghai").call(() -> home.balance("tea"));
            Set<String> signatures = new HashSet<>();

            while (signatures.size() < 4) { // the call's and those of three health checks
                Map<String, String> headers = RecordingWrapper.ARRIVED.poll(10, TimeUnit.SECONDS);
                assertThat(headers).containsKey("highway-sign");
                signatures.add(headers.get("highway-sign"));
            }
            assertThat(RecordingWrapper.REFUSED).isEmpty();
        }
    }

    private static Gateway gateway(TestApplication shanghai) {
        String dubbo = shanghai.listen("dubbo");
        String triple = shanghai.listen("tri");
        shanghai.export(Ledger.class, new Ledger.Book(), service -> service.setParameters(Map.of("recording", "true")))
                .start();
        return Gateway.start(GatewayConfig.builder()
                .island("zhejiang")
                .listen("gateway.zhejiang.test", 0)
                .providers("shanghai", "*", List.of(dubbo), List.of(triple))
                .build());
    }
}
