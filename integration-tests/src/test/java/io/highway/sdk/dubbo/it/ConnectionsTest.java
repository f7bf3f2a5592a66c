// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.CallOutcome;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.HighwayOutcome;
import io.highway.sdk.dubbo.Outcome;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.tools.fixtures.faults.FaultyLink;
import io.highway.tools.fixtures.logs.CapturedLog;
import io.highway.tools.gateway.Gateway;
import io.highway.tools.gateway.GatewayStats;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.rpc.RpcContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections to a gateway that drain, are lost or unresponsive, and the outcome of their calls. */
@Tag("network")
class ConnectionsTest extends OnFaultyStar {

    private static TunnelKind kind(Tunnel tunnel) {
        return tunnel == Tunnel.DUBBO ? TunnelKind.DUBBO : TunnelKind.TRIPLE;
    }

    @ParameterizedTest
    @EnumSource(Tunnel.class)
    void areMade_whereTheFirstAnswerTakesLong_andTheFirstCallWaits(Tunnel tunnel) {
        FaultyLink link = star.link(star.star.gateway());
        link.delay(Duration.ofMillis(1200)); // each way, as to a provider behind a layer-4 gateway

        Shop shop = star.shop(
                events,
                tunnel,
                FaultyStar.address(link.port()),
                "highway.heartbeat.interval",
                "none",
                "highway.islands.shanghai.timeout",
                "10s");

        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
    }

    /** A virtual address over two gateways, of which one drains while it waits for an answer. */
    @Test
    void connectsAnewAtOnce_whenTheGatewayDrains_andLetsCallsInFlightEnd() throws Exception {
        Gateway draining = star.gateway();
        Gateway other = star.gateway();
        FaultyLink address = star.link(draining);
        Shop shop =
                star.shop(events, Tunnel.DUBBO, FaultyStar.address(address.port()), "highway.defaults.timeout", "60s");
        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
        star.shanghai().received.clear();
        CompletableFuture<String> inFlight = RpcContext.getServiceContext().asyncCall(() -> shop.slow(60_000));
        await().until(() -> !star.shanghai().received.isEmpty());

        address.redirect(other.port());
        CompletableFuture<Void> closed = CompletableFuture.runAsync(draining::close);
        await().pollInterval(Duration.ofMillis(1)).until(() -> {
            assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
            return other.stats().dubboConnections() == 1;
        });
        for (int i = 0; i < 10; i++) {
            assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
        }

        assertThat(inFlight).isNotDone();
        assertThat(closed).isNotDone();
        star.hurry();
        assertThat(inFlight.get(10, TimeUnit.SECONDS)).isEqualTo("shanghai:60000");
        closed.get(20, TimeUnit.SECONDS);
        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
        assertThat(events.outcomes).allMatch(one -> one.outcome() == Outcome.DELIVERED);
    }

    /** The executors of answers belong to an application. */
    @ParameterizedTest
    @EnumSource
    void logNoMissingExecutor_inAnApplicationWithoutAnotherConnection(Tunnel tunnel) throws Exception {
        try (CapturedLog log = new CapturedLog()) {
            Shop shop = star.star.reference(Shop.class, star.star.properties(tunnel), config -> config.setLazy(true));

            assertThat(Highway.to("shanghai").call(() -> shop.sellLater("tea")).get(5, TimeUnit.SECONDS))
                    .isEqualTo("shanghai:tea");

            assertThat(log.lines("No available executors")).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void losesNoCall_whenTheGatewayDrains_thoughItWasDownAtFirst(Tunnel tunnel) {
        Gateway draining = star.gateway();
        FaultyLink link = star.link(draining);
        link.refuse();
        Shop shop = Highway.to("shanghai")
                .bind(
                        Shop.class,
                        star.connecting(
                                events,
                                tunnel,
                                FaultyStar.address(link.port()),
                                "highway.islands.shanghai.idempotent",
                                "sell", // for a call that is on its way when the gateway has no other one in flight,
                                // and closes
                                "highway.islands.shanghai.retries",
                                "2"));
        await().untilAsserted(() -> assertThatThrownBy(() -> shop.sell("tea")).hasMessageContaining("refused"));
        link.open();
        await().during(Duration.ofMillis(1500)).ignoreExceptions().until(() -> shop.sell("tea")
                .equals("shanghai:tea"));

        try (Callers callers = new Callers(shop, Callers.CallForm.SYNC)) {
            link.redirect(star.gateway().port());
            draining.close();
            callers.awaitMoreOfEach(50);
            callers.assertNothingFailed();
        }
    }

    /** The gateway goes on for long after it has asked to send nothing new. */
    @Test
    void closesAConnectionThatDrained_whenItsCallsHaveEnded() throws Exception {
        try (RawDubboGateway gateway = new RawDubboGateway()) {
            Shop shop = star.shop( // whose calls are counted without health checks
                    events,
                    Tunnel.DUBBO,
                    FaultyStar.address(gateway.port()),
                    "highway.heartbeat.interval",
                    "none",
                    "highway.defaults.timeout",
                    "30s"); // longer than the test: a call whose time is over would end the connection
            CompletableFuture<String> inFlight = RpcContext.getServiceContext().asyncCall(() -> shop.sell("tea"));
            await().until(() -> gateway.calls() == 1);
            assertThat(gateway.open()).isEqualTo(1);

            gateway.drain();

            await().until(() -> gateway.open() == 2);
            await().during(Duration.ofMillis(1500)).until(() -> gateway.open() == 2);
            gateway.answerAll();
            assertThat(inFlight.exceptionally(Throwable::toString).get(10, TimeUnit.SECONDS))
                    .contains(RawDubboGateway.ANSWER);
            await().until(() -> gateway.open() == 1);
        }
    }

    /** The connection is replaced while an argument is serialised. */
    @Test
    void keepsAConnectionThatDrained_forACallThatIsBeingWritten() throws Exception {
        try (RawDubboGateway gateway = new RawDubboGateway()) {
            Shop shop = star.shop(
                    events,
                    Tunnel.DUBBO,
                    FaultyStar.address(gateway.port()),
                    "highway.heartbeat.interval",
                    "none",
                    "highway.defaults.timeout",
                    "20s");
            Shop.SlowOrder order = new Shop.SlowOrder();
            CompletableFuture<Object> inFlight = CompletableFuture.supplyAsync(() -> shop.order(order));
            await().until(order.begun::isDone);

            gateway.drain();
            await().until(() -> gateway.open() == 2);
            order.goOn.complete(null);

            await().until(() -> gateway.calls() == 1);
            await().during(Duration.ofMillis(1500)).until(() -> gateway.open() == 2);
            gateway.answerAll();
            assertThat(inFlight.exceptionally(Throwable::toString).get(10, TimeUnit.SECONDS))
                    .asString()
                    .contains(RawDubboGateway.ANSWER);
            await().until(() -> gateway.open() == 1);
        }
    }

    @Test
    void deliversTheAnswers_thatTheGatewayWroteBeforeItClosed() throws Exception {
        int calls = 100;
        List<CompletableFuture<String>> inFlight = new ArrayList<>();
        try (RawDubboGateway gateway = new RawDubboGateway()) {
            Shop shop = star.shop(
                    events, Tunnel.DUBBO, FaultyStar.address(gateway.port()), "highway.defaults.timeout", "60s");
            for (int i = 0; i < calls; i++) {
                inFlight.add(RpcContext.getServiceContext().asyncCall(() -> shop.sell("tea")));
            }
            await().until(() -> gateway.calls() >= calls); // health checks count too

            gateway.answerAll();
        }

        for (CompletableFuture<String> call : inFlight) {
            assertThat(call.exceptionally(Throwable::toString).get(10, TimeUnit.SECONDS))
                    .contains(RawDubboGateway.ANSWER);
        }
    }

    @ParameterizedTest
    @EnumSource
    void opensOneConnection_whateverItCarries(Tunnel tunnel) throws Exception {
        Gateway gateway = star.gateway();
        Shop shop = star.shop(events, tunnel, FaultyStar.address(gateway.port()));

        List<CompletableFuture<String>> calls =
                Stream.generate(() -> shop.sellLater("tea")).limit(50).toList();

        for (CompletableFuture<String> call : calls) {
            assertThat(call.get(10, TimeUnit.SECONDS)).isEqualTo("shanghai:tea");
        }
        GatewayStats stats = gateway.stats();
        assertThat(stats.dubboConnections() + stats.tripleConnections()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void letsTheNextCallWaitForTheOnlyConnection_whenThatWasReset(Tunnel tunnel) throws Exception {
        FaultyLink link = star.link(star.gateway());
        Shop shop = star.shop(events, tunnel, FaultyStar.address(link.port()));
        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");

        for (int i = 0; i < 6; i++) {
            link.reset();
            long begin = System.nanoTime();
            // what is written before the loss is seen is lost; it may be renewed before this looks
            await().pollInterval(Duration.ofMillis(1))
                    .until(() -> !star.isUp() || System.nanoTime() - begin > 700_000_000L);

            assertThat(i % 2 == 0 ? shop.sell("tea") : shop.sellLater("tea").get(5, TimeUnit.SECONDS))
                    .isEqualTo("shanghai:tea");
        }

        assertThat(events.outcomes).allMatch(one -> one.outcome() == Outcome.DELIVERED);
    }

    @ParameterizedTest
    @EnumSource
    void releasesThePermitOfACall_thatIsLostWithItsConnection(Tunnel tunnel) {
        FaultyLink link = star.link(star.gateway());
        Shop shop = star.shop(
                events, tunnel, FaultyStar.address(link.port()), "highway.islands.shanghai.max-concurrent", "1");
        CompletableFuture<String> lost = RpcContext.getServiceContext().asyncCall(() -> shop.slow(8000));
        await().until(() ->
                star.shanghai().received.stream().anyMatch(call -> call.method().equals("slow")));

        link.reset();

        assertThat(lost).failsWithin(Duration.ofSeconds(3));
        await().ignoreExceptions()
                .untilAsserted(() -> assertThat(shop.sell("tea")).isEqualTo("shanghai:tea"));
    }

    @ParameterizedTest
    @EnumSource
    void keepsNoThreadWaitingForAConnection_whenTheCallIsAsynchronous(Tunnel tunnel) throws Exception {
        FaultyLink link = star.link(star.gateway());
        Shop shop = star.shop(events, tunnel, FaultyStar.address(link.port()), "highway.defaults.timeout", "20s");
        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
        link.blackHole(); // an attempt takes as long as it may
        link.reset();
        await().pollInterval(Duration.ofMillis(1)).until(() -> !star.isUp());

        List<CompletableFuture<String>> calls =
                List.of(shop.sellLater("tea"), RpcContext.getServiceContext().asyncCall(() -> shop.sell("tea")));

        assertThat(star.isUp()).isFalse();
        assertThat(calls).noneMatch(CompletableFuture::isDone);
        link.heal();
        for (CompletableFuture<String> call : calls) { // on a busy machine the attempt may be over by then
            assertThat(call.exceptionally(Throwable::getMessage).get(10, TimeUnit.SECONDS))
                    .containsAnyOf("shanghai:tea", "gateway-down");
        }
    }

    /** Dubbo 3.2 would do so on an event loop, and wait there for a second with every other connection of that loop. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void areNotReconnectedByDubbo_whenTheGatewayIsGone(boolean drains) {
        try (CapturedLog log = new CapturedLog()) {
            Gateway gateway = star.gateway();
            FaultyLink link = star.link(gateway);
            Shop shop = star.shop(events, Tunnel.TRIPLE, FaultyStar.address(link.port()));
            assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");

            link.refuse();
            if (drains) {
                gateway.close();
            }
            link.reset();

            await().during(Duration.ofSeconds(3)) // Dubbo would begin after one and log it after two
                    .until(() -> log.lines("RemotingException: client(url").stream()
                            .noneMatch(line -> line.contains(FaultyStar.address(link.port()) + "/")));
        }
    }

    @Test
    void letsTheNextCallWait_thoughDubboIsSlowToForgetTheTripleConnectionThatWasLost() {
        FaultyLink link = star.link(star.gateway());
        Shop shop = star.shop(events, Tunnel.TRIPLE, FaultyStar.address(link.port()));
        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
        GlobalEventExecutor.INSTANCE.execute(() -> LockSupport.parkNanos(600_000_000L));

        link.reset();
        await().pollInterval(Duration.ofMillis(1)).until(() -> !star.isUp());
        CompletableFuture<String> next = shop.sellLater("tea");

        await().until(next::isDone); // fails if a thread has ended with an error
        assertThat(next).isCompletedWithValue("shanghai:tea");
    }

    @ParameterizedTest
    @EnumSource
    void renewsAConnectionThatHasGoneDeaf(Tunnel tunnel) {
        FaultyLink link = star.link(star.gateway());
        Shop shop = star.shop(
                events,
                tunnel,
                FaultyStar.address(link.port()),
                "highway.defaults.timeout",
                "2s",
                "highway.defaults.breaker.failure-rate",
                "none");
        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");

        link.forgetIdle(Duration.ZERO);

        await().atMost(Duration.ofSeconds(15)).ignoreExceptions().untilAsserted(() -> assertThat(shop.sell("tea"))
                .isEqualTo("shanghai:tea"));
    }

    /** Dubbo destroys an invoker only when the calls over it have ended, or after its shutdown time. */
    @ParameterizedTest
    @EnumSource
    void renewsAConnectionThatHasGoneDeaf_whileACallIsInFlight(Tunnel tunnel) throws Exception {
        FaultyLink link = star.link(star.gateway());
        Shop shop = star.shop(
                events,
                tunnel,
                FaultyStar.address(link.port()),
                "highway.defaults.timeout",
                "60s",
                "highway.heartbeat.interval",
                "none",
                "dubbo.service.shutdown.wait",
                "20000");
        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
        star.shanghai().received.clear();
        CompletableFuture<Throwable> underWay = CompletableFuture.supplyAsync(
                () -> catchThrowable(() -> shop.slow(60_000)), task -> new Thread(task).start());
        await().until(() ->
                star.shanghai().received.stream().anyMatch(call -> call.method().equals("slow")));

        link.forgetIdle(Duration.ZERO);

        await().atMost(Duration.ofSeconds(10)) // 5.1 to 5.2 s were measured, 5 s of silence among them
                .pollInterval(Duration.ofMillis(20))
                .until(() -> RpcContext.getServiceContext()
                        .asyncCall(() -> shop.sell("tea"))
                        .completeOnTimeout("", 200, TimeUnit.MILLISECONDS)
                        .exceptionally(failure -> "")
                        .get()
                        .equals("shanghai:tea"));
        assertThat(underWay.get(10, TimeUnit.SECONDS))
                .isInstanceOfSatisfying(HighwayException.class, failure -> assertThat(failure.mayHaveRun())
                        .isTrue());
    }

    @ParameterizedTest
    @EnumSource
    void reconnects_whileDestroyedReferencesWaitForTheirCallsInFlight(Tunnel tunnel) {
        FaultyLink one = star.link(star.gateway());
        FaultyLink other = star.link(star.gateway());
        star.free(
                events,
                tunnel,
                FaultyStar.address(one.port()) + "," + FaultyStar.address(other.port()),
                "highway.defaults.timeout",
                "60s",
                "dubbo.service.shutdown.wait",
                "20000");
        other.refuse();
        other.reset();
        await().until(() -> !star.isUp());
        List<ReferenceConfig<Shop>> references = Stream.generate(() -> star.consumer()
                        .reference(Shop.class, config -> config.setUrl("dubbo://" + star.star.homeDubbo)))
                .limit(6)
                .toList();
        for (ReferenceConfig<Shop> reference : references) {
            Shop shop = Highway.to("shanghai").bind(Shop.class, reference.get());
            new Thread(() -> catchThrowable(() -> shop.slow(60_000))).start();
        }
        await().until(() -> star.shanghai().received.size() >= references.size());

        references.forEach(ReferenceConfig::destroy);
        other.open();

        await().atMost(Duration.ofSeconds(8)).until(star::isUp);
    }

    @ParameterizedTest
    @EnumSource
    void leavesAConnectionAlone_whileItsGatewayAnswers_thoughTheIslandDoesNot(Tunnel tunnel) throws Exception {
        FaultyLink toShanghai = star.link(star.star.shanghai.gateway());
        Gateway gateway = star.gatewayOver(toShanghai);
        Shop shop = star.shop(
                events,
                tunnel,
                FaultyStar.address(gateway.port()),
                "highway.defaults.timeout",
                "30s",
                "highway.heartbeat.interval",
                "500ms");
        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
        star.shanghai().received.clear();

        CompletableFuture<String> underWay = CompletableFuture.supplyAsync(() -> shop.slow(20_000));
        await().until(() ->
                star.shanghai().received.stream().anyMatch(call -> call.method().equals("slow")));
        toShanghai.blackHole();
        await().atMost(Duration.ofSeconds(20)).until(() -> events.missedBeats("shanghai") > 0);
        long silent = System.nanoTime();
        await().atMost(Duration.ofSeconds(20))
                .until(() -> System.nanoTime() - silent > 7_000_000_000L || underWay.isDone());
        toShanghai.heal();
        star.hurry();

        assertThat(underWay.get(20, TimeUnit.SECONDS)).startsWith("shanghai:");
    }

    private static CallOutcome last() {
        return HighwayOutcome.last().orElseThrow();
    }

    @ParameterizedTest
    @EnumSource
    void tellsTheCallerHowItsLastCallEnded(Tunnel tunnel) throws Exception {
        Gateway gateway = star.gateway();
        Shop shop = star.free(
                events,
                tunnel,
                FaultyStar.address(gateway.port()),
                "highway.islands.shanghai.fallback",
                "home",
                "highway.islands.shanghai.deny",
                "order");
        Shop shanghai = Highway.to("shanghai").bind(Shop.class, shop);

        assertThat(shanghai.sell("tea")).isEqualTo("shanghai:tea");
        assertThat(last().outcome()).isEqualTo(Outcome.DELIVERED);
        assertThat(last().call()).isEqualTo(Shop.class.getName() + "#sell");
        assertThat(last().island()).isEqualTo("shanghai");
        assertThat(last().tunnel()).isEqualTo(kind(tunnel));
        assertThat(last().gateway().port()).isEqualTo(gateway.port());
        assertThat(last().servedAtHome()).isFalse();

        assertThatThrownBy(() -> shanghai.refuse("why")).isInstanceOf(Shop.SoldOutException.class);
        assertThat(last().outcome()).isEqualTo(Outcome.DELIVERED);
        assertThat(last().call()).isEqualTo(Shop.class.getName() + "#refuse");

        assertThatThrownBy(() -> shanghai.order(new Shop.Order("tea", null))).isInstanceOf(HighwayException.class);
        assertThat(last().outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(last().reason()).isEqualTo(Reason.DENIED);
        assertThat(last().gateway()).isNull();

        assertThat(shop.sell("tea")).isEqualTo("zhejiang:tea"); // not routed, so nothing is published
        assertThat(last().reason()).isEqualTo(Reason.DENIED);

        assertThat(shanghai.sellLater("tea").get(5, TimeUnit.SECONDS)).isEqualTo("shanghai:tea");
        assertThat(HighwayOutcome.last()).isEmpty();

        assertThat(shanghai.sell("tea")).isEqualTo("shanghai:tea");
        assertThat(HighwayOutcome.last()).isPresent();
        assertThat(RpcContext.getServiceContext()
                        .asyncCall(() -> shanghai.sell("tea"))
                        .get(5, TimeUnit.SECONDS))
                .isEqualTo("shanghai:tea");
        assertThat(HighwayOutcome.last()).isEmpty();

        gateway.closeNow();
        await().until(() -> !star.isUp());
        assertThat(shanghai.sell("tea")).isEqualTo("zhejiang:tea");
        assertThat(last().outcome()).isEqualTo(Outcome.NOT_SENT);
        assertThat(last().reason()).isEqualTo(Reason.GATEWAY_DOWN);
        assertThat(last().servedAtHome()).isTrue();
        assertThat(last().island()).isEqualTo("shanghai");
    }
}
