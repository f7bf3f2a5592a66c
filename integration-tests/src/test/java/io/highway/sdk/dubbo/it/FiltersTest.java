// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.Highway;
import io.highway.sdk.HighwayAttachments;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.tools.gateway.Gateway;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.cluster.ClusterInvoker;
import org.apache.dubbo.rpc.service.GenericService;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The user's own filters, on calls that are routed and on calls that are not. */
@SuppressWarnings("deprecation") // only ReferenceConfig#getInvoker shows the chain
@Tag("network")
class FiltersTest {

    private static final Map<String, String> OFF = Map.of("highway.enabled", "false");

    private static Star star;

    @BeforeAll
    static void start() {
        star = new Star();
    }

    @AfterAll
    static void stop() {
        star.close();
    }

    @BeforeEach
    void forget() {
        CountingFilter.SEEN.clear();
        CountingClusterFilter.SEEN.clear();
    }

    private static Shop counted(TunnelKind tunnel) {
        return star.reference(
                Shop.class,
                star.properties(tunnel),
                config -> config.setParameters(new HashMap<>(Map.of("counted", "true"))));
    }

    @ParameterizedTest
    @EnumSource
    void runOnce_whenTheCallIsRouted(TunnelKind tunnel) {
        Shop shop = counted(tunnel);

        Highway.to("shanghai").call(() -> shop.sell("tea"));

        assertThat(CountingFilter.SEEN).containsExactly(tunnel.dubboProtocol() + "://" + star.gatewayAddress());
        assertThat(CountingClusterFilter.SEEN).containsExactly("invoke", "response");
    }

    @ParameterizedTest
    @EnumSource
    void runOnce_whenTheRoutedCallIsAsynchronous(TunnelKind tunnel) {
        Shop shop = counted(tunnel);

        Highway.to("shanghai").call(() -> shop.sellLater("tea")).join();

        assertThat(CountingFilter.SEEN).hasSize(1);
        await().untilAsserted(() -> assertThat(CountingClusterFilter.SEEN).containsExactly("invoke", "response"));
    }

    @ParameterizedTest
    @EnumSource
    void runOnce_whenTheCallStaysHome(TunnelKind tunnel) {
        Shop shop = counted(tunnel);

        shop.sell("tea");

        assertThat(CountingFilter.SEEN).containsExactly("dubbo://" + star.homeDubbo);
        assertThat(CountingClusterFilter.SEEN).containsExactly("invoke", "response");
    }

    @ParameterizedTest
    @EnumSource
    void seeHowARefusedCallEnds_andTheContextIsClean(TunnelKind tunnel) {
        Shop shop = counted(tunnel);
        RpcContext.getClientAttachment().setAttachment("mine", "1");

        assertThatThrownBy(() -> Highway.to("atlantis").call(() -> shop.sell("tea")))
                .isInstanceOf(HighwayException.class);

        assertThat(CountingFilter.SEEN).isEmpty();
        assertThat(CountingClusterFilter.SEEN).containsExactly("invoke", "error HighwayException");
        assertThat(RpcContext.getClientAttachment().getObjectAttachments()).doesNotContainKey("mine");
    }

    @ParameterizedTest
    @EnumSource
    void changeWhatIsSent_evenBehindAllOthers(TunnelKind tunnel) {
        Shop shop = star.reference(
                Shop.class, star.properties(tunnel), config -> config.setFilter("default," + MaskingFilter.NAME));

        assertThat(Highway.to("shanghai").call(() -> shop.sell("tea"))).isEqualTo("shanghai:***");
        assertThat(Highway.to("shanghai").call(() -> shop.find(new HashMap<>(Map.of("code", "310000")))))
                .isEqualTo("shanghai:***");
    }

    /** The positions of a user's filter: named last, ordered as late as can be, and in between. */
    enum Place {
        NAMED_LAST,
        ORDERED_LAST,
        NAMED_FIRST;

        void put(ReferenceConfig<?> config) {
            if (this == ORDERED_LAST) {
                config.setParameters(new HashMap<>(Map.of("masked-last", "true")));
            } else {
                config.setFilter(this == NAMED_LAST ? "default," + MaskingFilter.NAME : MaskingFilter.NAME);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("everyPlace")
    void changeAnObjectThatIsSent_inPlaceOrForAnEqualOne(TunnelKind tunnel, Place place) throws Exception {
        Shop shop = star.reference(Shop.class, star.properties(tunnel), place::put);
        Shop shanghai = Highway.to("shanghai").bind(Shop.class, shop);

        assertThat(shanghai.order(new Shop.Order("4111-1111", null)).getItem()).isEqualTo("shanghai:***");
        assertThat(shanghai.order(new Shop.Secret("4111-1111")).getItem()).isEqualTo("shanghai:***");
        assertThat(RpcContext.getServiceContext()
                        .asyncCall(() -> shanghai.order(new Shop.Secret("4111-1111")))
                        .get(10, TimeUnit.SECONDS)
                        .getItem())
                .isEqualTo("shanghai:***");
    }

    @ParameterizedTest
    @MethodSource("everyPlace")
    void changeWhatAGenericCallSends(TunnelKind tunnel, Place place) {
        GenericService generic = star.reference(GenericService.class, star.properties(tunnel), config -> {
            config.setInterface(Shop.class.getName());
            config.setGeneric("true");
            place.put(config);
        });

        Object answer = Highway.to("shanghai")
                .call(() -> generic.$invoke("order", new String[] {Shop.Order.class.getName()}, new Object[] {
                    new HashMap<>(Map.of("item", "4111-1111"))
                }));

        assertThat(((Map<?, ?>) answer).get("item")).isEqualTo("shanghai:***");
    }

    static Stream<Arguments> everyPlace() {
        return Stream.of(TunnelKind.values())
                .flatMap(tunnel -> Stream.of(Place.values()).map(place -> Arguments.of(tunnel, place)));
    }

    /** With {@link CountingFilter}, which fails in this way. */
    private static Shop counted(String failure, Map<String, String> properties) {
        return star.reference(
                Shop.class,
                properties,
                config -> config.setParameters(new HashMap<>(Map.of("counted", "true", failure, "true"))));
    }

    @ParameterizedTest
    @EnumSource
    void cannotUnsendACall_byFailingAfterIt(TunnelKind tunnel) {
        Shop shop = counted("fail-after", star.properties(tunnel, "highway.defaults.fallback", "home"));

        assertThatThrownBy(() -> Highway.to("shanghai").call(() -> shop.sell("tea")))
                .isInstanceOfSatisfying(
                        HighwayException.class, e -> assertThat(e.mayHaveRun()).isTrue());
        assertThat(CountingFilter.SEEN).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void cannotUnsendACall_byAFailureOfTheirOwnCallsAfterIt(TunnelKind tunnel) {
        Shop shop = counted("fail-listener", star.properties(tunnel, "highway.defaults.fallback", "home"));

        assertThatThrownBy(() -> Highway.to("shanghai").call(() -> shop.sell("tea")))
                .isInstanceOfSatisfying(
                        HighwayException.class, e -> assertThat(e.mayHaveRun()).isTrue());
        assertThatThrownBy(() ->
                        Highway.to("shanghai").call(() -> shop.sellLater("tea")).get())
                .hasCauseInstanceOf(HighwayException.class)
                .cause()
                .isInstanceOfSatisfying(
                        HighwayException.class, e -> assertThat(e.mayHaveRun()).isTrue());
        assertThat(CountingFilter.SEEN).hasSize(2);
    }

    /** While the gateway is connected, further attempts are likely to end in the same way. */
    @ParameterizedTest
    @EnumSource
    void preventACall_afterAFewAttempts(TunnelKind tunnel) {
        Shop shop = counted("fail-tunnel", star.properties(tunnel));

        assertThatThrownBy(() -> Highway.to("shanghai").call(() -> shop.sell("tea")))
                .isInstanceOfSatisfying(
                        HighwayException.class, e -> assertThat(e.mayHaveRun()).isFalse());
        assertThat(CountingFilter.SEEN).hasSizeLessThanOrEqualTo(5);
    }

    @ParameterizedTest
    @EnumSource
    void mayFailALaterTry_whichHasNotLeftThen(TunnelKind tunnel) {
        try (Gateway one = FaultyStar.deadEnd();
                Gateway other = FaultyStar.deadEnd()) {
            String addresses = FaultyStar.address(one.port()) + "," + FaultyStar.address(other.port());
            Shop shop = counted("fail-second", star.properties(tunnel, Star.gateways(tunnel, addresses)));

            await().untilAsserted(
                            () -> { // one may be connected before the other
                                CountingFilter.SEEN.clear();
                                assertThatThrownBy(() -> Highway.to("shanghai").call(() -> shop.sell("tea")))
                                        .isInstanceOfSatisfying(HighwayException.class, e -> assertThat(e.mayHaveRun())
                                                .isFalse());
                                assertThat(CountingFilter.SEEN).hasSizeGreaterThanOrEqualTo(2);
                            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void areTheSame_asWithoutTheSdk_whenTheCallStaysHome(TunnelKind tunnel) {
        assertThat(chain(star.properties(tunnel))).isEqualTo(chain(OFF));
        assertThat(chain(star.properties(tunnel, "highway.enabled", "false"))).isEqualTo(chain(OFF));
    }

    /** The classes a call passes, from outside in, without the cluster invoker itself. */
    private static List<String> chain(Map<String, String> properties) {
        ReferenceConfig<Shop> config =
                star.consumer(properties).reference(Shop.class, c -> c.setUrl("dubbo://" + star.homeDubbo));
        config.get();
        Invoker<?> invoker = config.getInvoker();
        List<String> names = new java.util.ArrayList<>();
        for (Object at = invoker; at != null; at = inner(at)) {
            names.add(at.getClass().getName());
        }
        names.remove("io.highway.sdk.dubbo.internal.caller.entry.HighwayClusterInvoker");
        return names;
    }

    private static Object inner(Object invoker) {
        for (Class<?> type = invoker.getClass(); type != null && type != Object.class; type = type.getSuperclass()) {
            for (String name : List.of("home", "invoker", "filterInvoker", "filterChain", "nextNode")) {
                try {
                    var field = type.getDeclaredField(name);
                    field.setAccessible(true);
                    return field.get(invoker);
                } catch (NoSuchFieldException e) {
                    // the next name may fit
                } catch (IllegalAccessException e) {
                    throw new IllegalStateException(e);
                }
            }
        }
        return null;
    }

    @Test
    void seeTheSameException_asWithoutTheSdk_whenHomeFails() {
        Shop with = star.shop(TunnelKind.DUBBO);
        Shop without = star.reference(Shop.class, OFF, config -> {});

        assertThatThrownBy(() -> with.refuse("why")).isInstanceOf(Shop.SoldOutException.class);
        Throwable expected = failure(without);
        assertThat(failure(with)).hasSameClassAs(expected).isExactlyInstanceOf(RpcException.class);
        assertThat(((RpcException) failure(with)).getCode()).isEqualTo(((RpcException) expected).getCode());
    }

    private static Throwable failure(Shop shop) {
        RpcContext.getClientAttachment().setAttachment("timeout", "50");
        return org.assertj.core.api.Assertions.catchThrowable(() -> shop.slow(1000));
    }

    @Test
    void areUntouched_whenItIsSwitchedOff() {
        ReferenceConfig<Shop> config =
                star.consumer(OFF).reference(Shop.class, c -> c.setUrl("dubbo://" + star.homeDubbo));

        assertThat(config.get().sell("tea")).isEqualTo("zhejiang:tea");
        assertThat(config.getInvoker()).isInstanceOf(ClusterInvoker.class);
        assertThat(Objects.requireNonNull(config.getInvoker()).getClass().getName())
                .startsWith("org.apache.dubbo");
        RpcContext.getClientAttachment().removeAttachment(HighwayAttachments.ISLAND);
    }
}
