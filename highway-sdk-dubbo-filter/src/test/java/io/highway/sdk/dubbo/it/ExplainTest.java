// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;
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
import io.highway.sdk.dubbo.internal.runtime.HighwayRuntime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.service.GenericService;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Explanations beside the real calls that they explain. */
@Tag("network")
class ExplainTest {

    private static final String SHOP = Shop.class.getName();

    private static Star star;

    @BeforeAll
    static void start() {
        star = new Star();
    }

    @AfterAll
    static void stop() {
        star.close();
    }

    @AfterEach
    void removeContext() {
        RpcContext.removeClientAttachment();
    }

    private static Shop shop(TestApplication consumer) {
        return consumer.reference(Shop.class, config -> config.setUrl("dubbo://" + star.homeDubbo))
                .get();
    }

    private static HighwayExplain one(TestApplication consumer, Call call) {
        List<HighwayExplain> all = HighwayExplain.of(consumer.model(), call);
        assertThat(all).hasSize(1);
        return all.get(0);
    }

    private static HighwayExplain.Rule stop(HighwayExplain explained) {
        return explained.rules().stream()
                .filter(rule -> rule.result() == HighwayExplain.Rule.Result.STOP)
                .findFirst()
                .orElseThrow();
    }

    private static int received() {
        return star.shanghai.shop.received.size() + star.beijing.shop.received.size() + star.homeShop.received.size();
    }

    @ParameterizedTest
    @EnumSource
    void namesTheEndpointThatTheCallThenUses_andSendsNothing(Tunnel tunnel) {
        TestApplication consumer = star.consumer(star.properties(
                tunnel,
                "highway.islands.shanghai.retries",
                "2",
                "highway.islands.shanghai.idempotent",
                "sell*",
                "highway.islands.shanghai.max-request-size",
                "1MB"));
        Shop shop = shop(consumer);
        assertThat(Highway.to("shanghai").call(() -> shop.sell("warm"))).isEqualTo("shanghai:warm");
        int before = received();

        HighwayExplain explained = one(consumer, Call.of(SHOP, "sell").scope("shanghai"));

        assertThat(received()).isEqualTo(before);
        assertThat(explained.decision()).isEqualTo(Decision.TUNNEL);
        assertThat(explained.island()).isEqualTo("shanghai");
        assertThat(explained.policyVersion()).isEqualTo("static");
        assertThat(explained.method()).isEqualTo("sell(java.lang.String)");
        assertThat(explained.headers())
                .containsExactly(
                        entry(HighwayAttachments.ISLAND, "shanghai"),
                        entry(HighwayAttachments.FROM, "zhejiang/zhejiang-app/1"));
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
        TestApplication consumer = star.consumer(star.properties(Tunnel.DUBBO));
        Shop shop = shop(consumer);
        RpcContext.getClientAttachment().setAttachment(HighwayAttachments.ISLAND, "beijing");

        HighwayExplain byAttachment;
        HighwayExplain given;
        try (HighwayScope scope = Highway.to("shanghai").open()) {
            assertThat(scope).isNotNull();
            byAttachment = one(consumer, Call.of(SHOP, "sell"));
            given = one(consumer, Call.of(SHOP, "sell").attachment("nowhere").scope("home"));
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
        TestApplication consumer =
                star.consumer(star.properties(Tunnel.TRIPLE, "highway.islands.shanghai.deny", "note"));
        Shop shop = shop(consumer);

        HighwayExplain explained = one(consumer, Call.of(SHOP, "note").scope("shanghai"));

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
        TestApplication consumer = star.consumer(star.properties(Tunnel.DUBBO));
        Object unused = shop(consumer);

        HighwayExplain byArgument =
                one(consumer, Call.of(SHOP, "ship").arguments(new Shop.Order("tea", new Shop.AddressBean("310115"))));
        HighwayExplain byKey = one(consumer, Call.of(SHOP, "ship").key("110000"));
        HighwayExplain byNull = one(consumer, Call.of(SHOP, "ship").arguments((Object) null));
        HighwayExplain byNothing = one(consumer, Call.of(SHOP, "ship"));

        assertThat(byArgument.island()).isEqualTo("shanghai");
        assertThat(byKey.island()).isEqualTo("beijing");
        assertThat(byNull.reason()).isEqualTo(Reason.BAD_KEY);
        assertThat(byNull.why()).contains("argument 1 is null");
        assertThat(byNothing.why()).contains("the call to explain has none");
    }

    @Test
    void explainsEachReference_whereTheyDiffer_alsoGenericOnes() {
        TestApplication consumer = star.consumer(star.properties(Tunnel.DUBBO));
        Object plain = shop(consumer);
        Object bound = consumer.reference(GenericService.class, config -> {
                    config.setUrl("dubbo://" + star.homeDubbo);
                    config.setInterface(SHOP);
                    config.setGeneric("true");
                    config.setParameters(new HashMap<>(Map.of(HighwayAttachments.ISLAND, "shanghai")));
                })
                .get();
        assertThat(List.of(plain, bound)).hasSize(2);

        List<HighwayExplain> explained = HighwayExplain.of(consumer.model(), Call.of(SHOP, "sell"));
        List<HighwayExplain> ofMethod = HighwayExplain.of(consumer.model(), Call.of(SHOP, "sellInBeijing"));

        assertThat(explained)
                .extracting(HighwayExplain::decision)
                .containsExactlyInAnyOrder(Decision.HOME, Decision.TUNNEL);
        assertThat(ofMethod).extracting(HighwayExplain::island).containsExactly("beijing", "beijing");
        assertThatThrownBy(() -> HighwayExplain.of(consumer.model(), Call.of(SHOP, "SellInBeijing")))
                .hasMessageContaining("did you mean \"sellInBeijing\"?");
    }

    @Test
    void refusesAnUnknownServiceOrMethod() {
        TestApplication consumer = star.consumer(star.properties(Tunnel.DUBBO));
        Object unused = shop(consumer);
        assertThatThrownBy(() -> HighwayExplain.of(consumer.model(), Call.of(SHOP, "sel")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("has no method \"sel\"")
                .hasMessageContaining("did you mean \"sell\"?");
        assertThatThrownBy(() -> HighwayExplain.of(consumer.model(), Call.of(SHOP + "s", "sell")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("this application has no reference of \"" + SHOP + "s\"")
                .hasMessageContaining("[group/]interface[:version] of one of its 1 references")
                .hasMessageContaining("did you mean \"" + SHOP + "\"?");
    }

    @Test
    void tellsWhichEndpointsAreSkipped() {
        TestApplication consumer = star.consumer(star.properties(
                Tunnel.DUBBO, "highway.defaults.tunnel", "auto", "highway.gateways.dubbo", "gateway.zhejiang.test:1"));
        Object unused = shop(consumer);

        await().until(() -> {
            HighwayExplain explained = one(consumer, Call.of(SHOP, "sell").scope("shanghai"));
            return explained.endpoints().size() == 1
                    && explained.endpoints().get(0).tunnel() == TunnelKind.TRIPLE
                    && explained.skipped().size() == 1
                    && explained.skipped().get(0).state() == State.DOWN;
        });
    }

    @Test
    void followsThePolicyInForce() {
        Map<String, String> keys = star.properties(Tunnel.DUBBO);
        TestApplication consumer = star.consumer(keys);
        Object unused = shop(consumer);
        Call call = Call.of(SHOP, "sell").scope("shanghai");
        HighwayExplain before = one(consumer, call);

        HighwayRuntime.of(consumer.model())
                .swap(PolicySwapTest.policy("8", star.properties(Tunnel.TRIPLE, "highway.max-hops", "1")));

        assertThat(before.policyVersion()).isEqualTo("static");
        assertThat(tunnels(before)).containsExactly(TunnelKind.DUBBO);
        HighwayExplain after = one(consumer, call);
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
    void namesTheKeyThatSignsTheCall_alsoOfAnIslandThatAPolicyLeavesOut() {
        String[] keys = {
            "highway.islands.shanghai.sign.key-id", "for-shanghai", "highway.islands.shanghai.sign.secret", "salt"
        };
        TestApplication consumer = star.consumer(star.properties(Tunnel.DUBBO, keys));
        Shop unused = consumer.reference(Shop.class, config -> config.setUrl("dubbo://" + star.homeDubbo))
                .get();
        Map<String, String> next = star.properties(Tunnel.DUBBO, "highway.unknown-islands", "gateway");
        next.keySet().removeIf(key -> key.startsWith("highway.islands."));

        HighwayRuntime.of(consumer.model()).swap(PolicySwapTest.policy("v1", next));

        HighwayExplain explained = HighwayExplain.of(
                        consumer.model(), Call.of(Shop.class.getName(), "sell").attachment("shanghai"))
                .get(0);
        assertThat(explained.headers().get("highway-sign")).contains("key for-shanghai;");
    }

    @Test
    void isEmpty_whileTheHighwayIsOff() {
        TestApplication consumer = star.consumer(star.properties(Tunnel.DUBBO, "highway.enabled", "false"));
        Object unused = shop(consumer);

        assertThat(HighwayExplain.of(consumer.model(), Call.of(SHOP, "sell"))).isEmpty();
    }
}
