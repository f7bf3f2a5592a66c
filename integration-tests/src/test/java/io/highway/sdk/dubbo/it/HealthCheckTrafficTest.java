// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.tools.fixtures.faults.FaultyLink;
import io.highway.tools.fixtures.logs.CapturedLog;
import io.highway.tools.gateway.Gateway;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.dubbo.rpc.RpcContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How many health checks an application sends, and what an island that cannot be reached leaves in the log. */
@Tag("network")
@Tag("any-dubbo")
class HealthCheckTrafficTest extends OnFaultyStar {

    private Shop shop(Tunnel tunnel, int port, String... more) {
        return star.free(events, tunnel, FaultyStar.address(port), more);
    }

    private static void assertEndsAs(Reason reason, Runnable call) {
        assertThatThrownBy(call::run).isInstanceOfSatisfying(HighwayException.class, e -> assertThat(e.reason())
                .isEqualTo(reason));
    }

    @ParameterizedTest
    @EnumSource
    void backsOffToTheInterval_whileAnIslandCannotBeReached(Tunnel tunnel) {
        Shop shop = shop(
                tunnel,
                star.star.gateway().port(),
                "highway.islands.atlantis.retries",
                "0",
                "highway.heartbeat.interval",
                "1s");
        assertEndsAs(Reason.NOT_FORWARDED, () -> Highway.to("atlantis").run(() -> shop.sell("tea")));
        await().until(() -> events.missedBeats("atlantis") >= 3);
        long begin = System.nanoTime();

        await().until(() -> events.missedBeats("atlantis") >= 6);

        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofMillis(2000));
    }

    @ParameterizedTest
    @EnumSource
    void backsOff_whileOneTunnelOfTwoIsDead(Tunnel dead) {
        Gateway noRoute = star.gatewayWithoutRoutes();
        Tunnel alive = dead == Tunnel.DUBBO ? Tunnel.TRIPLE : Tunnel.DUBBO;
        Shop shop = shop(
                alive,
                star.star.gateway().port(),
                "highway.gateways." + dead.key(),
                FaultyStar.address(noRoute.port()),
                "highway.defaults.tunnel",
                "auto",
                "highway.heartbeat.interval",
                "1s");
        assertThat(Highway.to("shanghai").call(() -> shop.sell("tea"))).isEqualTo("shanghai:tea");
        await().until(() -> missedOver(dead) >= 3);
        long begin = System.nanoTime();

        await().until(() -> missedOver(dead) >= 6);

        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofMillis(2000));
    }

    private long missedOver(Tunnel tunnel) {
        return events.beats.stream()
                .filter(beat -> beat.island().equals("shanghai")
                        && beat.roundTrip() == null
                        && beat.gateway().kind() == TunnelKind.valueOf(tunnel.name()))
                .count();
    }

    @ParameterizedTest
    @EnumSource
    void logsOneLineWhenAnIslandBecomesUnreachable_andOneWhenItReturns(Tunnel tunnel) {
        FaultyLink toShanghai = star.link(star.star.shanghai.gateway());
        Gateway gateway = star.gatewayOver(toShanghai);
        try (CapturedLog log = new CapturedLog()) {
            Shop shop = Highway.to("shanghai")
                    .bind(Shop.class, shop(tunnel, gateway.port(), "highway.heartbeat.interval", "300ms"));
            assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
            await().until(() -> !events.roundTrips().isEmpty());
            assertThat(log.ofSdk("island shanghai")).isEmpty();

            toShanghai.refuse();
            toShanghai.reset();

            await().until(() -> !log.ofSdk("WARN", "island shanghai is unreachable", "not-forwarded")
                    .isEmpty());
            long missed = events.missedBeats("shanghai");
            await().until(() -> events.missedBeats("shanghai") >= missed + 3);

            toShanghai.heal();

            await().ignoreExceptions()
                    .untilAsserted(() -> assertThat(shop.sell("tea")).isEqualTo("shanghai:tea"));
            await().until(() ->
                    !log.ofSdk("INFO", "island shanghai is reachable again").isEmpty());
            assertThat(log.ofSdk("island shanghai")).hasSize(2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void oneIslandsFailuresRefuseNoCallsOfAnother(Tunnel tunnel) {
        FaultyLink nothingPasses = star.link(star.star.shanghai.gateway());
        nothingPasses.blackHole();
        Gateway gateway =
                star.gateway(config -> config.next("guangdong", List.of("127.0.0.1:" + nothingPasses.port())));
        Shop shop = shop(
                tunnel,
                gateway.port(),
                "highway.islands.guangdong.retries",
                "0",
                "highway.islands.hainan.retries",
                "0",
                "highway.heartbeat.interval",
                "none");

        timeOut(Highway.to("guangdong").bind(Shop.class, shop), 20);
        await().untilAsserted(() ->
                assertEndsAs(Reason.BREAKER_OPEN, () -> Highway.to("guangdong").run(() -> shop.sell("tea"))));

        assertEndsAs(Reason.NOT_FORWARDED, () -> Highway.to("hainan").run(() -> shop.sell("tea")));
    }

    private static void timeOut(Shop shop, int calls) {
        List<CompletableFuture<String>> all = IntStream.range(0, calls)
                .mapToObj(i -> {
                    RpcContext.getClientAttachment().setAttachment("timeout", "100");
                    return shop.sellLater("tea");
                })
                .toList();
        assertThat(all).allSatisfy(one -> assertThat(catchThrowable(() -> one.get(10, TimeUnit.SECONDS)))
                .cause()
                .isInstanceOfSatisfying(
                        HighwayException.class, e -> assertThat(e.reason()).isEqualTo(Reason.TIMEOUT)));
    }
}
