// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.CallOutcome;
import io.highway.sdk.dubbo.HighwayCustomizer;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.HighwayReport;
import io.highway.sdk.dubbo.Intent;
import io.highway.sdk.dubbo.IntentSource;
import io.highway.sdk.dubbo.Outcome;
import io.highway.sdk.dubbo.OutcomeListener;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.TrafficClass;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.sdk.dubbo.internal.application.IslandActivity;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.dubbo.common.stream.StreamObserver;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.service.GenericService;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Listeners receive the outcome of each routed call once, and a customizer adds them. */
class OutcomesTest {

    private static final List<CallOutcome> OUTCOMES = new ArrayList<>();
    private static final List<String> REQUESTS = new ArrayList<>();
    private static final OutcomeListener BROKEN = (outcome, invocation) -> {
        throw new AssertionError("a broken listener");
    };
    private static final OutcomeListener CORRELATING = (outcome, invocation) ->
            REQUESTS.add(invocation.getAttachment("request-id", "none") + " to " + outcome.island());
    private static final Map<TunnelKind, Islands> ISLANDS = new EnumMap<>(TunnelKind.class);
    private static final Map<TunnelKind, GenericService> GENERIC = new EnumMap<>(TunnelKind.class);

    @BeforeAll
    static void start() {
        for (TunnelKind tunnel : TunnelKind.values()) {
            ISLANDS.put(tunnel, start(tunnel));
            GENERIC.put(tunnel, Shops.generic(ISLANDS.get(tunnel)));
        }
    }

    private static Islands start(TunnelKind tunnel) {
        Islands islands = Islands.builder()
                .home("zhejiang")
                .islands("shanghai", "beijing", "hub", "cloud", "atlantis")
                .property("highway.defaults.tunnel", tunnel.word())
                .property("highway.defaults.timeout", "5s")
                .property("highway.islands.shanghai.deny", "ship")
                .property("highway.islands.cloud.fallback", "home")
                .property("highway.islands.atlantis.fallback", "home")
                .start();
        islands.application().getBeanFactory().registerBean((HighwayCustomizer) setup -> setup.outcomeListener(BROKEN)
                .outcomeListener(CORRELATING)
                .outcomeListener((outcome, invocation) -> OUTCOMES.add(outcome))
                .set("highway.islands.beijing.keys", "110000,bj-*"));
        return islands;
    }

    @AfterAll
    static void stop() {
        ISLANDS.values().forEach(Islands::close);
    }

    /** Hub and cloud are down, and atlantis has no shop. */
    @BeforeEach
    void begin() {
        for (Islands islands : ISLANDS.values()) {
            islands.reset();
            islands.at("hub").isDown();
            islands.at("cloud").isDown();
            for (String island : List.of("zhejiang", "shanghai", "beijing")) {
                islands.at(island).serves(Shop.class, new ShopKeeper(island));
            }
        }
        OUTCOMES.clear();
        REQUESTS.clear();
    }

    static Stream<Arguments> tunnelsAndModes() {
        return Stream.of(TunnelKind.values())
                .flatMap(tunnel -> Stream.of(Mode.values()).map(mode -> Arguments.of(tunnel, mode)));
    }

    private static CallOutcome only() {
        assertThat(OUTCOMES).hasSize(1);
        return OUTCOMES.get(0);
    }

    private static Shop shop(TunnelKind tunnel) {
        return ISLANDS.get(tunnel).reference(Shop.class);
    }

    private static String sell(TunnelKind tunnel, Mode mode) throws Throwable {
        return mode.sell(shop(tunnel), GENERIC.get(tunnel), "tea");
    }

    private static void in(String island, TunnelKind tunnel, Mode mode) {
        Throwable unused = catchThrowable(() -> Highway.to(island).callChecked(() -> sell(tunnel, mode)));
    }

    /** Also of a call that no gateway carries and home serves. */
    @ParameterizedTest
    @MethodSource("tunnelsAndModes")
    void tellsWhichRequestAnOutcomeBelongsTo(TunnelKind tunnel, Mode mode) {
        for (String island : List.of("shanghai", "tokyo", "hub", "cloud", "atlantis")) {
            REQUESTS.clear();
            String id = UUID.randomUUID().toString();

            RpcContext.getClientAttachment().setAttachment("request-id", id);
            in(island, tunnel, mode);
            RpcContext.getClientAttachment().removeAttachment("request-id");

            assertThat(REQUESTS).containsExactly(id + " to " + (island.equals("tokyo") ? null : island));
        }
    }

    @ParameterizedTest
    @MethodSource("tunnelsAndModes")
    void tellsThatACallWasDelivered(TunnelKind tunnel, Mode mode) {
        ISLANDS.get(tunnel).at("shanghai").delays(Duration.ofMillis(1));

        in("shanghai", tunnel, mode);

        CallOutcome outcome = only();
        assertThat(outcome.outcome()).isEqualTo(Outcome.DELIVERED);
        assertThat(outcome.island()).isEqualTo("shanghai");
        assertThat(outcome.call()).startsWith(Shop.class.getName() + "#sell");
        assertThat(outcome.intent().source()).isEqualTo(IntentSource.SCOPE);
        assertThat(outcome.tunnel()).isEqualTo(tunnel);
        assertThat(outcome.reason()).isNull();
        assertThat(outcome.servedAtHome()).isFalse();
        assertThat(outcome.duration()).isEqualTo(Duration.ofMillis(1));
    }

    @ParameterizedTest
    @MethodSource("tunnelsAndModes")
    void countsABusinessExceptionAsDelivered(TunnelKind tunnel, Mode mode) {
        Throwable sold = catchThrowable(() ->
                Highway.to("shanghai").runChecked(() -> mode.refuse(shop(tunnel), GENERIC.get(tunnel), "sold out")));

        assertThat(sold).isNotNull();
        assertThat(only().outcome()).isEqualTo(Outcome.DELIVERED);
    }

    @ParameterizedTest
    @MethodSource("tunnelsAndModes")
    void tellsThatACallWasNotSent_andServedAtHome(TunnelKind tunnel, Mode mode) throws Throwable {
        assertThat(Highway.to("atlantis").callChecked(() -> sell(tunnel, mode))).isEqualTo("zhejiang:tea");

        assertThat(only().outcome()).isEqualTo(Outcome.NOT_SENT);
        assertThat(only().reason()).isEqualTo(Reason.NO_SUCH_SERVICE);
        assertThat(only().servedAtHome()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("tunnelsAndModes")
    void tellsThatNoGatewayIsConnected(TunnelKind tunnel, Mode mode) {
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
    @EnumSource
    void reportsTheFailure_whenHomeHasNoProviderToFallBackTo(TunnelKind tunnel) {
        try (Islands islands = start(tunnel)) {
            islands.at("cloud").isDown();
            Shop nowhere = Shops.reference(islands, Shop.class, config -> config.setCheck(false));
            for (String island : List.of("cloud", "atlantis")) {
                OUTCOMES.clear();
                Shop there = Highway.to(island).bind(Shop.class, nowhere);
                Throwable failure = catchThrowable(() -> there.sell("tea"));
                Throwable later = catchThrowable(() -> there.sellLater("tea").get(5, TimeUnit.SECONDS));

                assertThat(failure).isInstanceOf(HighwayException.class);
                assertThat(later).hasCauseInstanceOf(HighwayException.class);
                assertThat(OUTCOMES).hasSize(2).noneMatch(CallOutcome::servedAtHome);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("tunnelsAndModes")
    void tellsThatACallWasRefused(TunnelKind tunnel, Mode mode) {
        in("tokyo", tunnel, mode);

        CallOutcome outcome = only();
        assertThat(outcome.outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(outcome.reason()).isEqualTo(Reason.UNKNOWN_ISLAND);
        assertThat(outcome.island()).as("callers may write anything").isNull();
    }

    @ParameterizedTest
    @EnumSource
    void tellsTheDestination_whenARuleOfItRefuses(TunnelKind tunnel) {
        Throwable denied = catchThrowable(() ->
                Highway.to("shanghai").call(() -> shop(tunnel).ship(new Shop.Order("tea", new Shop.Address("")))));

        assertThat(denied).isNotNull();
        assertThat(only().island()).isEqualTo("shanghai");
        assertThat(only().reason()).isEqualTo(Reason.DENIED);
    }

    @ParameterizedTest
    @EnumSource
    void tellsThatACallMayHaveRun(TunnelKind tunnel) {
        ISLANDS.get(tunnel).at("shanghai").losesAnswers();

        Throwable late = catchThrowable(
                () -> Highway.to("shanghai").call(() -> shop(tunnel).sell("tea")));

        assertThat(late).isNotNull();
        assertThat(late.getMessage())
                .as("no URL of Dubbo with all its parameters")
                .hasSizeLessThan(700)
                .doesNotContain("interface=", "&");
        assertThat(only().outcome()).isEqualTo(Outcome.SENT_UNKNOWN);
        assertThat(only().reason()).isEqualTo(Reason.TIMEOUT);
    }

    @ParameterizedTest
    @MethodSource("tunnelsAndModes")
    void tellsNothing_whenACallStaysHome(TunnelKind tunnel, Mode mode) throws Throwable {
        sell(tunnel, mode);
        Highway.to("zhejiang").callChecked(() -> sell(tunnel, mode));

        assertThat(OUTCOMES).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void tellsHowTheCallEnded_whateverAMockAnswers(TunnelKind tunnel) {
        Shop mocked = Shops.reference(ISLANDS.get(tunnel), Shop.class, config -> config.setMock("return mocked"));

        assertThat(Highway.to("hub").call(() -> mocked.sell("tea"))).isEqualTo("mocked");

        assertThat(only().outcome()).isEqualTo(Outcome.NOT_SENT);
    }

    @ParameterizedTest
    @EnumSource
    void takesTheCustomizersKeys(TunnelKind tunnel) {
        assertThat(shop(tunnel).sellIn("bj-1", "tea")).isEqualTo("beijing:tea");
    }

    /** Answers with numbers. */
    interface Feed {

        void count(Integer to, StreamObserver<String> answers);
    }

    @Test
    void tellsTheEndOfAStream_notItsBeginning() {
        Islands islands = ISLANDS.get(TunnelKind.TRIPLE);
        islands.at("shanghai").serves(Feed.class, (to, answers) -> {
            IntStream.range(0, to).forEach(i -> answers.onNext("shanghai:" + i));
            answers.onCompleted();
        });
        Feed feed = Shops.reference(islands, Feed.class, config -> config.setCheck(false));
        CompletableFuture<Integer> seenAtTheEnd = new CompletableFuture<>();
        CompletableFuture<Integer> seenBefore = new CompletableFuture<>();

        Highway.to("shanghai")
                .run(() -> feed.count(5, new StreamObserver<>() {
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
                }));

        assertThat(seenBefore).isCompletedWithValue(0);
        assertThat(seenAtTheEnd).isCompletedWithValue(1);
        assertThat(only().outcome()).isEqualTo(Outcome.DELIVERED);
    }

    @Test
    void remembersAnIsland_howeverManyOthersAreNamed() {
        IslandActivity last =
                HighwayRuntime.of(ISLANDS.get(TunnelKind.DUBBO).application()).activity();
        in("shanghai", TunnelKind.DUBBO, Mode.SYNC);
        CallOutcome shanghai = only();

        for (int i = 0; i < 5000; i++) {
            last.remember(new CallOutcome(
                    shanghai.interfaceName(),
                    shanghai.methodName(),
                    Intent.NONE,
                    "island-" + i,
                    null,
                    Outcome.NOT_SENT,
                    Reason.NOT_FORWARDED,
                    false,
                    Duration.ZERO,
                    null,
                    TrafficClass.INTERACTIVE,
                    "island-" + i,
                    null));
        }
        last.remember(shanghai);

        assertThat(last.of("shanghai")).isNotNull();
    }

    @ParameterizedTest
    @EnumSource
    void reportsGatewaysAndIslands(TunnelKind tunnel) {
        in("shanghai", tunnel, Mode.SYNC);

        HighwayReport report =
                HighwayReport.of(ISLANDS.get(tunnel).application()).orElseThrow();

        assertThat(report.home()).isEqualTo("zhejiang");
        assertThat(report.islands()).containsOnlyKeys("atlantis", "beijing", "cloud", "hub", "shanghai");
        HighwayReport.Island shanghai = report.islands().get("shanghai");
        assertThat(shanghai.tunnel()).isEqualTo(tunnel);
        assertThat(shanghai.lastOutcome().outcome()).isEqualTo(Outcome.DELIVERED);
        assertThat(shanghai.lastOutcome().tunnel()).isEqualTo(tunnel);
        assertThat(Instant.parse(shanghai.lastOutcome().endedAt()))
                .isBetween(Instant.now().minusSeconds(60), Instant.now().plusSeconds(1));
        assertThat(shanghai.settings().get("deny").value()).isEqualTo("ship");
        assertThat(shanghai.settings().get("deny").key()).isEqualTo("highway.islands.shanghai.deny");
        assertThat(shanghai.settings().get("deny").origin()).isEqualTo("application");
        assertThat(shanghai.settings().get("timeout").key()).isEqualTo("highway.defaults.timeout");
        assertThat(shanghai.settings().get("gateways." + tunnel.word()).key())
                .isEqualTo("highway.islands.shanghai.gateways." + tunnel.word());
        assertThat(shanghai.settings().get("retries").value()).isEqualTo("0");
        assertThat(shanghai.settings().get("retries").key()).isNull();
        assertThat(shanghai.settings().get("retries").origin()).isEqualTo("default");
        assertThat(report.islands().get("hub").tunnel()).isNull();
        assertThat(report.gateways())
                .filteredOn(gateway -> gateway.state() == HighwayReport.Gateway.State.DOWN)
                .isNotEmpty()
                .allSatisfy(gateway -> assertThat(gateway.problem()).isNotBlank());
        assertThat(List.copyOf(shanghai.settings().keySet())).isSorted();
    }
}
