// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.CallOutcome;
import io.highway.sdk.dubbo.HighwayCustomizer;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.HighwayReport;
import io.highway.sdk.dubbo.IntentSource;
import io.highway.sdk.dubbo.Outcome;
import io.highway.sdk.dubbo.OutcomeListener;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.runtime.HighwayRuntime;
import io.highway.sdk.dubbo.internal.runtime.LastOutcomes;
import io.highway.tools.fixtures.ports.FreePorts;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.dubbo.common.stream.StreamObserver;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.service.GenericService;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Listeners receive the outcome of each routed call once, and a customizer adds them. */
@Tag("network")
class OutcomesTest {

    private static final Queue<CallOutcome> OUTCOMES = new ConcurrentLinkedQueue<>();
    private static final Queue<String> REQUESTS = new ConcurrentLinkedQueue<>();
    private static final OutcomeListener BROKEN = (outcome, invocation) -> {
        throw new AssertionError("a broken listener");
    };
    private static final Map<Tunnel, TestApplication> CONSUMERS = new EnumMap<>(Tunnel.class);
    private static final Map<Tunnel, Shop> SHOPS = new EnumMap<>(Tunnel.class);
    private static final Map<Tunnel, GenericService> GENERIC = new EnumMap<>(Tunnel.class);
    private static Star star;

    @BeforeAll
    static void start() {
        star = new Star();
        for (Tunnel tunnel : Tunnel.values()) {
            TestApplication consumer = consumer(tunnel);
            CONSUMERS.put(tunnel, consumer);
            ShopReferences shop = ShopReferences.of(consumer, star.homeDubbo);
            SHOPS.put(tunnel, shop.typed());
            GENERIC.put(tunnel, shop.generic());
        }
    }

    private static TestApplication consumer(Tunnel tunnel) {
        String nobody = "gateway.hub.test:" + FreePorts.next();
        TestApplication consumer = star.consumer(star.properties(
                tunnel,
                "highway.islands.shanghai.deny",
                "order",
                "highway.islands.hub.gateways." + tunnel.key(),
                nobody,
                "highway.islands.cloud.gateways." + tunnel.key(),
                nobody,
                "highway.islands.cloud.fallback",
                "home",
                "highway.islands.atlantis.fallback",
                "home"));
        consumer.model().getBeanFactory().registerBean((HighwayCustomizer) setup -> setup.outcomeListener(BROKEN)
                .outcomeListener(new Correlating())
                .outcomeListener((outcome, invocation) -> OUTCOMES.add(outcome))
                .set("highway.islands.beijing.keys", "110000,bj-*"));
        return consumer;
    }

    private static <S> S reference(TestApplication consumer, Class<S> type, String mock) {
        return consumer.reference(type, config -> {
                    config.setUrl("dubbo://" + star.homeDubbo);
                    if (!mock.isEmpty()) {
                        config.setMock(mock);
                    }
                })
                .get();
    }

    @AfterAll
    static void stop() {
        star.close();
    }

    @BeforeEach
    void forget() {
        OUTCOMES.clear();
        REQUESTS.clear();
    }

    static Stream<Arguments> tunnelsAndModes() {
        return Stream.of(Tunnel.values())
                .flatMap(tunnel -> Stream.of(Mode.values()).map(mode -> Arguments.of(tunnel, mode)));
    }

    private static CallOutcome only() {
        await().atMost(5, TimeUnit.SECONDS).until(() -> !OUTCOMES.isEmpty());
        assertThat(OUTCOMES).hasSize(1);
        return OUTCOMES.element();
    }

    /** Notes which request each outcome belongs to. */
    private static final class Correlating implements OutcomeListener {

        @Override
        public void onOutcome(CallOutcome outcome, Invocation invocation) {
            REQUESTS.add(invocation.getAttachment("request-id", "none") + " to " + outcome.island());
        }
    }

    /** Also of a call that no gateway carries and home serves. */
    @ParameterizedTest
    @MethodSource("tunnelsAndModes")
    void tellsWhichRequestAnOutcomeBelongsTo(Tunnel tunnel, Mode mode) {
        for (String island : List.of("shanghai", "tokyo", "hub", "cloud", "atlantis")) {
            REQUESTS.clear();
            String id = UUID.randomUUID().toString();

            RpcContext.getClientAttachment().setAttachment("request-id", id);
            in(island, tunnel, mode);
            RpcContext.getClientAttachment().removeAttachment("request-id");

            await().atMost(5, TimeUnit.SECONDS).until(() -> !REQUESTS.isEmpty());
            assertThat(REQUESTS).containsExactly(id + " to " + (island.equals("tokyo") ? null : island));
        }
    }

    private static void in(String island, Tunnel tunnel, Mode mode) {
        Throwable unused = catchThrowable(
                () -> Highway.to(island).callChecked(() -> mode.sell(SHOPS.get(tunnel), GENERIC.get(tunnel), "tea")));
    }

    @ParameterizedTest
    @MethodSource("tunnelsAndModes")
    void tellsThatACallWasDelivered(Tunnel tunnel, Mode mode) {
        in("shanghai", tunnel, mode);

        CallOutcome outcome = only();
        assertThat(outcome.outcome()).isEqualTo(Outcome.DELIVERED);
        assertThat(outcome.island()).isEqualTo("shanghai");
        assertThat(outcome.call()).startsWith(Shop.class.getName() + "#sell");
        assertThat(outcome.intent().source()).isEqualTo(IntentSource.SCOPE);
        assertThat(outcome.tunnel()).isEqualTo(tunnel == Tunnel.DUBBO ? TunnelKind.DUBBO : TunnelKind.TRIPLE);
        assertThat(outcome.reason()).isNull();
        assertThat(outcome.servedAtHome()).isFalse();
        assertThat(outcome.duration()).isPositive();
    }

    @ParameterizedTest
    @MethodSource("tunnelsAndModes")
    void countsABusinessExceptionAsDelivered(Tunnel tunnel, Mode mode) {
        Throwable sold = catchThrowable(() -> Highway.to("shanghai").callChecked(() -> {
            mode.refuse(SHOPS.get(tunnel), GENERIC.get(tunnel), "sold out");
            return "";
        }));

        assertThat(sold).isNotNull();
        assertThat(only().outcome()).isEqualTo(Outcome.DELIVERED);
    }

    @ParameterizedTest
    @MethodSource("tunnelsAndModes")
    void tellsThatACallWasNotForwarded_andServedAtHome(Tunnel tunnel, Mode mode) throws Throwable {
        String answer =
                Highway.to("atlantis").callChecked(() -> mode.sell(SHOPS.get(tunnel), GENERIC.get(tunnel), "tea"));

        assertThat(answer).isEqualTo("zhejiang:tea");
        CallOutcome outcome = only();
        assertThat(outcome.outcome()).isEqualTo(Outcome.NOT_SENT);
        assertThat(outcome.reason()).isEqualTo(Reason.NOT_FORWARDED);
        assertThat(outcome.servedAtHome()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("tunnelsAndModes")
    void tellsThatNoGatewayIsConnected(Tunnel tunnel, Mode mode) {
        in("hub", tunnel, mode);
        CallOutcome failed = only();
        OUTCOMES.clear();
        in("cloud", tunnel, mode);
        CallOutcome served = only();

        assertThat(failed.outcome()).isEqualTo(Outcome.NOT_SENT);
        assertThat(failed.reason()).isEqualTo(Reason.GATEWAY_DOWN);
        assertThat(failed.gateway()).isNull();
        assertThat(failed.servedAtHome()).isFalse();
        assertThat(served.outcome()).isEqualTo(Outcome.NOT_SENT);
        assertThat(served.servedAtHome()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(Tunnel.class)
    void reportsTheFailure_whenHomeHasNoProviderToFallBackTo(Tunnel tunnel) {
        Shop nowhere = CONSUMERS
                .get(tunnel)
                .reference(Shop.class, config -> {
                    config.setUrl("dubbo://zhejiang.test:" + FreePorts.next());
                    config.setCheck(false);
                })
                .get();

        for (String island : List.of("cloud", "atlantis")) {
            OUTCOMES.clear();
            Throwable failure = catchThrowable(() -> Highway.to(island).call(() -> nowhere.sell("tea")));
            Throwable later = catchThrowable(() ->
                    Highway.to(island).call(() -> nowhere.sellLater("tea")).get(5, TimeUnit.SECONDS));

            assertThat(failure).isInstanceOf(HighwayException.class);
            assertThat(later).hasCauseInstanceOf(HighwayException.class);
            await().atMost(5, TimeUnit.SECONDS).until(() -> OUTCOMES.size() == 2);
            assertThat(OUTCOMES).noneMatch(CallOutcome::servedAtHome);
        }
    }

    @ParameterizedTest
    @MethodSource("tunnelsAndModes")
    void tellsThatACallWasRefused(Tunnel tunnel, Mode mode) {
        in("tokyo", tunnel, mode);

        CallOutcome outcome = only();
        assertThat(outcome.outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(outcome.reason()).isEqualTo(Reason.UNKNOWN_ISLAND);
        assertThat(outcome.island()).as("callers may write anything").isNull();
    }

    @ParameterizedTest
    @EnumSource(Tunnel.class)
    void tellsTheDestination_whenARuleOfItRefuses(Tunnel tunnel) {
        Throwable denied = catchThrowable(
                () -> Highway.to("shanghai").call(() -> SHOPS.get(tunnel).order(new Shop.Order())));

        assertThat(denied).isNotNull();
        assertThat(only().island()).isEqualTo("shanghai");
        assertThat(OUTCOMES.element().reason()).isEqualTo(Reason.DENIED);
    }

    @ParameterizedTest
    @EnumSource(Tunnel.class)
    void tellsThatACallMayHaveRun(Tunnel tunnel) {
        Throwable late = catchThrowable(() -> Highway.to("shanghai").call(() -> {
            RpcContext.getClientAttachment().setAttachment("timeout", "1000");
            return SHOPS.get(tunnel).slow(4000);
        }));

        assertThat(late).isNotNull();
        assertThat(late.getMessage())
                .as("no URL of Dubbo with all its parameters")
                .hasSizeLessThan(700)
                .doesNotContain("interface=", "&");
        assertThat(only().outcome()).isEqualTo(Outcome.SENT_UNKNOWN);
        assertThat(OUTCOMES.element().reason()).isEqualTo(Reason.TIMEOUT);
    }

    @ParameterizedTest
    @MethodSource("tunnelsAndModes")
    void tellsNothing_whenACallStaysHome(Tunnel tunnel, Mode mode) throws Throwable {
        mode.sell(SHOPS.get(tunnel), GENERIC.get(tunnel), "tea");
        Highway.to("zhejiang").callChecked(() -> mode.sell(SHOPS.get(tunnel), GENERIC.get(tunnel), "tea"));

        assertThat(OUTCOMES).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Tunnel.class)
    void tellsHowTheCallEnded_whateverAMockAnswers(Tunnel tunnel) {
        Shop mocked = reference(CONSUMERS.get(tunnel), Shop.class, "return mocked");

        String answer = Highway.to("hub").call(() -> mocked.sell("tea"));

        assertThat(answer).isEqualTo("mocked");
        assertThat(only().outcome()).isEqualTo(Outcome.NOT_SENT);
    }

    @ParameterizedTest
    @EnumSource(Tunnel.class)
    void takesTheCustomizersKeys(Tunnel tunnel) {
        assertThat(SHOPS.get(tunnel).sellIn("bj-1", "tea")).isEqualTo("beijing:tea");
    }

    @Test
    void tellsTheEndOfAStream_notItsBeginning() throws Exception {
        Feed feed = Highway.to("shanghai")
                .bind(
                        Feed.class,
                        CONSUMERS
                                .get(Tunnel.TRIPLE)
                                .reference(Feed.class, config -> {
                                    config.setUrl("tri://" + star.shanghai.tripleAddress);
                                    config.setCheck(false);
                                })
                                .get());
        CompletableFuture<Integer> seenAtTheEnd = new CompletableFuture<>();
        CompletableFuture<Integer> seenBefore = new CompletableFuture<>();

        feed.count(5, new StreamObserver<>() {
            @Override
            public void onNext(String value) {
                seenBefore.complete(OUTCOMES.size());
            }

            @Override
            public void onError(Throwable failure) {
                seenAtTheEnd.completeExceptionally(failure);
            }

            @Override
            public void onCompleted() {
                seenAtTheEnd.complete(OUTCOMES.size());
            }
        });

        assertThat(seenBefore.get(5, TimeUnit.SECONDS)).isZero();
        assertThat(seenAtTheEnd.get(5, TimeUnit.SECONDS)).isOne();
        assertThat(only().outcome()).isEqualTo(Outcome.DELIVERED);
    }

    @Test
    void remembersAnIsland_howeverManyOthersAreNamed() {
        LastOutcomes last =
                HighwayRuntime.of(CONSUMERS.get(Tunnel.DUBBO).model()).lastOutcomes();
        in("shanghai", Tunnel.DUBBO, Mode.SYNC);
        CallOutcome shanghai = only();

        for (int i = 0; i < 5000; i++) {
            last.remember(CallOutcome.builder(shanghai.interfaceName(), shanghai.methodName(), Outcome.NOT_SENT)
                    .island("island-" + i)
                    .reason(Reason.NOT_FORWARDED)
                    .build());
        }
        last.remember(shanghai);

        assertThat(last.of("shanghai")).isNotNull();
    }

    @ParameterizedTest
    @EnumSource(Tunnel.class)
    void reportsGatewaysAndIslands(Tunnel tunnel) {
        in("shanghai", tunnel, Mode.SYNC);

        HighwayReport report = HighwayReport.of(CONSUMERS.get(tunnel).model()).orElseThrow();

        assertThat(report.home()).isEqualTo("zhejiang");
        assertThat(report.islands()).containsOnlyKeys("atlantis", "beijing", "cloud", "hub", "shanghai");
        HighwayReport.Island shanghai = report.islands().get("shanghai");
        assertThat(shanghai.tunnel()).hasToString(tunnel.key());
        assertThat(shanghai.lastOutcome().outcome()).isEqualTo(Outcome.DELIVERED);
        assertThat(shanghai.lastOutcome().tunnel()).hasToString(tunnel.key());
        assertThat(Instant.parse(shanghai.lastOutcome().endedAt()))
                .isBetween(Instant.now().minusSeconds(60), Instant.now().plusSeconds(1));
        assertThat(shanghai.settings().get("deny").value()).isEqualTo("order");
        assertThat(shanghai.settings().get("deny").key()).isEqualTo("highway.islands.shanghai.deny");
        assertThat(shanghai.settings().get("deny").origin()).isEqualTo("application");
        assertThat(shanghai.settings().get("timeout").key()).isEqualTo("highway.defaults.timeout");
        assertThat(shanghai.settings().get("gateways.dubbo").key()).isEqualTo("highway.gateways.dubbo");
        assertThat(shanghai.settings().get("retries").value()).isEqualTo("0");
        assertThat(shanghai.settings().get("retries").key()).isNull();
        assertThat(shanghai.settings().get("retries").origin()).isEqualTo("default");
        assertThat(report.islands().get("hub").tunnel()).isNull();
        assertThat(report.gateways())
                .filteredOn(gateway -> !gateway.home() && gateway.state() == HighwayReport.Gateway.State.DOWN)
                .singleElement()
                .satisfies(gateway -> assertThat(gateway.problem()).isNotBlank());
        List<String> settings = List.copyOf(shanghai.settings().keySet());
        assertThat(settings).isSorted();
    }
}
