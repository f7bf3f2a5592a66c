// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.GuardListener.Result;
import io.highway.sdk.dubbo.internal.runtime.HighwayRuntime;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rules and mode of a guard that change while its services run. */
@Tag("network")
class GuardSwapTest {

    private static GuardedIsland shanghai;

    @BeforeAll
    static void start() {
        shanghai = new GuardedIsland();
    }

    @AfterAll
    static void stop() {
        shanghai.close();
    }

    @BeforeEach
    void forget() {
        shanghai.events.clear();
    }

    private static void swap(String version, String... more) {
        Map<String, String> keys = new HashMap<>(Map.of("highway.island", "shanghai"));
        for (int i = 0; i < more.length; i += 2) {
            keys.put(more[i], more[i + 1]);
        }
        HighwayRuntime.of(shanghai.application.model()).swap(PolicySwapTest.policy(version, keys));
    }

    private static Shop shop(Tunnel tunnel) {
        Shop shop = ShopReferences.of(shanghai.caller("zhejiang", tunnel), shanghai.dubboAddress)
                .typed();
        return Highway.to("shanghai").bind(Shop.class, shop);
    }

    @ParameterizedTest
    @EnumSource
    void appliesRulesAndMode_toTheNextCall(Tunnel tunnel) {
        Shop shop = shop(tunnel);
        swap("1");
        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");

        swap("2", "highway.guard.rules.no-sale.action", "deny", "highway.guard.rules.no-sale.to", "sell");
        assertThat(catchThrowable(() -> shop.sell("tea"))).hasMessageContaining("denied; the rule \"no-sale\"");
        assertThat(shanghai.events(Result.REFUSED)).hasSize(1);

        swap(
                "3",
                "highway.guard.rules.no-sale.action",
                "deny",
                "highway.guard.rules.no-sale.to",
                "sell",
                "highway.guard.mode",
                "shadow");
        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
        assertThat(shanghai.events(Result.SHADOW)).hasSize(1);

        swap("4");
        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
        assertThat(shanghai.events).hasSize(2);
    }

    @Test
    void warnsOfAPattern_thatMatchesNoMethodOfAServedInterface() {
        String pattern = Shop.class.getName() + "#sel";
        try (CapturedLog log = new CapturedLog()) {
            swap("1", "highway.guard.rules.typo.action", "deny", "highway.guard.rules.typo.to", pattern);
            swap("2", "highway.guard.rules.typo.action", "deny", "highway.guard.rules.typo.to", pattern);

            assertThat(log.lines("highway.guard.rules.typo.to: \"" + pattern + "\" matches no method"))
                    .hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void keepsTheCountOfARule_thatKeepsItsRate(Tunnel tunnel) {
        Shop shop = shop(tunnel);
        String rule = "highway.guard.rules.slow-" + tunnel.key();
        int served = 0;

        long begin = System.nanoTime();
        for (int i = 0; i < 40; i++) {
            swap(
                    "5",
                    rule + ".action",
                    "allow",
                    rule + ".rate",
                    "1/s",
                    "highway.guard.rules.other.action",
                    i % 2 == 0 ? "allow" : "audit");
            served += catchThrowable(() -> shop.sell("tea")) == null ? 1 : 0;
        }
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin);

        assertThat(served).isBetween(1, (int) seconds + 2);
    }
}
