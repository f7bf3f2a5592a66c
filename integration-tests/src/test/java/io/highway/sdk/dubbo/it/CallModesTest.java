// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.Highway;
import io.highway.sdk.HighwayAttachments;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Outcome;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.tools.fixtures.logs.CapturedLog;
import io.highway.tools.gateway.Gateway;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.dubbo.config.MethodConfig;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.service.GenericException;
import org.apache.dubbo.rpc.service.GenericService;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every way to call, over each tunnel. */
@Tag("network")
class CallModesTest {

    /** The first call of a process may take longer than Dubbo's second. */
    private static final int HOME_MILLIS = 20_000;

    private static final Map<TunnelKind, Shop> SHOPS = new EnumMap<>(TunnelKind.class);
    private static final Map<TunnelKind, GenericService> GENERIC = new EnumMap<>(TunnelKind.class);
    private static Star star;

    @BeforeAll
    static void start() {
        star = new Star();
        for (TunnelKind tunnel : TunnelKind.values()) {
            Map<String, String> properties = star.properties(tunnel, "highway.islands.shanghai.deny", "order");
            SHOPS.put(tunnel, star.reference(Shop.class, properties, config -> {
                MethodConfig note = new MethodConfig();
                note.setName("note");
                note.setReturn(false);
                config.setMethods(new ArrayList<>(List.of(note)));
                config.setTimeout(HOME_MILLIS);
            }));
            GENERIC.put(tunnel, star.reference(GenericService.class, properties, config -> {
                config.setInterface(Shop.class.getName());
                config.setGeneric("true");
                config.setTimeout(HOME_MILLIS);
            }));
        }
    }

    @AfterAll
    static void stop() {
        star.close();
    }

    @AfterEach
    void nothingIsLeftOnTheThread() {
        assertThat(RpcContext.getClientAttachment().getObjectAttachment(HighwayAttachments.ISLAND))
                .isNull();
        star.shanghai.shop.received.clear();
        star.beijing.shop.received.clear();
        star.homeShop.received.clear();
    }

    static Stream<Arguments> tunnelsAndModes() {
        return Stream.of(TunnelKind.values())
                .flatMap(tunnel -> Stream.of(Mode.values()).map(mode -> Arguments.of(tunnel, mode)));
    }

    private static String sell(TunnelKind tunnel, Mode mode, String item) {
        try {
            return mode.sell(SHOPS.get(tunnel), GENERIC.get(tunnel), item);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @EnumSource(TunnelKind.class)
    void warnsOfNothing_whenAnApplicationWithoutOtherConnectionsCalls(TunnelKind tunnel) {
        // Dubbo 3.2 goes on connecting for applications of earlier tests, on other threads.
        String thread = "[" + Thread.currentThread().getName() + "]";
        Shop shop = star.reference(Shop.class, star.properties(tunnel), config -> config.setLazy(true));

        try (CapturedLog log = new CapturedLog()) {
            assertThat(Highway.to("shanghai").call(() -> shop.sellLater("tea")).join())
                    .isEqualTo("shanghai:tea");
            assertThat(log.lines(thread + " WARN ")).isEmpty();
            assertThat(log.lines(thread + " ERROR ")).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("tunnelsAndModes")
    void reachesTheIsland_whenAScopeNamesIt(TunnelKind tunnel, Mode mode) {
        String answer = Highway.to("shanghai").call(() -> sell(tunnel, mode, "tea"));

        assertThat(answer).isEqualTo("shanghai:tea");
        assertThat(star.homeShop.received).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("tunnelsAndModes")
    void reachesTheIsland_whenAnAttachmentNamesIt_onceOnly(TunnelKind tunnel, Mode mode) {
        RpcContext.getClientAttachment().setAttachment(HighwayAttachments.ISLAND, "beijing");

        assertThat(sell(tunnel, mode, "tea")).isEqualTo("beijing:tea");
        assertThat(sell(tunnel, mode, "tea")).isEqualTo("zhejiang:tea");
    }

    @ParameterizedTest
    @MethodSource("tunnelsAndModes")
    void staysHome_withoutIntent(TunnelKind tunnel, Mode mode) {
        assertThat(sell(tunnel, mode, "tea")).isEqualTo("zhejiang:tea");
        assertThat(star.homeShop.received.peek().attachments()).doesNotContainKeys("highway-island", "highway-from");
    }

    @ParameterizedTest
    @MethodSource("tunnelsAndModes")
    void keepsTheTypeOfABusinessException(TunnelKind tunnel, Mode mode) {
        Throwable thrown = catchThrowable(() ->
                Highway.to("shanghai").runChecked(() -> mode.refuse(SHOPS.get(tunnel), GENERIC.get(tunnel), "no tea")));

        if (mode.isGeneric()) {
            assertThat(thrown).isInstanceOf(GenericException.class).hasMessageContaining("shanghai:no tea");
        } else {
            assertThat(thrown).isInstanceOf(Shop.SoldOutException.class).hasMessage("shanghai:no tea");
        }
    }

    @ParameterizedTest
    @MethodSource("tunnelsAndModes")
    void refusesAnUnknownIsland_andUsesTheAttachmentUp(TunnelKind tunnel, Mode mode) {
        RpcContext.getClientAttachment().setAttachment(HighwayAttachments.ISLAND, "shangai");

        assertThatThrownBy(() -> sell(tunnel, mode, "tea")).isInstanceOfSatisfying(HighwayException.class, e -> {
            assertThat(e.reason()).isEqualTo(Reason.UNKNOWN_ISLAND);
            assertThat(e.island()).isEqualTo("shangai");
            assertThat(e.mayHaveRun()).isFalse();
            assertThat(e.isForbidden()).isTrue();
            assertThat(e.intent().source().word()).isEqualTo("attachment");
            assertThat(e).hasMessageContaining("did you mean \"shanghai\"?");
        });
        assertThat(sell(tunnel, mode, "tea")).isEqualTo("zhejiang:tea");
    }

    @ParameterizedTest
    @EnumSource
    void sendsAOnewayCall(TunnelKind tunnel) throws InterruptedException {
        Highway.to("shanghai").run(() -> SHOPS.get(tunnel).note("tea"));

        ShopKeeper.Received received = star.shanghai.shop.received.poll(5, TimeUnit.SECONDS);
        assertThat(received).isNotNull();
        assertThat(received.method()).isEqualTo("note");
        assertThat(sell(tunnel, Mode.SYNC, "next")).isEqualTo("zhejiang:next");
    }

    @ParameterizedTest
    @EnumSource
    void carriesNullAndObjectsAndResponseAttachments(TunnelKind tunnel) {
        Shop shop = Highway.to("beijing").bind(Shop.class, SHOPS.get(tunnel));

        assertThat(shop.nothing(null)).isNull();
        Shop.Order order = shop.order(new Shop.Order("茶", new Shop.AddressBean("110000")));

        assertThat(order.getItem()).isEqualTo("beijing:茶");
        assertThat(order.getAddress().getCode()).isEqualTo("110000");
        assertThat(RpcContext.getClientResponseContext().getAttachment("shop-island"))
                .isEqualTo("beijing");
    }

    @ParameterizedTest
    @EnumSource
    void refusesADeniedMethod(TunnelKind tunnel) {
        Shop shop = Highway.to("shanghai").bind(Shop.class, SHOPS.get(tunnel));

        assertThatThrownBy(() -> shop.order(new Shop.Order("tea", null)))
                .isInstanceOfSatisfying(
                        HighwayException.class, e -> assertThat(e.reason()).isEqualTo(Reason.DENIED))
                .hasMessageContaining("highway.islands.shanghai.deny contains \"order\"");
        assertThat(star.shanghai.shop.received).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void respectsGroupAndVersion(TunnelKind tunnel) {
        Shop blue = star.reference(Shop.class, star.properties(tunnel), config -> {
            config.setGroup("blue");
            config.setVersion("2.0.0");
            config.setCheck(false);
        });

        assertThat(Highway.to("shanghai").call(() -> blue.sell("tea"))).isEqualTo("shanghai-blue:tea");
    }

    @ParameterizedTest
    @EnumSource
    void failsAsNoSuchService_whenTheIslandHasNoSuchVersion(TunnelKind tunnel) {
        Shop green = star.reference(Shop.class, star.properties(tunnel), config -> {
            config.setGroup("green");
            config.setCheck(false);
        });

        Throwable thrown = catchThrowable(() -> Highway.to("shanghai").call(() -> green.sell("tea")));

        // Triple's server answers for a group it does not have (dubbo.rpc.tri.resolve-fallback-to-default).
        if (tunnel != TunnelKind.TRIPLE) {
            assertThat(thrown).isInstanceOfSatisfying(HighwayException.class, e -> {
                assertThat(e.reason()).isEqualTo(Reason.NO_SUCH_SERVICE);
                assertThat(e.mayHaveRun()).isFalse();
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void reportsATimeout_asMaybeExecuted(TunnelKind tunnel) {
        Shop shop = star.shop(tunnel, "highway.islands.shanghai.timeout", "300ms");

        await().untilAsserted( // the first call has to connect within its time
                        () -> assertThatThrownBy(() -> Highway.to("shanghai").call(() -> shop.slow(3000)))
                                .isInstanceOfSatisfying(HighwayException.class, e -> {
                                    assertThat(e.reason()).isEqualTo(Reason.TIMEOUT);
                                    assertThat(e.mayHaveRun()).isTrue();
                                    assertThat(e.isTimeout()).isTrue();
                                }));
    }

    @ParameterizedTest
    @EnumSource
    void sendsNothing_whenNoTimeIsLeft(TunnelKind tunnel) {
        RpcContext.getClientAttachment().setAttachment("timeout", "0");

        assertThatThrownBy(() -> Highway.to("shanghai").call(() -> sell(tunnel, Mode.SYNC, "tea")))
                .isInstanceOfSatisfying(HighwayException.class, e -> {
                    assertThat(e.reason()).isEqualTo(Reason.NO_TIME_LEFT);
                    assertThat(e.mayHaveRun()).isFalse();
                });
        assertThat(star.shanghai.shop.received).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void refusesARequestOverTheLimit_andSendsNothing(TunnelKind tunnel) {
        Gateway gateway = star.closing(star.anotherGateway()); // without other calls
        String address = FaultyStar.address(gateway.port());
        Shop shop = star.shop(
                tunnel,
                "highway.islands.shanghai.max-request-size",
                "64KB",
                "highway.heartbeat.interval",
                "none",
                "highway.gateways." + tunnel,
                address);
        Shop shanghai = Highway.to("shanghai").bind(Shop.class, shop);

        assertThatThrownBy(() -> shanghai.pack(new byte[70_000]))
                .isInstanceOfSatisfying(HighwayException.class, e -> {
                    assertThat(e.reason()).isEqualTo(Reason.TOO_LARGE);
                    assertThat(e.mayHaveRun()).isFalse();
                    assertThat(e.outcome()).isEqualTo(Outcome.REFUSED);
                    assertThat(e.island()).isEqualTo("shanghai");
                })
                .hasMessageContaining("max-request-size");
        assertThatThrownBy(() -> shanghai.find(new HashMap<>(Map.of("code", "x".repeat(70_000)))))
                .hasMessageContaining("max-request-size");
        assertThat(gateway.stats().forwarded()).isZero();
        assertThat(shanghai.pack(new byte[60_000])).hasSize(60_000);
    }

    @Test
    void refusesAttachmentsThatTripleCannotCarry_andSendsNothing() {
        Shop shanghai = Highway.to("shanghai").bind(Shop.class, star.shop(TunnelKind.TRIPLE));
        assertThat(shanghai.sell("tea")).isEqualTo("shanghai:tea");

        RpcContext.getClientAttachment().setAttachment("essay", "x".repeat(31_744));
        assertThatThrownBy(() -> shanghai.sell("tea"))
                .isInstanceOfSatisfying(HighwayException.class, e -> {
                    assertThat(e.reason()).isEqualTo(Reason.TOO_LARGE);
                    assertThat(e.mayHaveRun()).isFalse();
                })
                .hasMessageContaining("send them as an argument");

        RpcContext.getClientAttachment().setAttachment("essay", "x".repeat(30_000));
        assertThat(shanghai.sell("tea")).isEqualTo("shanghai:tea");
    }

    /** A map that knows how often it was written. */
    static final class CountedMap extends HashMap<String, String> {

        private static final long serialVersionUID = 1L;

        private final transient AtomicInteger written = new AtomicInteger();

        @Override
        public Set<Map.Entry<String, String>> entrySet() {
            if (written != null) { // null while it is being read
                written.incrementAndGet();
            }
            return super.entrySet();
        }
    }

    @ParameterizedTest
    @EnumSource
    void serialisesTheArgumentsOnce(TunnelKind tunnel) {
        CountedMap address = new CountedMap();
        address.put("code", "310000");

        assertThat(SHOPS.get(tunnel).find(address)).isEqualTo("shanghai:310000");

        assertThat(address.written).hasValue(1);
    }

    @Test
    void refusesACallbackArgument() {
        Shop shop = star.reference(Shop.class, star.properties(TunnelKind.DUBBO), config -> {
            config.setParameters(new HashMap<>(Map.of("find.0.callback", "true")));
        });

        assertThatThrownBy(() -> Highway.to("shanghai").run(() -> shop.find(Map.of("code", "310000"))))
                .isInstanceOfSatisfying(
                        HighwayException.class, e -> assertThat(e.reason()).isEqualTo(Reason.NOT_TUNNELLABLE));
    }
}
