// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.Highway;
import io.highway.sdk.HighwayAttachments;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.internal.caller.entry.HighwayLifecycle;
import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.gateway.Gateway;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.dubbo.config.ConsumerConfig;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Connections: how many, when they are made, when they come back, when they end. */
@Tag("network")
class GatewayLifecycleTest {

    private Star star;

    @BeforeEach
    void start() {
        star = new Star();
    }

    @AfterEach
    void stop() {
        star.close();
    }

    private static int connections(Gateway gateway, Tunnel tunnel) {
        return tunnel == Tunnel.DUBBO
                ? gateway.stats().dubboConnections()
                : gateway.stats().tripleConnections();
    }

    private static String toShanghai(Shop shop) {
        return Highway.to("shanghai").call(() -> shop.sell("tea"));
    }

    @ParameterizedTest
    @EnumSource
    void servesFortyReferencesOverOneConnection_andReleasesEachByItself(Tunnel tunnel) {
        TestApplication consumer = star.consumer(star.properties(tunnel));
        List<ReferenceConfig<Shop>> references = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            references.add(consumer.reference(Shop.class, config -> config.setUrl("dubbo://" + star.homeDubbo)));
        }
        for (ReferenceConfig<Shop> reference : references) {
            assertThat(toShanghai(reference.get())).isEqualTo("shanghai:tea");
            assertThat(Highway.to("beijing").call(() -> reference.get().sell("tea")))
                    .isEqualTo("beijing:tea");
        }
        assertThat(connections(star.gateway(), tunnel)).isEqualTo(1);

        references.subList(1, 40).forEach(ReferenceConfig::destroy);

        assertThat(toShanghai(references.get(0).get())).isEqualTo("shanghai:tea");
        assertThat(connections(star.gateway(), tunnel)).isEqualTo(1);
        references.get(0).destroy();
        Shop late = consumer.reference(Shop.class, config -> config.setUrl("dubbo://" + star.homeDubbo))
                .get();
        assertThat(toShanghai(late)).isEqualTo("shanghai:tea");
    }

    @ParameterizedTest
    @EnumSource
    void startsAtOnce_andConnectsNoCaller_whileTheGatewayIsDown_andServesSoonAfterItAppears(Tunnel tunnel) {
        int port = star.stopGateway();
        TestApplication consumer = star.consumer(star.properties(tunnel));
        long begin = System.nanoTime();
        Shop shop = consumer.reference(Shop.class, config -> {
                    config.setUrl("dubbo://" + star.homeDubbo);
                    config.setParameters(new HashMap<>(Map.of(HighwayAttachments.ISLAND, "shanghai")));
                })
                .get();
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(5));
        assertThatThrownBy(() -> shop.sell("tea"))
                .isInstanceOfSatisfying(HighwayException.class, e -> {
                    assertThat(e.reason()).isEqualTo(Reason.GATEWAY_DOWN);
                    assertThat(e.mayHaveRun()).isFalse();
                    assertThat(e.isNetwork()).isTrue();
                })
                .hasMessageContaining("gateway.zhejiang.test:" + port);
        await().untilAsserted(
                        () -> { // the machine may pause during one
                            long refusal = System.nanoTime();
                            assertThatThrownBy(() -> shop.sell("tea")).isInstanceOf(HighwayException.class);
                            assertThat(Duration.ofNanos(System.nanoTime() - refusal))
                                    .isLessThan(Duration.ofMillis(200));
                        });

        star.restartGateway(port);

        await().atMost(Duration.ofSeconds(3))
                .pollInterval(Duration.ofMillis(10))
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(shop.sell("tea")).isEqualTo("shanghai:tea"));
    }

    @ParameterizedTest
    @EnumSource
    void servesAgainWithinASecond_whenTheGatewayRestarts(Tunnel tunnel) {
        Shop shop = star.shop(tunnel);
        List<Duration> away = new ArrayList<>();
        while (away.size() < 2 || (!areWithinASecond(away) && away.size() < 5)) {
            assertThat(toShanghai(shop)).isEqualTo("shanghai:tea");

            int port = star.stopGateway();
            await().atMost(Duration.ofSeconds(5)).untilAsserted(() -> assertThatThrownBy(() -> toShanghai(shop))
                    .isInstanceOfSatisfying(
                            HighwayException.class, e -> assertThat(e.reason()).isEqualTo(Reason.GATEWAY_DOWN)));
            star.restartGateway(port);
            long listens = System.nanoTime();

            await().atMost(Duration.ofSeconds(3))
                    .pollInterval(Duration.ofMillis(10))
                    .ignoreExceptions()
                    .untilAsserted(() -> assertThat(toShanghai(shop)).isEqualTo("shanghai:tea"));
            away.add(Duration.ofNanos(System.nanoTime() - listens));
        }
        assertThat(areWithinASecond(away)).as("first calls after %s", away).isTrue();
    }

    /** Except those during which the machine paused: two were. */
    private static boolean areWithinASecond(List<Duration> away) {
        return away.stream()
                        .filter(one -> one.compareTo(Duration.ofSeconds(1)) < 0)
                        .count()
                >= 2;
    }

    @ParameterizedTest
    @EnumSource
    void failsCallsInFlightAtOnce_whenTheGatewayDies(Tunnel tunnel) {
        // Dubbo alone would wait for the answer as long as a shutdown may take.
        Shop shop = star.shop(tunnel, "highway.defaults.timeout", "30s", "dubbo.service.shutdown.wait", "10000");
        assertThat(toShanghai(shop)).isEqualTo("shanghai:tea");
        star.shanghai.shop.received.clear();
        CompletableFuture<Throwable> ended =
                CompletableFuture.supplyAsync(Highway.wrapSupplier(() -> org.assertj.core.api.Assertions.catchThrowable(
                        () -> Highway.to("shanghai").call(() -> shop.slow(5000)))));
        await().until(() -> !star.shanghai.shop.received.isEmpty());

        star.stopGateway();

        assertThat(ended).succeedsWithin(Duration.ofSeconds(8)).isInstanceOfSatisfying(HighwayException.class, e -> {
            assertThat(e.reason()).isEqualTo(Reason.CONNECTION_LOST);
            assertThat(e.mayHaveRun()).isTrue();
        });
    }

    @ParameterizedTest
    @EnumSource
    void passesOverAnAddressThatIsDown(Tunnel tunnel) {
        String dead = "gateway.hub.test:" + FreePorts.next();
        Shop shop = star.shop(tunnel, "highway.gateways." + tunnel.key(), dead + "," + star.gatewayAddress());

        for (int i = 0; i < 10; i++) {
            assertThat(toShanghai(shop)).isEqualTo("shanghai:tea");
        }
    }

    @ParameterizedTest
    @EnumSource
    void takesTheOtherTunnel_whenOneIsDown_andThePolicyIsAuto(Tunnel dead) {
        Shop shop = star.shop(
                Tunnel.DUBBO,
                "highway.defaults.tunnel",
                "auto",
                "highway.gateways." + dead.key(),
                "gateway.hub.test:" + FreePorts.next());

        assertThat(toShanghai(shop)).isEqualTo("shanghai:tea");
    }

    @ParameterizedTest
    @EnumSource
    void leavesNoThreadAndNoConnection_whenTheApplicationEnds(Tunnel tunnel) {
        Set<String> before = highwayThreads();
        TestApplication consumer = new TestApplication("zhejiang", star.properties(tunnel));
        Shop shop = consumer.reference(Shop.class, config -> config.setUrl("dubbo://" + star.homeDubbo))
                .get();
        assertThat(toShanghai(shop)).isEqualTo("shanghai:tea");
        assertThat(connections(star.gateway(), tunnel)).isEqualTo(1);

        consumer.close();

        await().untilAsserted(() -> {
            assertThat(connections(star.gateway(), tunnel)).isZero();
            assertThat(highwayThreads()).isSubsetOf(before);
        });
    }

    private static Set<String> highwayThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(Thread::isAlive)
                .map(Thread::getName)
                .filter(name -> name.startsWith("highway-"))
                .collect(Collectors.toSet());
    }

    @ParameterizedTest
    @EnumSource
    void fallsBackHome_onlyWhereAllowed_andOnlyIfNotSent(Tunnel tunnel) throws Exception {
        Shop shop = star.shop(
                tunnel,
                "highway.islands.shanghai.fallback",
                "home",
                "highway.islands.shanghai.timeout",
                "300ms",
                "highway.islands.beijing.retries",
                "0");
        await().untilAsserted(() -> assertThat(toShanghai(shop)).isEqualTo("shanghai:tea"));
        star.homeShop.received.clear();
        assertThatThrownBy(() -> Highway.to("shanghai").call(() -> shop.slow(2000)))
                .isInstanceOfSatisfying(
                        HighwayException.class, e -> assertThat(e.reason()).isEqualTo(Reason.TIMEOUT));
        assertThat(star.homeShop.received).isEmpty();

        star.stopGateway();

        await().untilAsserted(() -> assertThat(toShanghai(shop)).isEqualTo("zhejiang:tea"));
        assertThat(Highway.to("shanghai").call(() -> shop.sellLater("tea")).get())
                .isEqualTo("zhejiang:tea");
        assertThat(star.homeShop.received).noneMatch(call -> call.attachments().containsKey("highway-island"));
        assertThatThrownBy(() -> Highway.to("beijing").call(() -> shop.sell("tea")))
                .isInstanceOf(HighwayException.class);
    }

    @ParameterizedTest
    @EnumSource
    void fallsBackHome_whenTheGatewayStatesThatItDidNotForward(Tunnel tunnel) throws Exception {
        Shop shop = star.shop(tunnel, "highway.defaults.fallback", "home", "highway.islands.atlantis.retries", "0");
        Shop atlantis = Highway.to("atlantis").bind(Shop.class, shop);

        assertThat(atlantis.sell("tea")).isEqualTo("zhejiang:tea");
        assertThat(atlantis.sellLater("tea").get()).isEqualTo("zhejiang:tea");
        assertThatThrownBy(() -> atlantis.refuseLater("why").get())
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(Shop.SoldOutException.class);
    }

    /** Dubbo says that the application has failed, and its other references go on. */
    @Test
    @SuppressWarnings("deprecation") // in favour of whole modules that start in the background
    void staysOpen_whenAStartInTheBackgroundFails() {
        TestApplication consumer = star.consumer(star.properties(Tunnel.TRIPLE));
        Shop shop = consumer.reference(Shop.class, config -> config.setUrl("dubbo://" + star.homeDubbo))
                .get();
        ConsumerConfig inBackground = new ConsumerConfig();
        inBackground.setReferAsync(true);
        consumer.refer(consumer.reference(Feed.class, config -> config.setConsumer(inBackground)));
        String before = Highway.to("shanghai").call(() -> shop.sell("tea"));

        new HighwayLifecycle().onFailure(consumer.model(), new IllegalStateException("no provider of Feed"));

        assertThat(before).isEqualTo("shanghai:tea");
        assertThat(Highway.to("shanghai").call(() -> shop.sell("tea"))).isEqualTo("shanghai:tea");
    }

    @ParameterizedTest
    @EnumSource
    void comesBack_whenAnotherApplicationOfTheFrameworkHasStopped(Tunnel tunnel) {
        FrameworkModel framework = new FrameworkModel();
        TestApplication first = new TestApplication(framework, "zhejiang", star.properties(tunnel));
        TestApplication second = star.closing(new TestApplication(framework, "zhejiang", star.properties(tunnel)));
        Shop gone = first.reference(Shop.class, config -> config.setUrl("dubbo://" + star.homeDubbo))
                .get();
        Shop shop = second.reference(Shop.class, config -> config.setUrl("dubbo://" + star.homeDubbo))
                .get();
        assertThat(toShanghai(gone)).isEqualTo("shanghai:tea");
        assertThat(toShanghai(shop)).isEqualTo("shanghai:tea");

        first.stop();
        star.restartGateway(star.stopGateway());

        await().ignoreExceptions()
                .untilAsserted(() -> assertThat(toShanghai(shop)).isEqualTo("shanghai:tea"));
    }

    @ParameterizedTest
    @EnumSource
    void leavesTheCallsOfOtherApplicationsAlone_whenOneStops(Tunnel tunnel) throws Exception {
        FrameworkModel framework = new FrameworkModel();
        TestApplication first = new TestApplication(framework, "zhejiang", star.properties(tunnel));
        TestApplication second = star.closing(new TestApplication(framework, "zhejiang", star.properties(tunnel)));
        Shop stopping = first.reference(Shop.class, config -> config.setUrl("dubbo://" + star.homeDubbo))
                .get();
        Shop shop = second.reference(Shop.class, config -> config.setUrl("dubbo://" + star.homeDubbo))
                .get();
        star.shanghai.shop.received.clear();
        CompletableFuture<String> lost =
                CompletableFuture.supplyAsync(() -> Highway.to("shanghai").call(() -> stopping.slow(4_000)));
        CompletableFuture<String> kept =
                CompletableFuture.supplyAsync(() -> Highway.to("shanghai").call(() -> shop.slow(4_000)));
        await().until(() -> star.shanghai.shop.received.size() == 2);

        first.stop();
        star.shanghai.shop.hurry();

        assertThat(kept).succeedsWithin(Duration.ofSeconds(10));
        await().until(lost::isDone);
    }

    @Test
    void staysOpen_whenAnotherModuleFailsToStart() {
        TestApplication consumer = star.consumer(star.properties(Tunnel.TRIPLE));
        Shop shop = consumer.reference(Shop.class, config -> config.setUrl("dubbo://" + star.homeDubbo))
                .get();
        consumer.model().getDefaultModule().getDeployer().start();
        assertThat(toShanghai(shop)).isEqualTo("shanghai:tea");

        new HighwayLifecycle().onFailure(consumer.model(), new IllegalStateException("no provider of Feed"));

        assertThat(toShanghai(shop)).isEqualTo("shanghai:tea");
    }

    @ParameterizedTest
    @CsvSource({"DUBBO,dubbo,none", "DUBBO,dubbo,home", "DUBBO,auto,none", "DUBBO,auto,home", "TRIPLE,triple,none"})
    void takesAddressesInTurn_whateverThePolicy(Tunnel tunnel, String policy, String fallback) {
        Gateway other = star.closing(star.anotherGateway());
        String both = star.gatewayAddress() + ",gateway.zhejiang.test:" + other.port();
        Shop shop = star.shop(
                tunnel,
                "highway.gateways.dubbo",
                both,
                "highway.gateways.triple",
                both,
                "highway.defaults.tunnel",
                policy,
                "highway.defaults.fallback",
                fallback,
                "highway.heartbeat.interval",
                "none");
        await().until(() -> connections(other, tunnel) == 1 && connections(star.gateway(), tunnel) == 1);

        for (int i = 0; i < 20; i++) {
            assertThat(toShanghai(shop)).isEqualTo("shanghai:tea");
        }

        assertThat(other.stats().forwarded()).isBetween(8L, 12L);
    }
}
