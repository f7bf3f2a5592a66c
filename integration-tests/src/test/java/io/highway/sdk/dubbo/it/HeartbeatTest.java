// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Reason;
import io.highway.tools.fixtures.faults.FaultyLink;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every endpoint is asked end to end, whether anybody calls or not. */
@Tag("network")
class HeartbeatTest extends OnFaultyStar {

    private FaultyLink link;

    @BeforeEach
    void connect() {
        link = star.link(star.star.gateway());
    }

    private Shop shop(Tunnel tunnel, String interval, String... more) {
        String[] properties = new String[more.length + 2];
        properties[0] = "highway.heartbeat.interval";
        properties[1] = interval;
        System.arraycopy(more, 0, properties, 2, more.length);
        return star.shop(events, tunnel, FaultyStar.address(link.port()), properties);
    }

    @ParameterizedTest
    @EnumSource
    void refusesTheNextCallAtOnce_ifThePathHungWhileNobodyCalled_andServesSoonAfterItHeals(Tunnel tunnel) {
        Shop shop = shop(tunnel, "300ms", "highway.heartbeat.slow", "200ms");
        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
        await().until(() -> !events.roundTrips().isEmpty());

        link.blackHole();

        await().until(() -> events.breakers.contains(new RecordedEvents.Breaker("shanghai", true)));
        star.shanghai().received.clear();
        await().untilAsserted(() -> assertRefused(shop, "heartbeats are not answered"));

        link.heal();

        await().atMost(Duration.ofSeconds(10)).ignoreExceptions().untilAsserted(() -> assertThat(shop.sell("tea"))
                .isEqualTo("shanghai:tea"));
        assertThat(star.shanghai().received).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void asksTheConfiguredServiceBeforeAnyCall_andNoCodeOfItRuns(Tunnel tunnel) {
        shop(tunnel, "300ms", "highway.heartbeat.service", Shop.class.getName());

        await().until(() -> events.roundTrips().size() >= 3);

        assertThat(star.shanghai().received).isEmpty();
        assertThat(events.missedBeats("shanghai")).isZero();
        assertThat(events.beats).allMatch(beat -> beat.gateway().port() == link.port());
        assertThat(events.outcomes).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void sendsNoProbeBeforeTheFirstCall_andProbesTheServiceOfThatCallFromThenOn(Tunnel tunnel) {
        Shop shop = shop(tunnel, "300ms");
        await().during(Duration.ofMillis(800)).until(events.beats::isEmpty);

        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");

        await().until(() -> events.roundTrips().size() >= 2);
        assertThat(events.beats).allMatch(beat -> beat.island().equals("shanghai"));
        assertThat(star.shanghai().received).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void sendsNoProbe_ifTheIntervalIsNone(Tunnel tunnel) {
        Shop shop = shop(tunnel, "none", "highway.heartbeat.service", Shop.class.getName());
        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
        long forwarded = star.star.gateway().stats().forwarded();

        await().during(Duration.ofMillis(800)).until(events.beats::isEmpty);

        assertThat(star.star.gateway().stats().forwarded()).isEqualTo(forwarded);
    }

    @ParameterizedTest
    @EnumSource
    void tellsHowLongASlowPathTakes_andRefusesNothing(Tunnel tunnel) {
        Shop shop = shop(tunnel, "300ms");
        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
        await().until(() -> events.roundTrips().stream().anyMatch(one -> one.compareTo(Duration.ofMillis(300)) < 0));
        events.beats.clear();

        link.delay(Duration.ofMillis(150));

        await().until(() -> events.roundTrips().stream().anyMatch(one -> one.compareTo(Duration.ofMillis(300)) >= 0));
        assertThat(events.missedBeats("shanghai")).isZero();
        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
        assertThat(events.breakers).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void takesCalls_ifTheFirstOneTookLongerThanHeartbeatsMay(Tunnel tunnel) {
        link.delay(Duration.ofMillis(350));
        Shop shop = shop(tunnel, "300ms", "highway.heartbeat.slow", "100ms");

        for (int i = 0; i < 3; i++) {
            long missed = events.missedBeats("shanghai");
            assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
            assertThat(events.missedBeats("shanghai")).isGreaterThan(missed);
        }
    }

    @ParameterizedTest
    @EnumSource
    void leavesCallsTheirReason_ifTheGatewayHasNoRouteToTheIsland(Tunnel tunnel) {
        Shop atlantis = Highway.to("atlantis")
                .bind(
                        Shop.class,
                        star.free(
                                events,
                                tunnel,
                                FaultyStar.address(link.port()),
                                "highway.heartbeat.interval",
                                "300ms",
                                "highway.islands.atlantis.retries",
                                "0"));
        assertThatThrownBy(() -> atlantis.sell("tea"))
                .isInstanceOfSatisfying(
                        HighwayException.class, e -> assertThat(e.reason()).isEqualTo(Reason.NOT_FORWARDED));

        await().until(() -> events.missedBeats("atlantis") >= 4);

        assertThatThrownBy(() -> atlantis.sell("tea"))
                .isInstanceOfSatisfying(
                        HighwayException.class, e -> assertThat(e.reason()).isEqualTo(Reason.NOT_FORWARDED));
        assertThat(events.breakers).isEmpty();
    }
}
