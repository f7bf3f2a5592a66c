// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.Highway;
import io.highway.tools.fixtures.logs.CapturedLog;
import io.highway.tools.gateway.Gateway;
import io.highway.tools.gateway.GatewayConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A secret changes while calls are made: the steps of docs/operate/secure-a-provider.md. */
@Tag("network")
@Tag("any-dubbo")
class KeyRotationTest {

    private final List<TestApplication> applications = new ArrayList<>();

    @TempDir
    private Path directory;

    private Path senders;
    private Path receivers;
    private Gateway gateway;

    @BeforeEach
    void start() throws Exception {
        senders = directory.resolve("senders");
        receivers = directory.resolve("receivers");
        replace(senders, "old-secret");
        replace(receivers, "old-secret");
        TestApplication shanghai = application(
                "shanghai",
                Map.of(
                        "highway.island", "shanghai",
                        "highway.sign.accept.zhejiang", "file:" + receivers,
                        "highway.sign.accept-from.zhejiang", "zhejiang/*"));
        String dubbo = shanghai.listen("dubbo");
        String triple = shanghai.listen("tri");
        shanghai.export(Shop.class, new ShopKeeper("shanghai"), service -> {}).start();
        gateway = Gateway.start(GatewayConfig.builder()
                .island("zhejiang")
                .listen("gateway.zhejiang.test", 0)
                .providers("shanghai", "*", List.of(dubbo), List.of(triple))
                .build());
    }

    @AfterEach
    void stop() {
        applications.forEach(TestApplication::close);
        gateway.closeNow();
    }

    private TestApplication application(String island, Map<String, String> properties) {
        TestApplication application = new TestApplication(island, properties);
        applications.add(0, application);
        return application;
    }

    private Shop shop(Tunnel tunnel, String... keys) {
        Map<String, String> properties = new HashMap<>(Map.of(
                "highway.island",
                "zhejiang",
                "highway.gateways.dubbo",
                "gateway.zhejiang.test:" + gateway.port(),
                "highway.gateways.triple",
                "gateway.zhejiang.test:" + gateway.port(),
                "highway.defaults.tunnel",
                tunnel.key(),
                "highway.islands.shanghai.timeout",
                "10s",
                "highway.islands.beijing.timeout",
                "10s",
                "highway.sign.key-id",
                "zhejiang",
                "highway.sign.secret",
                "file:" + senders));
        for (int i = 0; i < keys.length; i += 2) {
            properties.put(keys[i], keys[i + 1]);
        }
        Shop home = application("zhejiang", properties)
                .reference(Shop.class, config -> {
                    config.setUrl("dubbo://127.0.0.1:1");
                    config.setCheck(false);
                })
                .get();
        return Highway.to("shanghai").bind(Shop.class, home);
    }

    private void replace(Path file, String... lines) throws Exception {
        Path next = directory.resolve("next");
        Files.write(next, List.of(lines));
        Files.move(next, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    private static void awaitLine(CapturedLog log, int times, String... texts) {
        await().atMost(Duration.ofSeconds(30))
                .until(() -> log.lines(texts[0]).stream()
                                .filter(line -> List.of(texts).stream().allMatch(line::contains))
                                .count()
                        >= times);
    }

    @Test
    void changesASecretUnderLoad_withoutARefusedCall() throws Exception {
        try (CapturedLog log = new CapturedLog();
                Callers overDubbo = new Callers(shop(Tunnel.DUBBO), Callers.CallForm.SYNC);
                Callers overTriple = new Callers(shop(Tunnel.TRIPLE), Callers.CallForm.COMPLETABLE_FUTURE)) {
            replace(receivers, "old-secret", "", "  new-secret\t");
            awaitLine(log, 1, "highway.sign.accept.zhejiang", "2 secrets are active");
            overDubbo.awaitMoreOfEach(10);
            overTriple.awaitMoreOfEach(10);

            replace(senders, "new-secret");
            awaitLine(log, 2, "highway.sign.secret", "1 secret is active");
            overDubbo.awaitMoreOfEach(10);
            overTriple.awaitMoreOfEach(10);

            replace(receivers, "new-secret");
            awaitLine(log, 1, "highway.sign.accept.zhejiang", "1 secret is active");
            overDubbo.awaitMoreOfEach(10);
            overTriple.awaitMoreOfEach(10);

            overDubbo.assertNothingFailed();
            overTriple.assertNothingFailed();
            assertThat(log.lines("old-secret")).isEmpty();
            assertThat(log.lines("new-secret")).isEmpty();
            Shop late = shop(Tunnel.DUBBO, "highway.sign.secret", "old-secret");
            assertThatThrownBy(() -> late.sell("tea")).hasMessageContaining("wrong-signature; the secrets of the key");
        }
    }

    @Test
    void keepsTheLastGoodSecrets_whenTheirFileCannotBeUsed() throws Exception {
        Shop shop = shop(Tunnel.TRIPLE);
        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");

        try (CapturedLog log = new CapturedLog()) {
            Files.delete(receivers);
            awaitLine(
                    log,
                    1,
                    "WARN",
                    "highway.sign.accept.zhejiang: the file " + receivers + " cannot be read: NoSuchFile");
            assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
            replace(receivers, "", " ");
            awaitLine(log, 1, "WARN", receivers + " has no secret; the secrets of the last good read stay active");
            assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
            replace(receivers, "old-secret", "another");
            awaitLine(log, 1, "highway.sign.accept.zhejiang", "2 secrets are active");
            assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");

            assertThat(log.lines("cannot be read")).hasSize(1);
            assertThat(log.lines("another")).isEmpty();
        }
    }

    /**
     * A fleet between two releases: the old one knows version 2, the new one version 3 as well. A rule moves calls from one
     * receiver to the next, so that none is lost for another reason.
     */
    private final class Fleet implements AutoCloseable {

        private final List<Gateway> gateways = new ArrayList<>();
        private final List<Callers> callers = new ArrayList<>();
        private final Path rule = directory.resolve("rule.yaml");

        private static Map<String, String> keys(String... keysAndValues) {
            Map<String, String> keys = new HashMap<>();
            for (int i = 0; i < keysAndValues.length; i += 2) {
                keys.put(keysAndValues[i], keysAndValues[i + 1]);
            }
            return keys;
        }

        /** A receiver joins, serves next to the one before, and replaces it. */
        void receiver(String... keysAndValues) throws Exception {
            Map<String, String> keys = keys(keysAndValues);
            keys.put("highway.island", "shanghai");
            TestApplication next = application("shanghai", keys);
            String dubbo = next.listen("dubbo");
            String triple = next.listen("tri");
            ShopKeeper keeper = new ShopKeeper("shanghai");
            next.export(Shop.class, keeper, service -> {}).start();
            gateways.add(Gateway.start(GatewayConfig.builder()
                    .island("zhejiang")
                    .listen("gateway.zhejiang.test", 0)
                    .providers("shanghai", "*", List.of(dubbo), List.of(triple))
                    .build()));
            publish(Math.max(0, gateways.size() - 2));
            if (!callers.isEmpty()) {
                await().atMost(Duration.ofSeconds(20)).until(() -> keeper.received.size() > 20);
            }
            publish(gateways.size() - 1);
            awaitMore();
        }

        private void publish(int first) throws Exception {
            String addresses = String.join(
                    ",",
                    gateways.subList(first, gateways.size()).stream()
                            .map(gateway -> "gateway.zhejiang.test:" + gateway.port())
                            .toList());
            replace(rule, "version: from-" + first, "gateways.dubbo: " + addresses, "gateways.triple: " + addresses);
        }

        /** Senders by both tunnels replace those before. */
        void senders(String... keysAndValues) {
            List<Callers> before = List.copyOf(callers);
            for (Tunnel tunnel : Tunnel.values()) {
                Map<String, String> keys = keys(keysAndValues);
                keys.putAll(Map.of("highway.island", "zhejiang", "highway.policy.source", "file:" + rule));
                keys.putAll(
                        Map.of("highway.policy.directory", directory.toString(), "highway.heartbeat.interval", "none"));
                keys.putAll(Map.of("highway.defaults.tunnel", tunnel.key(), "highway.islands.shanghai.retries", "0"));
                keys.putAll(Map.of("highway.defaults.timeout", "10s", "highway.islands.beijing.timeout", "10s"));
                TestApplication next = application("zhejiang", keys);
                Shop shop = next.reference(Shop.class, config -> {
                            config.setUrl("dubbo://127.0.0.1:1");
                            config.setCheck(false);
                        })
                        .get();
                callers.add(new Callers(Highway.to("shanghai").bind(Shop.class, shop), Callers.CallForm.SYNC));
            }
            before.forEach(Callers::close);
            before.forEach(Callers::assertNothingFailed);
            callers.removeAll(before);
            awaitMore();
        }

        private void awaitMore() {
            callers.forEach(some -> some.awaitMoreOfEach(10));
        }

        @Override
        public void close() {
            callers.forEach(Callers::close);
            gateways.forEach(Gateway::closeNow);
        }
    }

    @Test
    @Tag("long")
    void changesTheKeyId_withoutARefusedCall() throws Exception {
        try (Fleet fleet = new Fleet()) {
            fleet.receiver("highway.sign.accept.old", "o");
            fleet.senders("highway.sign.key-id", "old", "highway.sign.secret", "o");

            fleet.receiver("highway.sign.accept.old", "o", "highway.sign.accept.new", "n");
            fleet.senders("highway.sign.key-id", "new", "highway.sign.secret", "n");
            fleet.receiver("highway.sign.accept.new", "n");

            fleet.callers.forEach(Callers::assertNothingFailed);
        }
    }
}
