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
import io.highway.testsupport.faults.FaultyLink;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code tunnel=auto} while its Dubbo path is blocked, which the Triple path is not. */
@Tag("network")
@Tag("any-dubbo")
class AutoTunnelTest {

    private static FaultyStar star;
    private final RecordedEvents events = new RecordedEvents();
    private FaultyLink dubbo;
    private Shop shop;

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
    }

    @BeforeEach
    void connect() {
        dubbo = star.link(star.star.gateway());
        FaultyLink triple = star.link(star.star.gateway());
        shop = star.shop(
                events,
                Tunnel.DUBBO,
                FaultyStar.address(dubbo.port()),
                "highway.gateways.triple",
                FaultyStar.address(triple.port()),
                "highway.defaults.tunnel",
                "auto",
                "highway.defaults.timeout",
                "1500ms");
    }

    @AfterEach
    void forget() {
        star.forget();
    }

    @AfterAll
    static void stop() {
        star.close();
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
        assertThat(report.islands().get("shanghai").tunnel()).isEqualTo(kind.word());
    }

    @ParameterizedTest
    @EnumSource
    void goesOnOverTriple_whileDubboIsBlocked_andReturnsOnce(Block block) {
        try (Callers callers = new Callers(shop, Callers.CallForm.SYNC)) {
            assertDeliversOnlyOver(TunnelKind.DUBBO, callers);
            assertThat(switches()).isEmpty();

            block.on(dubbo);

            await().until(() -> !switches().isEmpty());
            callers.assertLostOnlyWhatWasInFlight();
            assertDeliversOnlyOver(TunnelKind.TRIPLE, callers);
            assertSaid(TunnelKind.TRIPLE);
            assertThat(switches())
                    .containsExactly(new RecordedEvents.Switch("shanghai", TunnelKind.DUBBO, TunnelKind.TRIPLE));

            dubbo.heal();

            await().atMost(Duration.ofSeconds(15)).until(() -> switches().size() > 1);
            assertDeliversOnlyOver(TunnelKind.DUBBO, callers);
            assertSaid(TunnelKind.DUBBO);
            assertThat(switches())
                    .containsExactly(
                            new RecordedEvents.Switch("shanghai", TunnelKind.DUBBO, TunnelKind.TRIPLE),
                            new RecordedEvents.Switch("shanghai", TunnelKind.TRIPLE, TunnelKind.DUBBO));
        }
    }

    @ParameterizedTest
    @EnumSource
    void goesOnWithoutASwitch_whenTheDubboConnectionIsResetOnce(Callers.CallForm form) {
        try (Callers callers = new Callers(shop, form)) {
            assertDeliversOnlyOver(TunnelKind.DUBBO, callers);

            dubbo.reset();

            callers.awaitMoreOfEach(2);
            callers.assertLostOnlyWhatWasInFlight();
            events.outcomes.clear();
            await().until(() -> hasDeliveredOver(TunnelKind.DUBBO));
            await().during(Duration.ofSeconds(1)).until(() -> switches().isEmpty());
            assertDeliversOnlyOver(TunnelKind.DUBBO, callers);
        }
    }

    @ParameterizedTest
    @EnumSource
    void losesNoCall_whenIdleWhileDubboIsCutOff(Callers.CallForm form) throws Exception {
        form.call(shop);
        await().until(() -> !events.outcomes.isEmpty()); // the outcome may be published after the future has ended
        events.outcomes.clear();

        Block.REFUSES.on(dubbo);

        await().until(() -> !switches().isEmpty());
        form.call(shop);
        await().untilAsserted(() ->
                assertThat(events.outcomes).extracting(CallOutcome::tunnel).containsExactly(TunnelKind.TRIPLE));
    }
}
