// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.Highway;
import io.highway.sdk.HighwayAttachments;
import io.highway.sdk.HighwayScope;
import io.highway.sdk.dubbo.CallOutcome;
import io.highway.sdk.dubbo.GatewayAddress;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.HighwayExplain;
import io.highway.sdk.dubbo.HighwayExplain.Call;
import io.highway.sdk.dubbo.HighwayExplain.Decision;
import io.highway.sdk.dubbo.HighwayOutcome;
import io.highway.sdk.dubbo.HighwayReport;
import io.highway.sdk.dubbo.HighwayReport.Endpoint.State;
import io.highway.sdk.dubbo.IntentSource;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.TunnelKind;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.service.GenericService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Explanations next to the real calls that they explain. */
class ExplainTest {

    private static final String SHOP = Shop.class.getName();

    @RegisterExtension
    static final Shops shops = new Shops();

    private static HighwayExplain one(Islands islands, Call call) {
        List<HighwayExplain> all = HighwayExplain.of(islands.application(), call);
        assertThat(all).hasSize(1);
        return all.get(0);
    }

    private static HighwayExplain.Rule stop(HighwayExplain explained) {
        return explained.rules().stream()
                .filter(rule -> rule.result() == HighwayExplain.Rule.Result.STOP)
                .findFirst()
                .orElseThrow();
    }

    private static long received(Islands islands) {
        return Stream.of("zhejiang", "shanghai", "beijing")
                .mapToLong(name -> islands.at(name).calls().size())
                .sum();
    }

    @ParameterizedTest
    @EnumSource
    void namesTheEndpointThatTheCallThenUses_andSendsNothing(TunnelKind tunnel) {
        Islands islands = shops.own(
                tunnel,
                "highway.islands.shanghai.timeout",
                "5s",
                "highway.islands.shanghai.retries",
                "2",
                "highway.islands.shanghai.idempotent",
                "sell*",
                "highway.islands.shanghai.max-request-size",
                "1MB");
        Shop shop = islands.reference(Shop.class);
        assertThat(Highway.to("shanghai").call(() -> shop.sell("warm"))).isEqualTo("shanghai:warm");
        long before = received(islands);

        HighwayExplain explained = one(islands, Call.of(SHOP, "sell").scope("shanghai"));

        assertThat(received(islands)).isEqualTo(before);
        assertThat(explained.decision()).isEqualTo(Decision.TUNNEL);
        assertThat(explained.island()).isEqualTo("shanghai");
        assertThat(explained.policyVersion()).isEqualTo("static");
        assertThat(explained.method()).isEqualTo("sell(java.lang.String)");
        assertThat(explained.headers())
                .containsExactly(
                        entry(HighwayAttachments.ISLAND, "shanghai"),
                        entry(HighwayAttachments.FROM, "zhejiang/test/1"));
        assertThat(explained.limits()).isNotNull();
        assertThat(explained.limits().timeoutMillis()).isEqualTo(5000);
        assertThat(explained.limits().retries()).isEqualTo(2);
        assertThat(explained.limits().maxRequestBytes()).isEqualTo(1024 * 1024);
        assertThat(explained.settings().get("max-request-size").key())
                .isEqualTo("highway.islands.shanghai.max-request-size");

        assertThat(Highway.to("shanghai").call(() -> shop.sell("tea"))).isEqualTo("shanghai:tea");
        CallOutcome outcome = HighwayOutcome.last().orElseThrow();
        GatewayAddress used = outcome.gateway();
        HighwayReport.Endpoint first = explained.endpoints().get(0);
        assertThat(first.gateway()).isEqualTo(used.hostAndPort());
        assertThat(first.tunnel()).isEqualTo(used.kind());
        assertThat(first.state()).isEqualTo(State.UP);
    }

    @Test
    void followsScopeAndAttachmentOfTheThread_andLeavesBothAsTheyAre() {
        Islands islands = shops.own(TunnelKind.DUBBO);
        Shop shop = islands.reference(Shop.class);
        RpcContext.getClientAttachment().setAttachment(HighwayAttachments.ISLAND, "beijing");

        HighwayExplain byAttachment;
        HighwayExplain given;
        try (HighwayScope scope = Highway.to("shanghai").open()) {
            assertThat(scope).isNotNull();
            byAttachment = one(islands, Call.of(SHOP, "sell"));
            given = one(islands, Call.of(SHOP, "sell").attachment("nowhere").scope("home"));
            assertThat(shop.sell("tea")).isEqualTo("beijing:tea"); // by the attachment, for this call only
            assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
        }

        assertThat(byAttachment.island()).isEqualTo("beijing");
        assertThat(byAttachment.sources())
                .filteredOn(source -> source.source() == IntentSource.SCOPE)
                .singleElement()
                .satisfies(source -> {
                    assertThat(source.asked()).isEqualTo("shanghai");
                    assertThat(source.chosen()).isFalse();
                });
        assertThat(given.decision()).isEqualTo(Decision.REFUSED);
        assertThat(stop(given).rule()).isEqualTo("known-island");
    }

    @Test
    void refusesWithTheTextOfTheCall() {
        Islands islands = shops.own(TunnelKind.TRIPLE, "highway.islands.shanghai.deny", "note");
        Shop shop = islands.reference(Shop.class);

        HighwayExplain explained = one(islands, Call.of(SHOP, "note").scope("shanghai"));

        assertThat(explained.reason()).isEqualTo(Reason.DENIED);
        assertThat(stop(explained).number()).isEqualTo(7);
        assertThat(explained.endpoints()).isEmpty();
        assertThat(explained.limits()).isNull();
        assertThatThrownBy(() -> Highway.to("shanghai").run(() -> shop.note("tea")))
                .isInstanceOf(HighwayException.class)
                .hasMessageContaining(explained.why())
                .hasMessageContaining(explained.action());
    }

    @Test
    void readsKeysOfArguments_andTakesAKeyInstead() {
        Islands islands = shops.own(TunnelKind.DUBBO);
        Object unused = islands.reference(Shop.class);

        HighwayExplain byArgument =
                one(islands, Call.of(SHOP, "ship").arguments(new Shop.Order("tea", new Shop.Address("310115"))));
        HighwayExplain byKey = one(islands, Call.of(SHOP, "ship").key("110000"));
        HighwayExplain byNull = one(islands, Call.of(SHOP, "ship").arguments((Object) null));
        HighwayExplain byNothing = one(islands, Call.of(SHOP, "ship"));

        assertThat(byArgument.island()).isEqualTo("shanghai");
        assertThat(byKey.island()).isEqualTo("beijing");
        assertThat(byNull.reason()).isEqualTo(Reason.BAD_KEY);
        assertThat(byNull.why()).contains("argument 1 is null");
        assertThat(byNothing.why()).contains("the call to explain has none");
    }

    @Test
    void explainsEachReference_whereTheyDiffer_alsoGenericOnes() {
        Islands islands = shops.own(TunnelKind.DUBBO);
        Object plain = islands.reference(Shop.class);
        Object bound = Shops.reference(islands, GenericService.class, config -> {
            config.setInterface(SHOP);
            config.setGeneric("true");
            config.setParameters(Map.of(HighwayAttachments.ISLAND, "shanghai"));
        });
        assertThat(List.of(plain, bound)).hasSize(2);

        List<HighwayExplain> explained = HighwayExplain.of(islands.application(), Call.of(SHOP, "sell"));
        List<HighwayExplain> ofMethod = HighwayExplain.of(islands.application(), Call.of(SHOP, "sellInBeijing"));

        assertThat(explained)
                .extracting(HighwayExplain::decision)
                .containsExactlyInAnyOrder(Decision.HOME, Decision.TUNNEL);
        assertThat(ofMethod).extracting(HighwayExplain::island).containsExactly("beijing", "beijing");
        assertThatThrownBy(() -> HighwayExplain.of(islands.application(), Call.of(SHOP, "SellInBeijing")))
                .hasMessageContaining("did you mean \"sellInBeijing\"?");
    }

    @Test
    void refusesAnUnknownServiceOrMethod() {
        Islands islands = shops.own(TunnelKind.DUBBO);
        Object unused = islands.reference(Shop.class);
        assertThatThrownBy(() -> HighwayExplain.of(islands.application(), Call.of(SHOP, "sel")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("has no method \"sel\"")
                .hasMessageContaining("did you mean \"sell\"?");
        assertThatThrownBy(() -> HighwayExplain.of(islands.application(), Call.of(SHOP + "s", "sell")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("this application has no reference of \"" + SHOP + "s\"")
                .hasMessageContaining("[group/]interface[:version] of one of its 1 references")
                .hasMessageContaining("did you mean \"" + SHOP + "\"?");
    }

    @Test
    void tellsWhichEndpointsAreSkipped() {
        Islands islands = shops.own(TunnelKind.TRIPLE);
        Object unused = islands.reference(Shop.class);

        Shops.swap(
                islands.application(),
                "2",
                "highway.defaults.tunnel",
                "auto",
                "highway.islands.shanghai.gateways.dubbo",
                "nowhere.test:1");

        await().untilAsserted(() -> {
            HighwayExplain explained = one(islands, Call.of(SHOP, "sell").scope("shanghai"));
            assertThat(explained.endpoints())
                    .extracting(HighwayReport.Endpoint::tunnel)
                    .containsExactly(TunnelKind.TRIPLE, TunnelKind.HTTP);
            assertThat(explained.skipped())
                    .extracting(HighwayReport.Endpoint::tunnel, HighwayReport.Endpoint::state)
                    .containsExactly(tuple(TunnelKind.DUBBO, State.DOWN));
        });
    }

    @Test
    void followsThePolicyInForce() {
        Islands islands = shops.own(TunnelKind.DUBBO);
        Object unused = islands.reference(Shop.class);
        Call call = Call.of(SHOP, "sell").scope("shanghai");
        HighwayExplain before = one(islands, call);

        Shops.swap(islands.application(), "8", "highway.defaults.tunnel", "triple", "highway.max-hops", "1");

        assertThat(before.policyVersion()).isEqualTo("static");
        assertThat(tunnels(before)).containsExactly(TunnelKind.DUBBO);
        HighwayExplain after = one(islands, call);
        assertThat(after.policyVersion()).isEqualTo("8");
        assertThat(tunnels(after)).containsExactly(TunnelKind.TRIPLE);
    }

    /** Of all its endpoints, connected or not. */
    private static List<TunnelKind> tunnels(HighwayExplain explained) {
        return Stream.concat(explained.endpoints().stream(), explained.skipped().stream())
                .map(HighwayReport.Endpoint::tunnel)
                .toList();
    }

    /** The keys of signatures are static, whatever the policy says about the island. */
    @Test
    void namesTheKeyThatSignsTheCall_thoughAPolicyLeavesItOut() {
        String[] keys = {
            "highway.islands.shanghai.sign.key-id", "for-shanghai", "highway.islands.shanghai.sign.secret", "salt"
        };
        Islands islands = shops.own(TunnelKind.DUBBO, keys);
        Object unused = islands.reference(Shop.class);

        Shops.swap(
                islands.application(),
                "v1",
                "highway.gateways.dubbo",
                "gateway.zhejiang.test:1",
                "highway.islands.",
                "",
                "highway.islands.shanghai.retries",
                "0");

        HighwayExplain explained = HighwayExplain.of(
                        islands.application(),
                        Call.of(Shop.class.getName(), "sell").attachment("shanghai"))
                .get(0);
        assertThat(explained.headers().get("highway-sign")).contains("key for-shanghai;");
    }

    @Test
    void isEmpty_whileTheHighwayIsOff() {
        Islands islands = shops.own(TunnelKind.DUBBO, "highway.enabled", "false");
        Object unused = islands.reference(Shop.class);

        assertThat(HighwayExplain.of(islands.application(), Call.of(SHOP, "sell")))
                .isEmpty();
    }
}
