// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Outcome;
import io.highway.sdk.dubbo.Reason;
import io.highway.tools.fixtures.faults.FaultyLink;
import io.highway.tools.fixtures.logs.CapturedLog;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.dubbo.rpc.RpcContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The only gateway address accepts what is sent and answers nothing, as a stopped process does. */
@Tag("network")
class UnresponsiveGatewayTest extends OnFaultyStar {

    private FaultyLink link;

    private Shop shop(Tunnel tunnel, String... more) {
        link = star.link(star.star.gateway());
        return star.shop(events, tunnel, FaultyStar.address(link.port()), more);
    }

    static Stream<Arguments> tunnelsAndWays() {
        return Stream.of(Tunnel.values())
                .flatMap(tunnel -> Stream.of(Callers.CallForm.values()).map(form -> Arguments.of(tunnel, form)));
    }

    @ParameterizedTest
    @MethodSource("tunnelsAndWays")
    void losesOneCallOfEachThreadAtMost_thenRefusesUntilItAnswers(Tunnel tunnel, Callers.CallForm form) {
        // a call that waits a second for the health check has time left then
        Shop shop = shop(tunnel, "highway.islands.shanghai.timeout", "2s");
        try (CapturedLog log = new CapturedLog();
                Callers callers = new Callers(shop, form)) {
            callers.assertNothingFailed();

            link.blackHole();

            callers.awaitMoreOfEach(50);
            callers.assertLostOneEachAtMost(Reason.BREAKER_OPEN, Reason.GATEWAY_DOWN, Reason.NO_TIME_LEFT);
            await().untilAsserted(
                            () -> assertRefused(
                                    shop,
                                    "a call got no answer \\(\\S+Shop#sell\\w* ended as timeout: .*\\); heartbeats are not answered \\(timeout: .*"));
            assertThat(log.ofSdk("WARN", "takes no calls for now: a call got no answer (", "ended as timeout"))
                    .hasSize(1);

            link.heal();

            await().atMost(Duration.ofSeconds(10)).until(() -> {
                events.outcomes.clear();
                callers.awaitMoreOfEach(1);
                return events.outcomes.stream().anyMatch(one -> one.outcome() == Outcome.DELIVERED);
            });
            callers.assertLostOneEachAtMost(Reason.BREAKER_OPEN, Reason.GATEWAY_DOWN, Reason.NO_TIME_LEFT);
        }
    }

    @ParameterizedTest
    @EnumSource
    void losesOneCallOfEachThreadAtMost_whenItsProcessIsSuspended(Tunnel tunnel) throws Exception {
        try (GatewayProcess gateway = GatewayProcess.start(star.star.shanghai.gatewayAddress())) {
            Shop shop = star.shop(
                    events, tunnel, FaultyStar.address(gateway.port()), "highway.islands.shanghai.timeout", "2s");
            try (Callers callers = new Callers(shop, Callers.CallForm.SYNC)) {
                callers.assertNothingFailed();

                gateway.suspend();

                callers.awaitMoreOfEach(50);
                callers.assertLostOneEachAtMost(Reason.BREAKER_OPEN, Reason.GATEWAY_DOWN, Reason.NO_TIME_LEFT);

                gateway.resume();

                await().atMost(Duration.ofSeconds(20)).until(() -> {
                    events.outcomes.clear();
                    callers.awaitMoreOfEach(1);
                    return events.outcomes.stream().anyMatch(one -> one.outcome() == Outcome.DELIVERED);
                });
                callers.assertLostOneEachAtMost(Reason.BREAKER_OPEN, Reason.GATEWAY_DOWN, Reason.NO_TIME_LEFT);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusesNothing_ifOneMethodTimesOutAndTheGatewayAnswers(Tunnel tunnel) {
        Shop shop = shop(tunnel);
        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");

        for (int i = 0; i < 8; i++) {
            RpcContext.getClientAttachment().setAttachment("timeout", "100");
            assertThat(catchThrowable(() -> shop.slow(1000)))
                    .isInstanceOfSatisfying(
                            HighwayException.class, e -> assertThat(e.reason()).isEqualTo(Reason.TIMEOUT));
            assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
            star.hurry();
        }

        assertThat(events.breakers).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void letsAsynchronousCallsWaitForTheHealthCheck_withoutTheirThread(Tunnel tunnel) {
        Shop shop = shop(tunnel, "highway.heartbeat.slow", "4s", "highway.islands.shanghai.timeout", "10s");
        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
        await().until(() -> !events.roundTrips().isEmpty());
        events.beats.clear();
        link.delay(Duration.ofMillis(600));
        RpcContext.getClientAttachment().setAttachment("timeout", "400");
        assertThat(catchThrowable(() -> shop.slow(5000))).isInstanceOf(HighwayException.class);
        star.shanghai().received.clear();

        RpcContext.getClientAttachment().setAttachment("colour", "blue");
        CompletableFuture<String> future = shop.sellLater("rice");
        CompletableFuture<String> called = RpcContext.getServiceContext().asyncCall(() -> shop.sell("salt"));

        assertThat(events.beats).isEmpty();
        assertThat(future).succeedsWithin(Duration.ofSeconds(5)).isEqualTo("shanghai:rice");
        assertThat(called).succeedsWithin(Duration.ofSeconds(5)).isEqualTo("shanghai:salt");
        assertThat(star.shanghai().received)
                .filteredOn(call -> call.method().equals("sellLater"))
                .singleElement()
                .satisfies(call -> assertThat(call.attachments()).containsEntry("colour", "blue"));
        assertThat(events.breakers).isEmpty();
    }
}
