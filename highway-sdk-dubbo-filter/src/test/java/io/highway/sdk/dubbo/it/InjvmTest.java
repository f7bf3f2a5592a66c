// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.Caller;
import io.highway.sdk.Highway;
import io.highway.sdk.HighwayAttachments;
import io.highway.sdk.HighwayContext;
import io.highway.sdk.HighwayRoute;
import io.highway.sdk.HighwayScope;
import io.highway.sdk.InternalContexts;
import io.highway.tools.fixtures.ports.FreePorts;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.service.GenericService;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A provider in the caller's own process runs on the caller's thread, and still in a separate context. */
@Tag("network")
class InjvmTest {

    private static final BlockingQueue<Served> SERVED = new LinkedBlockingQueue<>();
    private static Star star;
    private static Shop shop;
    private static GenericService generic;

    /** What a call looked like to the provider. */
    private record Served(
            Optional<HighwayRoute> route, Optional<Caller> caller, int hops, Map<String, Object> attachments) {}

    /** The provider at home; every call of it goes on to beijing, because of the method's annotation. */
    private static final class Neighbour extends ForwardingShop {

        private Shop onward;

        @Override
        public String sell(String item) {
            SERVED.add(new Served(
                    Optional.ofNullable(HighwayContext.capture().route()),
                    Highway.caller(),
                    InternalContexts.hops(HighwayContext.capture()),
                    new TreeMap<>(RpcContext.getServerAttachment().getObjectAttachments())));
            return onward.sellInBeijing(item);
        }

        @Override
        public CompletableFuture<String> sellLater(String item) {
            return CompletableFuture.completedFuture(sell(item));
        }
    }

    /** How a call comes to stay at home. */
    private enum HomeRoute {
        HOME_SCOPE(call -> Highway.home().call(call::get)),
        SCOPE_OF_THIS_ISLAND(call -> Highway.to("zhejiang").call(call::get)),
        INNERMOST_SCOPE(call -> Highway.to("shanghai").call(() -> Highway.home().call(call::get))),
        FALLBACK(call -> Highway.to("hub").call(call::get)),
        ATTACHMENT_IN_A_SCOPE(call -> Highway.to("shanghai").call(() -> {
            RpcContext.getClientAttachment().setAttachment(HighwayAttachments.ISLAND, "zhejiang");
            return call.get();
        }));

        private final Function<Supplier<String>, String> calls;

        HomeRoute(Function<Supplier<String>, String> calls) {
            this.calls = calls;
        }
    }

    @BeforeAll
    static void start() {
        star = new Star();
        String nobody = "gateway.hub.test:" + FreePorts.next();
        TestApplication home = star.consumer(star.properties(
                Tunnel.DUBBO, "highway.islands.hub.gateways.dubbo", nobody, "highway.islands.hub.fallback", "home"));
        home.listen("dubbo");
        Neighbour neighbour = new Neighbour();
        home.export(Shop.class, neighbour, service -> {}).start();
        neighbour.onward = home.reference(Shop.class, config -> config.setUrl("dubbo://" + star.homeDubbo))
                .get();
        shop = local(home, Shop.class).get();
        ReferenceConfig<GenericService> untyped = local(home, GenericService.class);
        untyped.setInterface(Shop.class.getName());
        untyped.setGeneric("true");
        generic = untyped.get();
    }

    @SuppressWarnings("deprecation") // as users still write it
    private static <S> ReferenceConfig<S> local(TestApplication home, Class<S> type) {
        return home.reference(type, config -> config.setInjvm(true));
    }

    @AfterAll
    static void stop() {
        star.close();
    }

    @AfterEach
    void forget() {
        SERVED.clear();
        star.beijing.shop.received.clear();
        assertThat(HighwayContext.capture().isEmpty()).isTrue();
    }

    static Stream<Arguments> waysAndModes() {
        return Arrays.stream(HomeRoute.values())
                .flatMap(route -> Arrays.stream(Mode.values()).map(mode -> Arguments.of(route, mode)));
    }

    private static String sell(Mode mode) {
        try {
            return mode.sell(shop, generic, "tea");
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    private static void assertServedAsFromHome() throws InterruptedException {
        Served served = SERVED.poll(10, TimeUnit.SECONDS);
        assertThat(served).isNotNull();
        assertThat(served.route).isEmpty();
        assertThat(served.caller).isEmpty();
        assertThat(served.hops).isZero();
        assertThat(served.attachments.keySet()).noneMatch(key -> key.startsWith("highway-"));
    }

    @ParameterizedTest
    @MethodSource("waysAndModes")
    void runsWithoutTheCallersScope(HomeRoute route, Mode mode) throws Exception {
        String answer = route.calls.apply(() -> sell(mode));

        assertThat(answer).isEqualTo("beijing:tea");
        assertServedAsFromHome();
        assertThat(star.beijing.shop.received.remove().caller()).isEqualTo(Caller.of("zhejiang", "zhejiang-app"));
    }

    @ParameterizedTest
    @EnumSource
    void runsWithoutTheCallersCaller(Mode mode) throws Exception {
        Caller cloud = Caller.of("cloud", "app");
        try (HighwayScope served = InternalContexts.servedFor(cloud, 2).open()) {
            assertThat(served).isNotNull();

            assertThat(sell(mode)).isEqualTo("beijing:tea");

            assertServedAsFromHome();
            assertThat(Highway.caller()).as("restored").contains(cloud);
            assertThat(InternalContexts.hops(HighwayContext.capture())).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void leavesTheCallersScopeOpen(Mode mode) {
        Highway.home().run(() -> {
            sell(mode);

            assertThat(HighwayContext.capture().route()).isEqualTo(Highway.home());
        });
    }
}
