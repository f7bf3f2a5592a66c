// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.HighwayReport;
import io.highway.sdk.dubbo.HighwayReport.Endpoint.State;
import io.highway.sdk.dubbo.Outcome;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.tools.fixtures.faults.FaultyLink;
import io.highway.tools.fixtures.logs.CapturedLog;
import io.highway.tools.gateway.Gateway;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A gateway's route to an island leads to another one, whose guard says so. */
@Tag("network")
@Tag("any-dubbo")
class MisroutedGatewayTest extends OnFaultyStar {

    private static final int CALLS = 1000;

    static Stream<Arguments> tunnelsAndHeartbeats() {
        return Stream.of(TunnelKind.values())
                .flatMap(tunnel -> Stream.of("none", "200ms").map(interval -> Arguments.of(tunnel, interval)));
    }

    private Shop shop(TunnelKind tunnel, String interval, Gateway... gateways) {
        String addresses = String.join(
                ",",
                Stream.of(gateways)
                        .map(gateway -> FaultyStar.address(gateway.port()))
                        .toList());
        return star.shop(events, tunnel, addresses, "highway.heartbeat.interval", interval);
    }

    private static State state(Gateway gateway) {
        return HighwayReport.of(star.consumer().model()).orElseThrow().islands().get("shanghai").endpoints().stream()
                .filter(endpoint -> endpoint.gateway().endsWith(":" + gateway.port()))
                .findFirst()
                .orElseThrow()
                .state();
    }

    @ParameterizedTest
    @MethodSource("tunnelsAndHeartbeats")
    void losesNoCall_whileAnotherLeadsToTheIsland(TunnelKind tunnel, String interval) {
        Gateway wrong = star.gatewayTo(star.star.beijing);
        Gateway right = star.gateway();
        try (CapturedLog log = new CapturedLog()) {
            Shop shop = shop(tunnel, interval, wrong, right);

            for (int i = 0; i < CALLS; i++) {
                assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
            }

            assertThat(events.outcomes).hasSize(CALLS).allMatch(one -> one.outcome() == Outcome.DELIVERED);
            await().untilAsserted(() -> {
                assertThat(state(wrong)).isEqualTo(State.MISROUTED);
                assertThat(state(right)).isEqualTo(State.UP);
            });
            assertThat(log.ofSdk("leads to another island"))
                    .singleElement()
                    .asString()
                    .contains(
                            "island shanghai over " + tunnel + " " + FaultyStar.address(wrong.port()),
                            "this is beijing");
        }
        assertThat(star.star.beijing.shop.received).isEmpty();
        assertThat(events.breakers).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void isLeftForAnotherThatIsStillConnecting(TunnelKind tunnel) {
        Gateway wrong = star.gatewayTo(star.star.beijing);
        Gateway right = star.gateway();
        FaultyLink slow = star.link(right);
        slow.delay(Duration.ofMillis(300));
        Shop shop = Highway.to("shanghai")
                .bind(
                        Shop.class,
                        star.connecting(
                                events,
                                tunnel,
                                FaultyStar.address(wrong.port()) + "," + FaultyStar.address(slow.port()),
                                "highway.heartbeat.interval",
                                "none"));

        for (int i = 0; i < 4; i++) {
            assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
        }
    }

    @ParameterizedTest
    @EnumSource
    void isNotUp_untilItsRouteIsMended(TunnelKind tunnel) {
        Gateway wrong = star.gatewayTo(star.star.beijing);
        Shop shop = shop(tunnel, "200ms", wrong);
        HighwayException refused = catchThrowableOfType(HighwayException.class, () -> shop.sell("tea"));
        assertThat(refused.mayHaveRun()).isFalse();
        assertThat(refused.reason()).isEqualTo(Reason.REFUSED_THERE);
        assertThat(refused).hasMessageContaining("wrong-island; this is beijing");
        await().during(Duration.ofSeconds(1)).until(() -> state(wrong) == State.MISROUTED);

        wrong.closeNow();
        star.gatewayAgain(wrong);

        await().until(() -> state(wrong) == State.UP); // by a health check
        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
        assertThat(star.star.beijing.shop.received).isEmpty();
    }
}
