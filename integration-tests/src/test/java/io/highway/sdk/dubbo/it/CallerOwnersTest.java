// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.GuardListener.Result;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.HighwayReport;
import io.highway.sdk.dubbo.internal.operate.audit.AuditTrail;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Who answers for a caller: in audit lines, refusals and the report; and callers for whom nobody does. */
@Tag("network")
class CallerOwnersTest {

    private static final String SHOP = Shop.class.getName();

    private interface Call {
        Object make() throws Exception;
    }

    private static HighwayException refusal(Call call) {
        return catchThrowableOfType(
                HighwayException.class, () -> Highway.to("shanghai").callChecked(call::make));
    }

    @ParameterizedTest
    @EnumSource
    void areNamed_andRequired(Tunnel tunnel) {
        try (AuditTrail trail = new AuditTrail();
                GuardedIsland shanghai = new GuardedIsland(
                        "highway.audit.enabled", "true",
                        "highway.guard.unknown-callers", "refuse",
                        "highway.guard.callers.zhejiang/*.owner", "somebody",
                        "highway.guard.callers.zhejiang/zhejiang-*.owner", "shop team, duty 1234",
                        "highway.guard.rules.no-refusing.action", "deny",
                        "highway.guard.rules.no-refusing.to", SHOP + "#refuse")) {
            Shop known = ShopReferences.of(shanghai.caller("zhejiang", tunnel), shanghai.dubboAddress)
                    .typed();
            Shop unknown = ShopReferences.of(shanghai.caller("jiangsu", tunnel), shanghai.dubboAddress)
                    .typed();

            assertThat(Highway.to("shanghai").call(() -> known.sell("tea"))).isEqualTo("shanghai:tea");
            assertThat(refusal(() -> known.refuse("sold out")))
                    .hasMessageContaining("to zhejiang/zhejiang-app (owner: shop team, duty 1234)");
            shanghai.shop.received.clear();
            assertThat(refusal(() -> unknown.sell("tea")))
                    .hasMessageContaining("unknown-caller; highway.guard.callers in shanghai has no entry for"
                            + " jiangsu/jiangsu-app, and highway.guard.unknown-callers is refuse there");

            assertThat(shanghai.shop.received).isEmpty();
            assertThat(shanghai.events(Result.REFUSED))
                    .extracting(event -> event.reason())
                    .containsExactly("denied", "unknown-caller");
            assertThat(HighwayReport.of(shanghai.application.model())
                            .orElseThrow()
                            .callerOwners())
                    .containsExactly(
                            Map.entry("zhejiang/zhejiang-*", "shop team, duty 1234"),
                            Map.entry("zhejiang/*", "somebody"));
            assertThat(trail.awaitEnds("in", 3))
                    .extracting(line -> line.path("from").path("application").asText() + ": "
                            + line.path("from").path("owner").asText())
                    .containsExactly(
                            "zhejiang-app: shop team, duty 1234",
                            "zhejiang-app: shop team, duty 1234",
                            "jiangsu-app: ");
        }
    }
}
