// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.CallOutcome;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.HighwayExplain;
import io.highway.sdk.dubbo.HighwayReport;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.TrafficClass;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.sdk.dubbo.internal.caller.endpoint.Destination;
import io.highway.sdk.dubbo.internal.network.connection.ConnectionPool;
import io.highway.sdk.dubbo.internal.network.connection.ReconnectingLink;
import io.highway.sdk.dubbo.internal.policy.PolicyParser;
import io.highway.sdk.dubbo.internal.policy.RawSettings;
import io.highway.tools.fixtures.faults.FaultyLink;
import io.highway.tools.gateway.Gateway;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.dubbo.common.stream.StreamObserver;
import org.apache.dubbo.rpc.RpcContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Bulk calls and all others: their connections and limits. */
@Tag("network")
class TrafficClassesTest extends OnFaultyStar {

    private static final String BULK = "highway.islands.shanghai.bulk.";

    private Gateway gateway;
    private FaultyLink link;
    private Map<String, String> properties;

    private Shop shop(TunnelKind tunnel, String... more) {
        gateway = star.gateway();
        link = star.link(gateway);
        List<String> keys = new ArrayList<>(List.of(
                "highway.islands.shanghai.timeout",
                "20s",
                "highway.islands.shanghai.breaker.failure-rate",
                "none",
                "highway.heartbeat.interval",
                "none"));
        keys.addAll(List.of(more));
        String address = FaultyStar.address(link.port());
        properties = new HashMap<>(star.star.properties(tunnel, Star.gateways(tunnel, address)));
        for (int i = 0; i < keys.size(); i += 2) {
            properties.put(keys.get(i), keys.get(i + 1));
        }
        return star.shop(events, tunnel, address, keys.toArray(new String[0]));
    }

    private static Destination shanghai() {
        return HighwayRuntime.of(star.consumer().model()).destinations().of("shanghai");
    }

    private static ReconnectingLink connection(TrafficClass calls) {
        Destination destination = shanghai().of(calls);
        return destination.endpoints().get(0).connection();
    }

    /** Whether a connection for calls of this class has a call in flight. */
    private static boolean isUsed(TrafficClass calls) {
        return connection(calls).hasCallsInFlight();
    }

    private long connections(TunnelKind tunnel) {
        return Star.connections(gateway, tunnel);
    }

    private static CompletableFuture<String> occupy(Shop shop) {
        long before = received("slow");
        CompletableFuture<String> call = RpcContext.getServiceContext().asyncCall(() -> shop.slow(15_000));
        await().atMost(Duration.ofSeconds(10)).until(() -> received("slow") > before);
        return call;
    }

    private static long received(String method) {
        return star.shanghai().received.stream()
                .filter(call -> call.method().equals(method))
                .count();
    }

    private static void assertRefused(Throwable thrown, String limit) {
        assertThat(thrown instanceof ExecutionException ? thrown.getCause() : thrown)
                .isInstanceOfSatisfying(HighwayException.class, e -> {
                    assertThat(e.reason()).isEqualTo(Reason.BUSY);
                    assertThat(e.mayHaveRun()).isFalse();
                })
                .hasMessageContaining(limit);
    }

    static Stream<Arguments> tunnelsAndForms() {
        return Stream.of(TunnelKind.values())
                .flatMap(tunnel -> Stream.of(Callers.CallForm.values()).map(form -> Arguments.of(tunnel, form)));
    }

    @ParameterizedTest
    @EnumSource
    void usesOneMoreConnectionForBulkCalls(TunnelKind tunnel) throws Exception {
        Shop shop = shop(tunnel, BULK + "methods", "slow");
        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");

        CompletableFuture<String> bulk = occupy(shop);

        assertThat(isUsed(TrafficClass.BULK)).isTrue();
        assertThat(isUsed(TrafficClass.INTERACTIVE)).isFalse();
        await().until(() -> connections(tunnel) == 2);
        HighwayReport report = HighwayReport.of(star.consumer().model()).orElseThrow();
        assertThat(report.gateways().stream().map(HighwayReport.Gateway::trafficClass))
                .contains(TrafficClass.INTERACTIVE, TrafficClass.BULK);
        assertThat(report.islands().get("shanghai").inFlight()).isZero();
        assertThat(report.islands().get("shanghai").bulk()).satisfies(state -> {
            assertThat(state.inFlight()).isEqualTo(1);
            assertThat(state.maxConcurrent()).isEqualTo(2);
            assertThat(state.tunnel()).hasToString(tunnel.word());
            assertThat(state.endpoints())
                    .extracting(HighwayReport.Endpoint::state)
                    .containsExactly(HighwayReport.Endpoint.State.UNKNOWN);
        });
        star.hurry();
        assertThat(bulk.get(10, TimeUnit.SECONDS)).isEqualTo("shanghai:15000");
        await().until(() -> events.outcomes.size() == 2);
        assertThat(events.outcomes)
                .extracting(CallOutcome::trafficClass)
                .containsExactly(TrafficClass.INTERACTIVE, TrafficClass.BULK);

        CompletableFuture<String> interactive =
                RpcContext.getServiceContext().asyncCall(() -> shop.keep(new Shop.Order("tea", null)));
        await().until(() -> received("keep") == 1);

        assertThat(isUsed(TrafficClass.BULK)).isFalse();
        assertThat(isUsed(TrafficClass.INTERACTIVE)).isTrue();
        assertThat(HighwayReport.of(star.consumer().model()))
                .hasValueSatisfying(now ->
                        assertThat(now.islands().get("shanghai").inFlight()).isEqualTo(1));
        star.hurry();
        assertThat(interactive.get(10, TimeUnit.SECONDS)).isEqualTo("shanghai:kept");
    }

    @ParameterizedTest
    @EnumSource
    void sharesTheBulkConnectionAmongReferences_andReconnectsIt(TunnelKind tunnel) {
        Shop shop = shop(tunnel, BULK + "methods", "pack");
        Shop other = Highway.to("shanghai")
                .bind(
                        Shop.class,
                        star.consumer()
                                .reference(Shop.class, config -> config.setUrl("dubbo://" + star.star.homeDubbo))
                                .get());
        for (Shop one : List.of(shop, other)) {
            assertThat(one.pack(new byte[100])).hasSize(100);
            assertThat(one.sell("tea")).isEqualTo("shanghai:tea");
        }
        assertThat(connections(tunnel)).isEqualTo(2);

        link.reset();

        await().atMost(Duration.ofSeconds(15))
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(other.pack(new byte[100])).hasSize(100));
        await().atMost(Duration.ofSeconds(15)).until(star::isUp);
        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
        await().until(() -> connections(tunnel) == 2);
    }

    @ParameterizedTest
    @EnumSource
    void opensNoFurtherConnection_ifNoCallIsBulk(TunnelKind tunnel) {
        Shop shop = shop(tunnel);

        assertThat(shop.pack(new byte[1 << 20])).hasSize(1 << 20);
        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");

        assertThat(connections(tunnel)).isEqualTo(1);
        assertThat(shanghai().of(TrafficClass.BULK)).isSameAs(shanghai());
    }

    /** Each connection carries 100 KB/s, so that the large request would take ten seconds. */
    @ParameterizedTest
    @EnumSource
    void letsAnInteractiveCallPassABulkOne(TunnelKind tunnel) throws Exception {
        Shop shop = shop(tunnel, BULK + "over", "16KB");
        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
        link.limit(100_000);

        CompletableFuture<byte[]> bulk = RpcContext.getServiceContext().asyncCall(() -> shop.pack(new byte[1_000_000]));
        await().until(() -> isUsed(TrafficClass.BULK));
        for (int i = 0; i < 5; i++) {
            assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
        }

        assertThat(bulk).isNotDone();
        link.heal();
        assertThat(bulk.get(15, TimeUnit.SECONDS)).hasSize(1_000_000);
    }

    @ParameterizedTest
    @MethodSource("tunnelsAndForms")
    void refusesBulkCallsAboveTheirLimit_andNoOthers(TunnelKind tunnel, Callers.CallForm form) throws Exception {
        Shop shop = shop(
                tunnel,
                BULK + "methods",
                "slow",
                BULK + "max-concurrent",
                "1",
                BULK + "max-wait",
                "100ms",
                "highway.islands.shanghai.max-concurrent",
                "1");
        CompletableFuture<String> first = occupy(shop);

        assertRefused(catchThrowable(() -> shop.slow(15_000)), "the limit of bulk calls in flight, 1, is reached");
        assertRefused(
                catchThrowable(() -> RpcContext.getServiceContext()
                        .asyncCall(() -> shop.slow(15_000))
                        .get(10, TimeUnit.SECONDS)),
                "highway.islands.shanghai.bulk.max-concurrent");
        form.call(shop);

        assertThat(received("slow")).isEqualTo(1);
        star.hurry();
        assertThat(first.get(10, TimeUnit.SECONDS)).isEqualTo("shanghai:15000");
    }

    @ParameterizedTest
    @EnumSource
    void admitsBulkCalls_thoughTheLimitOfTheOthersIsReached(TunnelKind tunnel) throws Exception {
        Shop shop = shop(
                tunnel,
                BULK + "methods",
                "sell",
                BULK + "max-wait",
                "0",
                "highway.islands.shanghai.max-concurrent",
                "1");
        CompletableFuture<String> interactive = occupy(shop);

        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
        assertRefused(catchThrowable(() -> shop.nothing("")), "the limit of calls in flight, 1, is reached");

        star.hurry();
        assertThat(interactive.get(10, TimeUnit.SECONDS)).isEqualTo("shanghai:15000");
    }

    @ParameterizedTest
    @EnumSource
    void letsBulkCallsWait_unlessConfiguredOtherwise(TunnelKind tunnel) throws Exception {
        Shop shop = shop(tunnel, BULK + "methods", "slow,sell", BULK + "max-concurrent", "1");
        CompletableFuture<String> first = occupy(shop);

        CompletableFuture<String> second = RpcContext.getServiceContext().asyncCall(() -> shop.sell("tea"));
        CompletableFuture<String> third = CompletableFuture.supplyAsync(() -> shop.sell("salt"));

        assertThat(received("sell")).isZero();
        star.hurry();
        assertThat(first.get(10, TimeUnit.SECONDS)).isEqualTo("shanghai:15000");
        assertThat(second.get(10, TimeUnit.SECONDS)).isEqualTo("shanghai:tea");
        assertThat(third.get(10, TimeUnit.SECONDS)).isEqualTo("shanghai:salt");
    }

    @ParameterizedTest
    @EnumSource
    void waitForAPermitNoLongerThanTheirTime(TunnelKind tunnel) {
        Shop shop = shop(tunnel, BULK + "methods", "slow,sell", BULK + "max-concurrent", "1", BULK + "max-wait", "9s");
        CompletableFuture<String> first = occupy(shop);

        RpcContext.getClientAttachment().setAttachment("timeout", "300");

        assertThat(catchThrowable(() -> shop.sell("tea")))
                .isInstanceOfSatisfying(
                        HighwayException.class, e -> assertThat(e.reason()).isEqualTo(Reason.NO_TIME_LEFT));
        star.hurry();
        assertThat(first).succeedsWithin(Duration.ofSeconds(10));
    }

    /** While the only bulk permit is taken, bulk calls are refused and others are served. */
    @ParameterizedTest
    @EnumSource
    void comparesTheSizeOfARequestWithTheLimit(TunnelKind tunnel) throws Exception {
        Shop shop = shop(
                tunnel,
                BULK + "methods",
                "slow",
                BULK + "over",
                "8KB",
                BULK + "max-concurrent",
                "1",
                BULK + "max-wait",
                "0");
        CompletableFuture<String> first = occupy(shop);

        assertThat(shop.pack(new byte[8_100])).hasSize(8_100); // and a few bytes of the serialization
        assertThat(shop.sell("t".repeat(8_100))).hasSize(9 + 8_100);
        assertThat(shop.order(new Shop.Order("t".repeat(7_000), null)).getItem())
                .hasSize(9 + 7_000);
        assertThat(shop.find(new HashMap<>(Map.of("code", "t")))).isEqualTo("shanghai:t");
        String busy = "the limit of bulk calls in flight, 1, is reached";
        assertRefused(catchThrowable(() -> shop.pack(new byte[8_193])), busy);
        assertRefused(catchThrowable(() -> shop.sell("t".repeat(8_193))), busy);
        assertRefused(catchThrowable(() -> shop.sell("\u8336".repeat(2_731))), busy); // three bytes each
        assertRefused(catchThrowable(() -> shop.order(new Shop.Order("t".repeat(8_193), null))), busy);
        assertRefused(catchThrowable(() -> shop.find(new HashMap<>(Map.of("code", "t".repeat(8_193))))), busy);

        star.hurry();
        assertThat(first.get(10, TimeUnit.SECONDS)).isEqualTo("shanghai:15000");
        assertThat(shop.pack(new byte[8_193])).hasSize(8_193);
    }

    @Test
    void explainsTheClassOfAMethod() {
        Shop shop =
                shop(TunnelKind.DUBBO, BULK + "methods", "pack", BULK + "max-concurrent", "3", BULK + "max-wait", "2s");
        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");

        HighwayExplain.Limits bulk = limits("pack");
        HighwayExplain.Limits interactive = limits("sell");

        assertThat(bulk.trafficClass()).isEqualTo(TrafficClass.BULK);
        assertThat(bulk.maxConcurrent()).isEqualTo(3);
        assertThat(bulk.maxWaitMillis()).isEqualTo(2000);
        assertThat(interactive.trafficClass()).isEqualTo(TrafficClass.INTERACTIVE);
        assertThat(interactive.maxConcurrent()).isNull();
    }

    private static HighwayExplain.Limits limits(String method) {
        return HighwayExplain.of(
                        star.consumer().model(),
                        HighwayExplain.Call.of(Shop.class.getName(), method).attachment("shanghai"))
                .get(0)
                .limits();
    }

    @Test
    void carriesStreamsOfBulkMethods_withoutAPermit() throws Exception {
        Shop shop = shop(
                TunnelKind.TRIPLE, BULK + "methods", "slow,sum", BULK + "max-concurrent", "1", BULK + "over", "1B");
        CompletableFuture<String> first = occupy(shop);
        star.hurry();
        assertThat(first.get(10, TimeUnit.SECONDS)).isEqualTo("shanghai:15000");
        Feed feed = Highway.to("shanghai")
                .bind(
                        Feed.class,
                        star.consumer()
                                .reference(Feed.class, config -> {
                                    config.setUrl("tri://" + star.star.shanghai.tripleAddress);
                                    config.setCheck(false);
                                })
                                .get());
        occupy(shop);
        CompletableFuture<Integer> sum = new CompletableFuture<>();

        StreamObserver<String> numbers = feed.sum(into(sum));
        numbers.onNext("1");
        numbers.onNext("2");
        assertThat(isUsed(TrafficClass.INTERACTIVE)).isFalse();
        numbers.onCompleted();

        assertThat(sum.get(10, TimeUnit.SECONDS)).isEqualTo(3);
        CompletableFuture<Integer> last = new CompletableFuture<>();
        StreamObserver<Integer> counted = into(last);
        feed.count(
                3,
                new StreamObserver<>() { // interactive: its size is unknown
                    @Override
                    public void onNext(String one) {
                        counted.onNext(Integer.parseInt(one.substring("shanghai:".length())));
                    }

                    @Override
                    public void onError(Throwable failure) {
                        counted.onError(failure);
                    }

                    @Override
                    public void onCompleted() {
                        counted.onCompleted();
                    }
                });
        assertThat(last.get(10, TimeUnit.SECONDS)).isEqualTo(3);
    }

    /** Completes with the last value. */
    private static StreamObserver<Integer> into(CompletableFuture<Integer> last) {
        return new StreamObserver<>() {
            private Integer value;

            @Override
            public void onNext(Integer next) {
                value = next;
            }

            @Override
            public void onError(Throwable failure) {
                last.completeExceptionally(failure);
            }

            @Override
            public void onCompleted() {
                last.complete(value);
            }
        };
    }

    private void swap(String... more) {
        Map<String, String> next = new HashMap<>(properties);
        for (int i = 0; i < more.length; i += 2) {
            next.put(more[i], more[i + 1]);
        }
        HighwayRuntime.of(star.consumer().model())
                .swap(PolicyParser.parse(RawSettings.of(next, "test"), "next", null)
                        .orElseThrow());
    }

    @ParameterizedTest
    @EnumSource
    void followsThePolicy(TunnelKind tunnel) throws Exception {
        Shop shop = shop(tunnel);
        star.consumer().model().getBeanFactory().getBean(ConnectionPool.class).grace(Duration.ofMillis(100));
        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
        assertThat(connections(tunnel)).isEqualTo(1);

        swap(BULK + "methods", "slow", BULK + "max-concurrent", "1", BULK + "max-wait", "0");
        CompletableFuture<String> bulk = occupy(shop);
        assertThat(isUsed(TrafficClass.BULK)).isTrue();
        assertRefused(catchThrowable(() -> shop.slow(1)), "bulk.max-concurrent");

        swap(BULK + "methods", "slow", BULK + "max-concurrent", "2", BULK + "max-wait", "0");
        CompletableFuture<String> second = occupy(shop);

        swap();
        assertThat(shanghai().of(TrafficClass.BULK)).isSameAs(shanghai());
        CompletableFuture<String> third = occupy(shop);
        assertThat(isUsed(TrafficClass.INTERACTIVE)).isTrue();
        star.hurry();
        for (CompletableFuture<String> call : List.of(bulk, second, third)) {
            assertThat(call.get(10, TimeUnit.SECONDS)).isEqualTo("shanghai:15000");
        }
        await().atMost(Duration.ofSeconds(15)).until(() -> connections(tunnel) == 1);
    }
}
