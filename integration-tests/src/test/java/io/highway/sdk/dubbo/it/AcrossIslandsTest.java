// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.highway.sdk.Caller;
import io.highway.sdk.Highway;
import io.highway.sdk.InternalContexts;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.internal.provider.guard.WithoutGuard;
import io.highway.tools.gateway.Gateway;
import io.highway.tools.gateway.GatewayConfig;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.RpcContextAttachment;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What arrives at a destination, and what does not travel on from there. */
@Tag("network")
class AcrossIslandsTest {

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
    void forget() {
        star.shanghai.shop.received.clear();
        star.beijing.shop.received.clear();
    }

    @ParameterizedTest
    @EnumSource
    void recordsTheCaller_andStripsEveryRouteHeader(Tunnel tunnel) {
        Highway.to("shanghai").call(() -> star.shop(tunnel).sell("tea"));

        ShopKeeper.Received received = star.shanghai.shop.received.remove();
        assertThat(received.caller()).isEqualTo(Caller.of("zhejiang", "zhejiang-app"));
        assertThat(received.attachments().keySet()).noneMatch(key -> key.startsWith("highway-"));
        assertThat(Highway.caller()).isEmpty();
    }

    /** A service in shanghai that calls on: home (shanghai's own shop), and beijing through shanghai's gateway. */
    private static final class Broker extends ForwardingShop {
        private Shop home;
        private String seen = "";

        @Override
        public String sell(String item) {
            seen = "caller=" + Highway.caller().map(Caller::island).orElse("none");
            String there =
                    item.startsWith("to-beijing") ? Highway.to("beijing").call(() -> home.sell(item)) : home.sell(item);
            return "broker>" + there;
        }
    }

    @ParameterizedTest
    @EnumSource
    void leaksNothingFromOneCallToTheNextIsland(Tunnel tunnel) {
        Broker broker = new Broker();
        TestApplication shanghai =
                star.closing(new TestApplication("shanghai", star.properties(tunnel, "highway.island", "shanghai")));
        Gateway gateway = star.closing(brokerGateway(shanghai, broker));
        broker.home = shanghai.reference(Shop.class, config -> config.setUrl("dubbo://" + star.shanghai.dubboAddress))
                .get();
        Shop shop = star.shop(
                tunnel,
                "highway.islands.shanghai.gateways." + tunnel.key(),
                "gateway2.shanghai.test:" + gateway.port());

        String nested = Highway.to("shanghai").call(() -> shop.sell("tea"));
        String onwards = Highway.to("shanghai").call(() -> shop.sell("to-beijing"));

        assertThat(nested).isEqualTo("broker>shanghai:tea");
        assertThat(broker.seen).isEqualTo("caller=zhejiang");
        ShopKeeper.Received atShanghai = star.shanghai.shop.received.remove();
        assertThat(atShanghai.attachments().keySet()).noneMatch(key -> key.startsWith("highway-"));
        assertThat(atShanghai.caller()).isNull();
        assertThat(onwards).isEqualTo("broker>beijing:to-beijing");
        ShopKeeper.Received atBeijing = star.beijing.shop.received.remove();
        assertThat(atBeijing.caller()).isEqualTo(Caller.of("shanghai", "shanghai-app"));
    }

    private static Gateway brokerGateway(TestApplication shanghai, Broker broker) {
        String dubbo = shanghai.listen("dubbo");
        String triple = shanghai.listen("tri");
        shanghai.export(Shop.class, broker, service -> {}).start();
        return Gateway.start(GatewayConfig.builder()
                .island("shanghai")
                .listen("gateway2.shanghai.test", 0)
                .providers("shanghai", "*", List.of(dubbo), List.of(triple))
                .build());
    }

    @ParameterizedTest
    @EnumSource
    void refusesThere_whenAGatewayDeliversToTheWrongIsland(Tunnel tunnel) {
        Gateway confused = star.closing(Gateway.start(GatewayConfig.builder()
                .island("hub")
                .listen("gateway.hub.test", 0)
                .providers("beijing", "*", List.of(star.shanghai.dubboAddress), List.of(star.shanghai.tripleAddress))
                .build()));
        Shop shop = star.shop(
                tunnel, "highway.islands.beijing.gateways." + tunnel.key(), "gateway.hub.test:" + confused.port());

        assertThatThrownBy(() -> Highway.to("beijing").call(() -> shop.sell("tea")))
                .isInstanceOfSatisfying(HighwayException.class, e -> {
                    assertThat(e.reason()).isEqualTo(Reason.REFUSED_THERE);
                    assertThat(e.mayHaveRun()).isFalse();
                })
                .hasMessageContaining("wrong-island");
        assertThat(star.shanghai.shop.received).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void saysThatTheGatewayDoesNotKnowTheIsland(Tunnel tunnel) {
        Shop shop = star.shop(tunnel, "highway.islands.atlantis.retries", "0");

        assertThatThrownBy(() -> Highway.to("atlantis").call(() -> shop.sell("tea")))
                .isInstanceOfSatisfying(HighwayException.class, e -> {
                    assertThat(e.reason()).isEqualTo(Reason.NOT_FORWARDED);
                    assertThat(e.mayHaveRun()).isFalse();
                })
                .hasMessageContaining("unknown-island atlantis");
    }

    @ParameterizedTest
    @EnumSource
    void refusesHere_whenTheChainIsTooLong(Tunnel tunnel) {
        Shop shop = star.shop(tunnel);

        try (var served =
                InternalContexts.servedFor(Caller.of("cloud", "app"), 3).open()) {
            assertThat(served).isNotNull();
            assertThatThrownBy(() -> Highway.to("shanghai").call(() -> shop.sell("tea")))
                    .isInstanceOfSatisfying(
                            HighwayException.class, e -> assertThat(e.reason()).isEqualTo(Reason.TOO_MANY_HOPS));
        }
    }

    @ParameterizedTest
    @EnumSource
    void replacesAnUpstreamsKeys_whenSomeAreStillInTheContext(Tunnel tunnel) {
        Shop shop = star.shop(tunnel);
        RpcContext.getServerAttachment().setAttachment("highway-island", "beijing");
        RpcContext.getServerAttachment().setAttachment("highway-from", "cloud/other/2");
        try {
            assertThat(Highway.to("shanghai").call(() -> shop.sell("tea"))).isEqualTo("shanghai:tea");
            assertThat(star.shanghai.shop.received.remove().caller().island()).isEqualTo("zhejiang");
        } finally {
            RpcContext.removeServerAttachment();
        }
    }

    /** What an application should not do: it writes keys of the SDK, before the call and in a filter. */
    @ParameterizedTest
    @EnumSource
    void sendsNoKeyThatTheApplicationWrote(Tunnel tunnel) {
        TestApplication provider = star.closing(new TestApplication("shanghai", Map.of()));
        ShopKeeper plain = new ShopKeeper("plain");
        String gateway = plainIsland(provider, plain);
        Shop shop = star.reference(
                Shop.class,
                star.properties(tunnel, "highway.islands.shanghai.gateways." + tunnel.key(), gateway),
                config -> config.setFilter("forging"));
        RpcContextAttachment mine = RpcContext.getClientAttachment();
        for (String key : ForgingFilter.KEYS) {
            mine.setAttachment(key, "forged");
        }
        mine.setObjectAttachment("highway-number", 7);
        mine.setAttachment("highwayman", "kept");

        assertThat(Highway.to("shanghai").call(() -> shop.sell("tea"))).isEqualTo("plain:tea");

        Map<String, Object> attachments = plain.received.remove().attachments();
        assertThat(attachments)
                .containsEntry("highway-island", "shanghai")
                .containsEntry("highway-from", "zhejiang/zhejiang-app/1")
                .containsEntry("highwayman", "kept");
        assertThat(attachments.keySet())
                .filteredOn(key -> key.toLowerCase(Locale.ROOT).startsWith("highway-"))
                .containsExactlyInAnyOrder("highway-island", "highway-from");
    }

    private static String plainIsland(TestApplication provider, Shop shop) {
        String dubbo = provider.listen("dubbo");
        String triple = provider.listen("tri");
        provider.export(Shop.class, shop, WithoutGuard::export).start();
        Gateway gateway = star.closing(Gateway.start(GatewayConfig.builder()
                .island("shanghai")
                .listen("gateway2.shanghai.test", 0)
                .providers("shanghai", "*", List.of(dubbo), List.of(triple))
                .build()));
        return "gateway2.shanghai.test:" + gateway.port();
    }

    /** A service without the SDK: Dubbo copies what it got into its own calls. */
    private static final class Passing extends ForwardingShop {
        private Shop next;

        @Override
        public String sell(String item) {
            return "passing>" + next.sell(item);
        }
    }

    @ParameterizedTest
    @EnumSource
    void reportsNoCaller_whenAServiceWithoutTheSdkPassesTheHeadersOn(Tunnel tunnel) {
        Passing passing = new Passing();
        TestApplication without = star.closing(new TestApplication("hub", Map.of("highway.enabled", "false")));
        String gateway = plainIsland(without, passing);
        Shop shop = star.shop(tunnel, "highway.islands.shanghai.gateways." + tunnel.key(), gateway);
        for (TestIsland island : List.of(star.shanghai, star.beijing)) {
            passing.next = without.reference(
                            Shop.class,
                            config -> config.setUrl(
                                    tunnel == Tunnel.DUBBO
                                            ? "dubbo://" + island.dubboAddress
                                            : "tri://" + island.tripleAddress))
                    .get();

            Throwable refused = catchThrowable(() -> Highway.to("shanghai").run(() -> shop.sell("tea")));

            if (island == star.shanghai) {
                assertThat(refused).isNull();
                assertThat(island.shop.received.remove().caller()).isNull();
            } else {
                assertThat(refused).as("refused as for another island").isNotNull();
                assertThat(island.shop.received).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void servesTunnelledCalls_withoutTheSdkOnTheProvider(Tunnel tunnel) {
        ShopKeeper plain = new ShopKeeper("plain");
        TestApplication provider = star.closing(new TestApplication("shanghai", Map.of()));
        Shop shop =
                star.shop(tunnel, "highway.islands.shanghai.gateways." + tunnel.key(), plainIsland(provider, plain));

        assertThat(Highway.to("shanghai").call(() -> shop.sell("tea"))).isEqualTo("plain:tea");
        assertThat(plain.received.remove().attachments())
                .containsEntry("highway-island", "shanghai")
                .containsEntry("highway-from", "zhejiang/zhejiang-app/1");
    }

    @ParameterizedTest
    @EnumSource
    void acceptsASignedCall_andRefusesAnUnsignedOne(Tunnel tunnel) {
        Map<String, String> accepting = Map.of("highway.island", "shanghai", "highway.sign.accept.zj1", "open sesame");
        TestIsland shanghai = star.closing(new TestIsland("shanghai", accepting));
        String[] route = {"highway.islands.shanghai.gateways." + tunnel.key(), shanghai.gatewayAddress()};
        Shop unsigned = star.shop(tunnel, route);
        Shop signed = star.shop(
                tunnel, route[0], route[1], "highway.sign.key-id", "zj1", "highway.sign.secret", "open sesame");
        Shop forged =
                star.shop(tunnel, route[0], route[1], "highway.sign.key-id", "zj1", "highway.sign.secret", "guess");

        assertThat(Highway.to("shanghai").call(() -> signed.sell("tea"))).isEqualTo("shanghai:tea");
        assertThatThrownBy(() -> Highway.to("shanghai").call(() -> unsigned.sell("tea")))
                .hasMessageContaining("unsigned");
        assertThatThrownBy(() -> Highway.to("shanghai").call(() -> forged.sell("tea")))
                .hasMessageContaining("wrong-signature");
    }
}
