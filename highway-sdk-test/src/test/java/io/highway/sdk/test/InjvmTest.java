// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.highway.sdk.Caller;
import io.highway.sdk.Highway;
import io.highway.sdk.HighwayAttachments;
import io.highway.sdk.HighwayContext;
import io.highway.sdk.HighwayRoute;
import io.highway.sdk.HighwayScope;
import io.highway.sdk.InternalContexts;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.config.ServiceConfig;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.service.GenericService;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A provider in the caller's own process runs on the caller's thread, and still in a separate context. */
class InjvmTest {

    private static final Queue<Served> SERVED = new ArrayDeque<>();
    private static Islands islands;
    private static Shop shop;
    private static GenericService generic;

    /** What a call looked like to the provider. */
    private record Served(
            Optional<HighwayRoute> route, Optional<Caller> caller, int hops, Map<String, Object> attachments) {}

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
        islands = Islands.builder()
                .home("zhejiang")
                .islands("shanghai", "beijing", "hub")
                .property("highway.islands.hub.fallback", "home")
                .start();
        islands.at("hub").isDown();
        islands.at("beijing").serves(Shop.class, new ShopKeeper("beijing"));
        Shop onward = islands.reference(Shop.class);
        Shop neighbour = mock(Shop.class);
        when(neighbour.sell(any())).thenAnswer(call -> serve(onward, call.getArgument(0)));
        when(neighbour.sellLater(any()))
                .thenAnswer(call -> CompletableFuture.completedFuture(serve(onward, call.getArgument(0))));
        ServiceConfig<Shop> service = new ServiceConfig<>();
        service.setScopeModel(islands.application().getDefaultModule());
        service.setInterface(Shop.class);
        service.setRef(neighbour);
        service.setScope("local");
        service.export();
        shop = local(Shop.class).get();
        ReferenceConfig<GenericService> untyped = local(GenericService.class);
        untyped.setInterface(Shop.class.getName());
        untyped.setGeneric("true");
        generic = untyped.get();
    }

    /** The provider at home; every call of it goes on to beijing, because of the method's annotation. */
    private static String serve(Shop onward, String item) {
        SERVED.add(new Served(
                Optional.ofNullable(HighwayContext.capture().route()),
                Highway.caller(),
                InternalContexts.hops(HighwayContext.capture()),
                new TreeMap<>(RpcContext.getServerAttachment().getObjectAttachments())));
        return onward.sellInBeijing(item);
    }

    @SuppressWarnings("deprecation") // as users still write it
    private static <S> ReferenceConfig<S> local(Class<S> type) {
        ReferenceConfig<S> config = new ReferenceConfig<>();
        config.setScopeModel(islands.application().getDefaultModule());
        config.setInterface(type);
        config.setInjvm(true);
        return config;
    }

    @AfterAll
    static void stop() {
        islands.close();
    }

    @AfterEach
    void forget() {
        SERVED.clear();
        assertThat(HighwayContext.capture().isEmpty()).isTrue();
    }

    static Stream<Arguments> routesAndModes() {
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

    private static void assertServedAsFromHome() {
        Served served = SERVED.poll();
        assertThat(served).isNotNull();
        assertThat(served.route).isEmpty();
        assertThat(served.caller).isEmpty();
        assertThat(served.hops).isZero();
        assertThat(served.attachments.keySet()).noneMatch(key -> key.startsWith("highway-"));
    }

    @ParameterizedTest
    @MethodSource("routesAndModes")
    void runsWithoutTheCallersScope(HomeRoute route, Mode mode) {
        assertThat(route.calls.apply(() -> sell(mode))).isEqualTo("beijing:tea");

        assertServedAsFromHome();
        assertThat(islands.at("beijing").calls()).last().satisfies(call -> assertThat(call.caller())
                .isEqualTo(Caller.of("zhejiang", "test")));
    }

    @ParameterizedTest
    @EnumSource
    void runsWithoutTheCallersCaller(Mode mode) {
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
