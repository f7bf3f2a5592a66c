// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.GuardListener.GuardEvent;
import io.highway.sdk.dubbo.GuardListener.Result;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.tools.fixtures.logs.CapturedLog;
import java.util.concurrent.TimeUnit;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rules and mode of a guard that change while its services run. */
class GuardSwapTest {

    private static final String RULE = "highway.guard.rules.no-sale";

    @RegisterExtension
    static final Shops shops = new Shops();

    private static Shop shop(Islands islands) {
        return Highway.to("shanghai").bind(Shop.class, islands.reference(Shop.class));
    }

    @ParameterizedTest
    @EnumSource
    void appliesRulesAndMode_toTheNextCall(TunnelKind tunnel) {
        Islands islands = shops.own(tunnel);
        ApplicationModel shanghai = islands.at("shanghai").application();
        Shop shop = shop(islands);
        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");

        Shops.swap(shanghai, "2", RULE + ".action", "deny", RULE + ".to", "sell");
        assertThat(catchThrowable(() -> shop.sell("tea"))).hasMessageContaining("denied; the rule \"no-sale\"");
        Shops.swap(shanghai, "3", "highway.guard.mode", "shadow");
        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
        Shops.swap(shanghai, "4", "highway.guard.", "");
        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");

        assertThat(shops.guardEvents(islands))
                .extracting(GuardEvent::result)
                .containsExactly(Result.REFUSED, Result.SHADOW);
    }

    @Test
    void warnsOfAPattern_thatMatchesNoMethodOfAServedInterface() {
        ApplicationModel shanghai = shops.own(TunnelKind.DUBBO).at("shanghai").application();
        String pattern = Shop.class.getName() + "#sel";

        try (CapturedLog log = new CapturedLog()) {
            Shops.swap(shanghai, "1", RULE + ".action", "deny", RULE + ".to", pattern);
            Shops.swap(shanghai, "2");

            assertThat(log.lines("highway.guard.rules.no-sale.to: \"" + pattern + "\" matches no method"))
                    .hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void keepsTheCountOfARule_thatKeepsItsRate(TunnelKind tunnel) {
        Islands islands = shops.own(tunnel);
        Shop shop = shop(islands);
        int served = 0;

        long begin = System.nanoTime();
        for (int i = 0; i < 40; i++) {
            Shops.swap(
                    islands.at("shanghai").application(),
                    "5",
                    "highway.guard.rules.slow.action",
                    "allow",
                    "highway.guard.rules.slow.rate",
                    "1/s",
                    "highway.guard.rules.other.action",
                    i % 2 == 0 ? "allow" : "audit");
            served += catchThrowable(() -> shop.sell("tea")) == null ? 1 : 0;
        }
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin);

        assertThat(served).isBetween(1, (int) seconds + 2);
    }
}
