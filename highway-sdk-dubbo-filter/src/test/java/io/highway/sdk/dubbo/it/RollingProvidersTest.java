// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.samples.gateway.Gateway;
import io.highway.samples.gateway.GatewayConfig;
import io.highway.sdk.Highway;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two providers behind a gateway that knows them from a registry are replaced one after the other while calls go on. */
@Tag("network")
class RollingProvidersTest {

    private static final Logger log = LoggerFactory.getLogger(RollingProvidersTest.class);
    private static final int CALLS_BETWEEN = 50;

    @TempDir
    private Path folder;

    private final List<AutoCloseable> opened = new ArrayList<>();
    private final List<Callers> callers = new ArrayList<>();

    @Test
    void failNoCall_whenTheyAreStoppedGracefully() throws Exception {
        try {
            String registry = opened(new RegistryServer()).url();
            Gateway shanghai = opened(Gateway.start(GatewayConfig.builder()
                    .island("shanghai")
                    .listen("gateway.shanghai.test", 0)
                    .registry("shanghai", registry)
                    .build()));
            Gateway home = opened(Gateway.start(GatewayConfig.builder()
                    .island("zhejiang")
                    .listen("gateway.zhejiang.test", 0)
                    .next("shanghai", List.of("gateway.shanghai.test:" + shanghai.port()))
                    .build()));
            ProviderProcess first = provider(registry, "first");
            ProviderProcess second = provider(registry, "second");
            for (Tunnel tunnel : Tunnel.values()) {
                Shop shop = shop(tunnel, home);
                assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
                for (Callers.CallForm form : Callers.CallForm.values()) {
                    callers.add(opened(new Callers(shop, form)));
                }
            }

            awaitMore();
            first.stop();
            awaitMore();
            provider(registry, "third");
            awaitMore();
            second.stop();
            awaitMore();

            callers.forEach(Callers::assertNothingFailed);
            log.info("calls in a graceful roll of two providers: "
                    + callers.stream().mapToLong(Callers::calls).sum() + ", failed: 0");
        } finally {
            for (int i = opened.size() - 1; i >= 0; i--) {
                opened.get(i).close();
            }
        }
    }

    private void awaitMore() {
        callers.forEach(some -> some.awaitMoreOfEach(CALLS_BETWEEN));
    }

    private ProviderProcess provider(String registry, String name) throws Exception {
        return opened(ProviderProcess.start(registry, folder.resolve(name)));
    }

    private Shop shop(Tunnel tunnel, Gateway home) {
        TestApplication consumer = opened(new TestApplication(
                "zhejiang",
                Map.of(
                        "highway.island",
                        "zhejiang",
                        "highway.gateways." + tunnel.key(),
                        "gateway.zhejiang.test:" + home.port(),
                        "highway.defaults.timeout",
                        "10s",
                        "highway.unknown-islands",
                        "gateway",
                        "highway.defaults.tunnel",
                        tunnel.key())));
        Shop shop = consumer.reference(Shop.class, config -> config.setUrl("dubbo://zhejiang.test:9?lazy=true"))
                .get();
        return Highway.to("shanghai").bind(Shop.class, shop);
    }

    private <C extends AutoCloseable> C opened(C one) {
        opened.add(one);
        return one;
    }
}
