// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.sdk.dubbo.internal.network.compression.AgedEncodings;
import io.highway.sdk.dubbo.internal.network.compression.TrainedDictionary;
import io.highway.tools.gateway.Gateway;
import io.highway.tools.gateway.GatewayConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.dubbo.common.Version;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two providers behind a gateway that knows them from a registry are replaced one after the other while calls go on. */
@Tag("network")
@Tag("long")
class RollingProvidersTest {

    private static final Logger log = LoggerFactory.getLogger(RollingProvidersTest.class);
    private static final int CALLS_BETWEEN = 50;

    @TempDir
    private Path folder;

    private final List<AutoCloseable> opened = new ArrayList<>();
    private final List<Callers> callers = new ArrayList<>();

    /** Those with a dictionary. */
    private final List<TestApplication> consumers = new CopyOnWriteArrayList<>();

    @Test
    void failNoCall_whenTheyAreStoppedGracefully() throws Exception {
        roll(List.of(), Map.of());
    }

    /** The first provider has it, and the others do not: calls are refused, sent again, and sent without it. */
    @Test
    void failNoCall_whenSomeDoNotHaveTheDictionary() throws Exception {
        assumeTrue(Version.getVersion().startsWith("3.3"), "providers of Dubbo 3.2 advertise nothing");
        String file = "file:" + TrainedDictionary.write(folder.resolve("dictionary"), 0);
        ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
        opened.add(clock::shutdownNow);
        clock.scheduleAtFixedRate(this::passAMinute, 5, 5, TimeUnit.MILLISECONDS);
        roll(
                List.of(
                        "highway.dictionaries.orders",
                        file,
                        "highway.islands.zhejiang.compression",
                        "zstd",
                        "highway.islands.zhejiang.dictionary",
                        "orders"),
                Map.of(
                        "highway.dictionaries.orders",
                        file,
                        "highway.islands.shanghai.compression",
                        "zstd",
                        "highway.islands.shanghai.dictionary",
                        "orders"));
    }

    private void passAMinute() {
        consumers.forEach(consumer -> AgedEncodings.age(
                HighwayRuntime.of(consumer.model())
                        .snapshot()
                        .destinations()
                        .of("shanghai")
                        .encodings()
                        .learning(),
                Duration.ofMinutes(1)));
    }

    private void roll(List<String> ofTheFirst, Map<String, String> ofConsumers) throws Exception {
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
            ProviderProcess first = provider(registry, "first", ofTheFirst.toArray(String[]::new));
            ProviderProcess second = provider(registry, "second");
            for (Tunnel tunnel : Tunnel.values()) {
                Shop shop = shop(tunnel, home, tunnel == Tunnel.DUBBO ? Map.of() : ofConsumers);
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

    private ProviderProcess provider(String registry, String name, String... keys) throws Exception {
        return opened(ProviderProcess.start(registry, folder.resolve(name), keys));
    }

    private Shop shop(Tunnel tunnel, Gateway home, Map<String, String> more) {
        Map<String, String> keys = new HashMap<>(more);
        keys.put("highway.island", "zhejiang");
        keys.put("highway.gateways." + tunnel.key(), "gateway.zhejiang.test:" + home.port());
        keys.put("highway.defaults.timeout", "10s");
        keys.put("highway.islands.shanghai.tunnel", tunnel.key());
        keys.put("highway.defaults.tunnel", tunnel.key());
        TestApplication consumer = opened(new TestApplication("zhejiang", keys));
        if (!more.isEmpty()) {
            consumers.add(consumer);
        }
        Shop shop = consumer.reference(Shop.class, config -> config.setUrl("dubbo://zhejiang.test:9?lazy=true"))
                .get();
        return Highway.to("shanghai").bind(Shop.class, shop);
    }

    private <C extends AutoCloseable> C opened(C one) {
        opened.add(one);
        return one;
    }
}
