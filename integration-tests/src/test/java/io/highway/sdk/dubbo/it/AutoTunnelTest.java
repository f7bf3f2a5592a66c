// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.dubbo.CallOutcome;
import io.highway.sdk.dubbo.HighwayOutcome;
import io.highway.sdk.dubbo.HighwayReport;
import io.highway.sdk.dubbo.Outcome;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.tools.fixtures.faults.FaultyLink;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A choice of tunnels while the paths of the preferred ones are blocked, which the path of another is not. */
@Tag("network")
@Tag("any-dubbo")
class AutoTunnelTest {

    private static FaultyStar star;
    private static HttpBridge bridge;
    private final RecordedEvents events = new RecordedEvents();
    /** The one in use is the last. */
    private List<FaultyLink> preferred;

    private Shop shop;

    /** Values of {@code tunnel}. */
    enum Order {
        AUTO("auto", TunnelKind.TRIPLE, TunnelKind.DUBBO),
        DUBBO_FIRST("dubbo,triple", TunnelKind.DUBBO, TunnelKind.TRIPLE),
        /** Both others are blocked. */
        HTTP_LAST("auto", TunnelKind.TRIPLE, TunnelKind.HTTP);

        private final String key;
        private final TunnelKind first;
        private final TunnelKind second;

        Order(String key, TunnelKind first, TunnelKind second) {
            this.key = key;
            this.first = first;
            this.second = second;
        }
    }

    /** How a firewall stops a protocol. */
    enum Block {
        REFUSES {
            @Override
            void on(FaultyLink link) {
                link.refuse();
                link.reset();
            }
        },
        HANGS {
            @Override
            void on(FaultyLink link) {
                link.blackHole();
            }
        };

        abstract void on(FaultyLink link);
    }

    @BeforeAll
    static void start() {
        star = new FaultyStar();
        bridge = new HttpBridge(star.star.gatewayAddress());
    }

    private void connect(Order order) {
        FaultyLink dubbo = star.link(star.star.gateway());
        FaultyLink triple = star.link(star.star.gateway());
        preferred = switch (order) {
            case AUTO -> List.of(triple);
            case DUBBO_FIRST -> List.of(dubbo);
            case HTTP_LAST -> List.of(dubbo, triple);
        };
        List<String> properties = new ArrayList<>(List.of(
                "highway.gateways.triple",
                FaultyStar.address(triple.port()),
                "highway.defaults.tunnel",
                order.key,
                "highway.defaults.timeout",
                "1500ms"));
        if (order == Order.HTTP_LAST) {
            properties.addAll(List.of("highway.gateways.http", bridge.address()));
        }
        shop = star.shop(events, Tunnel.DUBBO, FaultyStar.address(dubbo.port()), properties.toArray(String[]::new));
    }

    @AfterEach
    void forget() {
        star.forget();
    }

    @AfterAll
    static void stop() {
        star.close();
        bridge.close();
    }

    private boolean hasDeliveredOver(TunnelKind kind) {
        return events.outcomes.stream().anyMatch(one -> one.outcome() == Outcome.DELIVERED && one.tunnel() == kind);
    }

    /** From now on all calls are delivered over this tunnel only. */
    private void assertDeliversOnlyOver(TunnelKind kind, Callers callers) {
        callers.awaitMoreOfEach(2); // those in flight
        callers.assertNothingFailed();
        events.outcomes.clear();
        callers.awaitMoreOfEach(100);
        callers.assertNothingFailed();
        assertThat(events.outcomes).isNotEmpty().allMatch(one -> one.tunnel() == kind);
    }

    /** Beijing's calls take the same gateways, and switch, too. */
    private List<RecordedEvents.Switch> switches() {
        return events.switches.stream()
                .filter(one -> one.island().equals("shanghai"))
                .toList();
    }

    private void assertSaid(TunnelKind kind) {
        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
        assertThat(HighwayOutcome.last().flatMap(last -> Optional.ofNullable(last.tunnel())))
                .contains(kind);
        HighwayReport report = HighwayReport.of(star.consumer().model()).orElseThrow();
        assertThat(report.islands().get("shanghai").tunnel()).isEqualTo(kind);
    }

    /** That two paths hang is only known after a call over each: there is a switch for each. */
    static Stream<Arguments> ordersAndBlocks() {
        return Stream.of(Order.values()).flatMap(order -> Stream.of(Block.values())
                .filter(block -> order != Order.HTTP_LAST || block != Block.HANGS)
                .map(block -> Arguments.of(order, block)));
    }

    static Stream<Arguments> ordersAndForms() {
        return Stream.of(Order.values())
                .flatMap(order -> Stream.of(Callers.CallForm.values()).map(form -> Arguments.of(order, form)));
    }

    @ParameterizedTest
    @MethodSource("ordersAndBlocks")
    void goesOnOverTheOther_whileThePreferredIsBlocked_andReturnsOnce(Order order, Block block) {
        connect(order);
        try (Callers callers = new Callers(shop, Callers.CallForm.SYNC)) {
            assertDeliversOnlyOver(order.first, callers);
            assertThat(switches()).isEmpty();

            preferred.forEach(block::on);

            await().until(() -> !switches().isEmpty());
            callers.assertLostOnlyWhatWasInFlight();
            assertDeliversOnlyOver(order.second, callers);
            assertSaid(order.second);
            assertThat(switches()).containsExactly(new RecordedEvents.Switch("shanghai", order.first, order.second));

            new ArrayDeque<>(preferred).descendingIterator().forEachRemaining(FaultyLink::heal);

            await().atMost(Duration.ofSeconds(15)).until(() -> switches().size() > 1);
            assertDeliversOnlyOver(order.first, callers);
            assertSaid(order.first);
            assertThat(switches())
                    .containsExactly(
                            new RecordedEvents.Switch("shanghai", order.first, order.second),
                            new RecordedEvents.Switch("shanghai", order.second, order.first));
        }
    }

    @ParameterizedTest
    @MethodSource("ordersAndForms")
    void goesOnWithoutASwitch_whenThePreferredConnectionIsResetOnce(Order order, Callers.CallForm form) {
        connect(order);
        try (Callers callers = new Callers(shop, form)) {
            assertDeliversOnlyOver(order.first, callers);

            preferred.forEach(FaultyLink::reset);

            callers.awaitMoreOfEach(2);
            callers.assertLostOnlyWhatWasInFlight();
            events.outcomes.clear();
            await().until(() -> hasDeliveredOver(order.first));
            await().during(Duration.ofSeconds(1)).until(() -> switches().isEmpty());
            assertDeliversOnlyOver(order.first, callers);
        }
    }

    @ParameterizedTest
    @MethodSource("ordersAndForms")
    void losesNoCall_whenIdleWhileThePreferredIsCutOff(Order order, Callers.CallForm form) throws Exception {
        connect(order);
        form.call(shop);
        await().until(() -> !events.outcomes.isEmpty()); // the outcome may be published after the future has ended
        events.outcomes.clear();

        preferred.forEach(Block.REFUSES::on);

        await().until(() -> !switches().isEmpty());
        form.call(shop);
        await().untilAsserted(() ->
                assertThat(events.outcomes).extracting(CallOutcome::tunnel).containsExactly(order.second));
    }
}
