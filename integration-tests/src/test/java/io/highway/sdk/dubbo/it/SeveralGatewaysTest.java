// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.HighwayExplain;
import io.highway.sdk.dubbo.HighwayReport;
import io.highway.sdk.dubbo.Outcome;
import io.highway.sdk.dubbo.Reason;
import io.highway.tools.fixtures.faults.FaultyLink;
import io.highway.tools.gateway.Gateway;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.dubbo.rpc.RpcContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Two gateways, one of which dies or hangs under load. */
@Tag("network")
@Tag("any-dubbo")
class SeveralGatewaysTest extends OnFaultyStar {

    static Stream<Arguments> tunnelsAndWays() {
        return Stream.of(Tunnel.values())
                .flatMap(tunnel -> Stream.of(Callers.CallForm.values()).map(form -> Arguments.of(tunnel, form)));
    }

    private static String both(int one, int other) {
        return FaultyStar.address(one) + "," + FaultyStar.address(other);
    }

    private boolean hasDeliveredOver(int port) {
        return events.outcomes.stream()
                .anyMatch(one ->
                        one.outcome() == Outcome.DELIVERED && one.gateway().port() == port);
    }

    private void awaitDeliveredOver(int port) {
        await().pollInterval(Duration.ofMillis(10)).until(() -> hasDeliveredOver(port));
    }

    @ParameterizedTest
    @MethodSource("tunnelsAndWays")
    void losesOnlyCallsInFlight_whenAGatewayDies_andUsesItAgain_onceItIsBack(Tunnel tunnel, Callers.CallForm form) {
        Gateway stays = star.gateway();
        Gateway dies = star.gateway();
        Shop shop = star.shop(events, tunnel, both(stays.port(), dies.port()));
        try (Callers callers = new Callers(shop, form)) {
            awaitDeliveredOver(stays.port());
            awaitDeliveredOver(dies.port());
            callers.assertNothingFailed();

            dies.closeNow();

            callers.awaitMoreOfEach(100);
            callers.assertLostOnlyWhatWasInFlight();
            events.outcomes.clear();
            callers.awaitMoreOfEach(100);
            assertThat(hasDeliveredOver(dies.port())).isFalse();

            star.gatewayAgain(dies);

            awaitDeliveredOver(dies.port());
            callers.awaitMoreOfEach(100);
            callers.assertNothingFailed();
        }
    }

    @ParameterizedTest
    @MethodSource("tunnelsAndWays")
    void losesOneTimeoutPerCaller_whenAGatewayHangs_andUsesItAgain_onceItAnswers(Tunnel tunnel, Callers.CallForm form) {
        FaultyLink stays = star.link(star.star.gateway());
        FaultyLink hangs = star.link(star.star.gateway());
        Shop shop = star.shop(
                events, tunnel, both(stays.port(), hangs.port()), "highway.islands.shanghai.timeout", "1500ms");
        try (Callers callers = new Callers(shop, form)) {
            awaitDeliveredOver(hangs.port());
            callers.awaitMoreOfEach(100);
            callers.assertNothingFailed();

            hangs.blackHole();

            await().until(() -> events.outcomes.stream().anyMatch(one -> one.reason() == Reason.TIMEOUT));
            callers.awaitMoreOfEach(10); // those it has kept waiting
            callers.assertLostOnlyWhatWasInFlight();
            events.outcomes.clear();
            callers.awaitMoreOfEach(300);
            callers.assertNothingFailed();
            assertThat(events.outcomes)
                    .isNotEmpty()
                    .allMatch(one ->
                            one.outcome() == Outcome.DELIVERED && one.gateway().port() == stays.port());

            hangs.heal();

            awaitDeliveredOver(hangs.port());
            callers.awaitMoreOfEach(100);
            callers.assertNothingFailed();
        }
    }

    @ParameterizedTest
    @EnumSource
    void usesTheOther_onceOneDoesNotAnswerAHeartbeat_beforeItsConnectionIsReplaced(Tunnel tunnel) {
        FaultyLink one = star.link(star.star.gateway());
        FaultyLink other = star.link(star.star.gateway());
        Shop shop = trying(tunnel, both(one.port(), other.port()), "none");
        String first = endpoints().get(0).gateway();
        FaultyLink forgotten = first.endsWith(":" + one.port()) ? one : other;

        forgotten.forgetIdle(Duration.ZERO);

        await().until(() -> !endpoints().get(0).gateway().equals(first));
        assertThat(endpoints())
                .element(1)
                .satisfies(last -> assertThat(last.state()).isEqualTo(HighwayReport.Endpoint.State.SUSPECT))
                .satisfies(last -> assertThat(last.problem()).startsWith("nothing was received for three seconds"));
        for (int i = 0; i < 4; i++) {
            assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
        }
    }

    /** The endpoints of a call, in the order in which it tries them. */
    private static List<HighwayReport.Endpoint> endpoints() {
        HighwayExplain.Call call = HighwayExplain.Call.of(Shop.class.getName(), "sell");
        return HighwayExplain.of(star.consumer().model(), call.attachment("shanghai"))
                .get(0)
                .endpoints();
    }

    /** How {@code slow} is called: it has no variant that returns a future. */
    private static CompletableFuture<String> slow(Shop shop, boolean async) {
        return async
                ? RpcContext.getServiceContext().asyncCall(() -> shop.slow(5000))
                : CompletableFuture.supplyAsync(() -> shop.slow(5000));
    }

    static Stream<Arguments> tunnelsAndModes() {
        return Stream.of(Tunnel.values())
                .flatMap(tunnel -> Stream.of(true, false).map(async -> Arguments.of(tunnel, async)));
    }

    /** A reference whose idempotent calls are tried once more; without heartbeats, which gateways would count as calls. */
    private Shop trying(Tunnel tunnel, String addresses, String idempotent, String... more) {
        List<String> properties = new ArrayList<>(List.of(
                "highway.heartbeat.interval",
                "none",
                "highway.islands.shanghai.idempotent",
                idempotent,
                "highway.islands.shanghai.retries",
                "1",
                "highway.islands.shanghai.timeout",
                "10s"));
        properties.addAll(List.of(more));
        return star.shop(events, tunnel, addresses, properties.toArray(String[]::new));
    }

    private void awaitReceived(int calls) {
        await().pollInterval(Duration.ofMillis(5))
                .until(() -> star.shanghai().received.size() == calls);
    }

    @ParameterizedTest
    @EnumSource
    void makesNoFurtherAttempt_onceTheCallingThreadIsInterrupted(Tunnel tunnel) throws Exception {
        Shop shop = trying(tunnel, both(star.gateway().port(), star.gateway().port()), "slow,nothing");
        assertThat(shop.nothing("")).isNull();
        star.shanghai().received.clear();
        CompletableFuture<Throwable> ended = new CompletableFuture<>();
        Thread caller = new Thread(() -> ended.complete(catchThrowable(() -> shop.slow(5000))), "interrupted");
        caller.start();
        awaitReceived(1);

        caller.interrupt();

        assertThat(ended)
                .succeedsWithin(Duration.ofSeconds(5))
                .isInstanceOfSatisfying(HighwayException.class, failure -> {
                    assertThat(failure.mayHaveRun()).isTrue();
                    assertThat(failure).hasRootCauseInstanceOf(InterruptedException.class);
                });
        assertThat(shop.nothing("")).isNull(); // over the connection of a second attempt
        assertThat(shop.nothing("")).isNull();
        assertThat(star.shanghai().received)
                .extracting(call -> call.method())
                .containsExactly("slow", "nothing", "nothing");
    }

    @ParameterizedTest
    @EnumSource
    void sendsNothing_forAThreadThatIsInterruptedBefore(Tunnel tunnel) {
        Shop shop = trying(tunnel, both(star.gateway().port(), star.gateway().port()), "nothing");
        assertThat(shop.nothing("")).isNull();
        star.shanghai().received.clear();

        Thread.currentThread().interrupt();
        Throwable ended = catchThrowable(() -> shop.nothing("interrupted"));
        boolean isStillInterrupted = Thread.interrupted();

        assertThat(ended).isInstanceOfSatisfying(HighwayException.class, failure -> {
            assertThat(failure.mayHaveRun()).isFalse();
            assertThat(failure).hasMessageContaining("its thread was interrupted");
        });
        assertThat(isStillInterrupted).isTrue();
        assertThat(shop.nothing("")).isNull();
        assertThat(star.shanghai().received).hasSize(1);
    }

    @ParameterizedTest(name = "{0}, asynchronous: {1}")
    @MethodSource("tunnelsAndModes")
    void triesAnIdempotentCallOverTheOther_ifItsConnectionIsLost(Tunnel tunnel, boolean async) throws Exception {
        Gateway one = star.gateway();
        Gateway other = star.gateway();
        Shop shop = trying(tunnel, both(one.port(), other.port()), "slow");
        awaitBoth(shop, one, other);
        long before = one.stats().forwarded();
        CompletableFuture<String> call = slow(shop, async);
        awaitReceived(1);
        (one.stats().forwarded() > before ? one : other).closeNow();

        awaitReceived(2);
        star.hurry();

        assertThat(call).succeedsWithin(Duration.ofSeconds(8)).isEqualTo("shanghai:5000");
        assertThat(star.shanghai().received).hasSize(2);
        await().untilAsserted(
                        () -> assertThat(events.outcomes).singleElement().satisfies(end -> assertThat(end.outcome())
                                .isEqualTo(Outcome.DELIVERED)));
    }

    private void awaitBoth(Shop shop, Gateway one, Gateway other) {
        await().until(() -> {
            shop.sell("tea");
            return hasDeliveredOver(one.port()) && hasDeliveredOver(other.port());
        });
        star.shanghai().received.clear();
        events.outcomes.clear();
    }

    @ParameterizedTest(name = "{0}, asynchronous: {1}")
    @MethodSource("tunnelsAndModes")
    void doesNotRepeatAnyOtherCall_ifItsConnectionIsLost(Tunnel tunnel, boolean async) {
        Gateway one = star.gateway();
        Gateway other = star.gateway();
        Shop shop = trying(tunnel, both(one.port(), other.port()), "sell*");
        awaitBoth(shop, one, other);
        long before = one.stats().forwarded();
        CompletableFuture<String> call = slow(shop, async);
        awaitReceived(1);

        (one.stats().forwarded() > before ? one : other).closeNow();

        assertThat(call)
                .failsWithin(Duration.ofSeconds(8))
                .withThrowableThat()
                .havingCause()
                .isInstanceOfSatisfying(HighwayException.class, e -> {
                    assertThat(e.reason()).isEqualTo(Reason.CONNECTION_LOST);
                    assertThat(e.mayHaveRun()).isTrue();
                });
        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
        assertThat(star.shanghai().received)
                .extracting(ShopKeeper.Received::method)
                .containsExactly("slow", "sell");
    }

    @ParameterizedTest(name = "{0}, asynchronous: {1}")
    @MethodSource("tunnelsAndModes")
    void reportsThatACallMayHaveRun_withoutFallback_ifOnlyALaterAttemptWasNotForwarded(Tunnel tunnel, boolean async) {
        FaultyLink breaks = star.link(star.gateway());
        Gateway knowsNobody = star.gatewayWithoutRoutes();
        Shop shop = trying(
                tunnel, both(breaks.port(), knowsNobody.port()), "slow", "highway.islands.shanghai.fallback", "home");
        CompletableFuture<String> call = slow(shop, async);
        awaitReceived(1);

        breaks.close();

        assertThat(call)
                .failsWithin(Duration.ofSeconds(5))
                .withThrowableThat()
                .havingCause()
                .isInstanceOfSatisfying(HighwayException.class, e -> {
                    assertThat(e.reason()).isEqualTo(Reason.CONNECTION_LOST);
                    assertThat(e.mayHaveRun()).isTrue();
                });
        assertThat(star.star.homeShop.received).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void triesAnIdempotentCallAgainOverTheOnlyGateway_onceItIsConnectedAgain(Tunnel tunnel) {
        FaultyLink breaks = star.link(star.gateway());
        Shop shop = trying(tunnel, FaultyStar.address(breaks.port()), "slow");
        CompletableFuture<String> call = slow(shop, false);
        awaitReceived(1);

        breaks.reset();

        awaitReceived(2);
        star.hurry();
        assertThat(call).succeedsWithin(Duration.ofSeconds(8)).isEqualTo("shanghai:5000");
    }

    @ParameterizedTest(name = "asynchronous: {0}")
    @ValueSource(booleans = {false, true})
    void waitsForTheOther_thatIsConnectingForTheFirstTime_ifOneDoesNotForward(boolean async) throws Exception {
        FaultyLink slow = star.link(star.gateway());
        slow.delay(Duration.ofMillis(300)); // a Triple connection is up with the gateway's SETTINGS
        int knowsNobody = star.gatewayWithoutRoutes().port();
        Shop shop = star.connecting(events, Tunnel.TRIPLE, both(knowsNobody, slow.port()));

        String answer = Highway.to("shanghai")
                .callChecked(() -> async ? shop.sellLater("tea").get(20, TimeUnit.SECONDS) : shop.sell("tea"));

        assertThat(answer).isEqualTo("shanghai:tea");
        assertThat(hasDeliveredOver(slow.port())).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void refusesAtOnce_whileBothAreGone_andServesOverTheFirstThatIsBack(Tunnel tunnel) {
        Gateway one = star.gateway();
        Gateway other = star.gateway();
        Shop shop = star.shop(events, tunnel, both(one.port(), other.port()));
        awaitBoth(shop, one, other);

        one.closeNow();
        other.closeNow();

        await().untilAsserted(() -> assertThatThrownBy(() -> shop.sell("tea"))
                .isInstanceOfSatisfying(
                        HighwayException.class, e -> assertThat(e.reason()).isEqualTo(Reason.GATEWAY_DOWN)));
        star.gatewayAgain(other);
        await().ignoreExceptions()
                .untilAsserted(() -> assertThat(shop.sell("tea")).isEqualTo("shanghai:tea"));
        assertThat(hasDeliveredOver(other.port())).isTrue();
    }
}
