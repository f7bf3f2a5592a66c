// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.highway.sdk.Highway;
import io.highway.sdk.HighwayAttachments;
import io.highway.sdk.Island;
import io.highway.sdk.IslandKey;
import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Reason;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.dubbo.config.ConsumerConfig;
import org.apache.dubbo.config.MethodConfig;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.service.GenericService;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** No {@code highway.*} key at all, or {@code highway.enabled=false}: what still asks for an island. */
@Tag("network")
class UnconfiguredTest {

    private static final Map<String, String> OFF = Map.of("highway.enabled", "false");

    private static final AtomicInteger served = new AtomicInteger();
    private static final List<TestApplication> opened = new ArrayList<>();
    private static TestApplication provider;
    private static String dubbo;
    private static String triple;

    /** Asks for nothing by itself. */
    interface Stall {

        String sell(String item);

        CompletableFuture<String> sellLater(String item);
    }

    interface KeyedStall {

        String sellIn(@IslandKey String island, String item);
    }

    interface MethodStall {

        @Island("shanghai")
        String sell(String item);
    }

    @Island("shanghai")
    interface IslandStall extends Stall {}

    @Island(value = "shanghai", when = Island.When.HOME_ABSENT)
    interface LocalFirstStall extends Stall {}

    private static class StallKeeper implements IslandStall, LocalFirstStall, KeyedStall, MethodStall {

        @Override
        public String sell(String item) {
            served.incrementAndGet();
            return "home:" + item;
        }

        @Override
        public CompletableFuture<String> sellLater(String item) {
            return CompletableFuture.completedFuture(sell(item));
        }

        @Override
        public String sellIn(String island, String item) {
            return sell(item);
        }
    }

    enum Call {
        SYNC {
            @Override
            String sell(Stall stall, GenericService generic) {
                return stall.sell("tea");
            }
        },
        COMPLETABLE_FUTURE {
            @Override
            String sell(Stall stall, GenericService generic) throws Throwable {
                return ended(stall.sellLater("tea"));
            }
        },
        ASYNC_CALL {
            @Override
            String sell(Stall stall, GenericService generic) throws Throwable {
                return ended(RpcContext.getServiceContext().asyncCall(() -> stall.sell("tea")));
            }
        },
        GENERIC {
            @Override
            String sell(Stall stall, GenericService generic) {
                return (String) generic.$invoke("sell", new String[] {"java.lang.String"}, new Object[] {"tea"});
            }
        },
        GENERIC_ASYNC {
            @Override
            String sell(Stall stall, GenericService generic) throws Throwable {
                return (String)
                        ended(generic.$invokeAsync("sell", new String[] {"java.lang.String"}, new Object[] {"tea"}));
            }
        };

        abstract String sell(Stall stall, GenericService generic) throws Throwable;

        static <T> T ended(CompletableFuture<T> future) throws Throwable {
            try {
                return future.get(10, TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                Throwable cause = e.getCause();
                throw cause instanceof ExecutionException ? cause.getCause() : cause;
            }
        }
    }

    @BeforeAll
    static void start() {
        provider = new TestApplication("zhejiang", Map.of());
        dubbo = provider.listen("dubbo");
        triple = provider.listen("tri");
        StallKeeper keeper = new StallKeeper();
        provider.export(Stall.class, keeper, any -> {})
                .export(KeyedStall.class, keeper, any -> {})
                .export(MethodStall.class, keeper, any -> {})
                .export(IslandStall.class, keeper, any -> {})
                .export(LocalFirstStall.class, keeper, any -> {})
                .start();
    }

    /** All at once: Dubbo closes the Triple servers of a JVM with the first framework model that ends. */
    @AfterAll
    static void stop() {
        opened.forEach(TestApplication::close);
        provider.close();
    }

    private static TestApplication application(Map<String, String> properties) {
        TestApplication application = new TestApplication("zhejiang", properties);
        opened.add(application);
        return application;
    }

    private static <S> S refer(
            TestApplication application, Tunnel protocol, Class<S> type, Consumer<ReferenceConfig<S>> more) {
        return application
                .reference(type, config -> {
                    config.setUrl(protocol == Tunnel.DUBBO ? "dubbo://" + dubbo : "tri://" + triple);
                    more.accept(config);
                })
                .get();
    }

    private static GenericService generic(TestApplication application, Tunnel protocol, Class<?> type) {
        return refer(application, protocol, GenericService.class, config -> {
            config.setInterface(type.getName());
            config.setGeneric("true");
        });
    }

    private static void assertRefused(Throwable thrown, String source) {
        assertThat(thrown).isInstanceOfSatisfying(HighwayException.class, e -> {
            assertThat(e.reason()).isEqualTo(Reason.UNKNOWN_ISLAND);
            assertThat(e.mayHaveRun()).isFalse();
            assertThat(e.island()).isEqualTo(e.intent().asked()).isNotNull();
            assertThat(e.getCode()).isEqualTo(RpcException.FORBIDDEN_EXCEPTION);
            assertThat(e.intent().source().word()).isEqualTo(source);
            assertThat(e).hasMessageContaining("no highway.* key is set").hasMessageContaining("highway.enabled=false");
        });
    }

    static Stream<Arguments> protocolsAndCalls() {
        return Stream.of(Tunnel.values())
                .flatMap(protocol -> Stream.of(Call.values()).map(call -> Arguments.of(protocol, call)));
    }

    @ParameterizedTest
    @MethodSource("protocolsAndCalls")
    void refusesACallThatAsksForAnIsland_andServesAllOthers(Tunnel protocol, Call call) throws Throwable {
        TestApplication application = application(Map.of());
        Stall stall = refer(application, protocol, Stall.class, config -> {});
        GenericService generic = generic(application, protocol, Stall.class);
        int before = served.get();

        RpcContext.getClientAttachment().setAttachment(HighwayAttachments.ISLAND, "shanghai");
        Throwable byAttachment = catchThrowable(() -> call.sell(stall, generic));
        Throwable byScope = catchThrowable(() -> Highway.to("shanghai").callChecked(() -> call.sell(stall, generic)));
        Throwable byProxy = catchThrowable(() -> call.sell(
                Highway.to("shanghai").bind(Stall.class, stall),
                Highway.to("shanghai").bind(GenericService.class, generic)));
        int ranMeanwhile = served.get() - before;
        String home = call.sell(stall, generic);
        String homeByScope = Highway.home().callChecked(() -> call.sell(stall, generic));

        assertRefused(byAttachment, "attachment");
        assertRefused(byScope, "scope");
        assertRefused(byProxy, "scope");
        assertThat(ranMeanwhile).as("ran although it was refused").isZero();
        assertThat(home).isEqualTo("home:tea");
        assertThat(homeByScope).isEqualTo("home:tea");
    }

    @ParameterizedTest
    @EnumSource
    void refusesACallWithAKey(Tunnel protocol) {
        TestApplication application = application(Map.of());
        KeyedStall stall = refer(application, protocol, KeyedStall.class, config -> {});
        GenericService generic = generic(application, protocol, KeyedStall.class);
        int before = served.get();

        Throwable byId = catchThrowable(() -> stall.sellIn("shanghai", "tea"));
        Throwable byBusinessKey = catchThrowable(() -> stall.sellIn("华东", "tea"));
        Throwable byGenericCall =
                catchThrowable(() -> generic.$invoke("sellIn", null, new Object[] {"shanghai", "tea"}));
        Throwable byNoKey = catchThrowable(() -> stall.sellIn(null, "tea"));

        assertRefused(byId, "key");
        assertRefused(byBusinessKey, "key");
        assertRefused(byGenericCall, "key");
        assertThat(byNoKey).isInstanceOfSatisfying(HighwayException.class, e -> assertThat(e.reason())
                .isEqualTo(Reason.BAD_KEY));
        assertThat(served.get()).isEqualTo(before);
    }

    @Test
    void refusesOverSeveralAddresses() {
        TestApplication application = application(Map.of());
        Stall stall = refer(
                application,
                Tunnel.DUBBO,
                Stall.class,
                config -> config.setUrl("dubbo://" + dubbo + ";tri://" + triple));

        assertRefused(catchThrowable(() -> Highway.to("shanghai").call(() -> stall.sell("tea"))), "scope");
        assertThat(stall.sell("tea")).isEqualTo("home:tea");
    }

    @ParameterizedTest
    @ValueSource(classes = {MethodStall.class, IslandStall.class, LocalFirstStall.class})
    void failsTheStartUp_whenTheInterfaceAsksForAnIsland(Class<?> type) {
        TestApplication application = application(Map.of());

        assertThatThrownBy(() -> refer(application, Tunnel.DUBBO, type, config -> {}))
                .isInstanceOf(HighwayConfigurationException.class)
                .hasMessageContaining("reference to " + type.getName() + ": it asks for island \"shanghai\"")
                .hasMessageContaining("no highway.* key is set")
                .hasMessageContaining("highway.enabled=false");
        assertThatThrownBy(() -> generic(application, Tunnel.DUBBO, type))
                .as("a generic reference")
                .isInstanceOf(HighwayConfigurationException.class);
    }

    static Stream<Consumer<ReferenceConfig<Stall>>> parameters() {
        return Stream.of(
                config -> config.setParameters(new HashMap<>(Map.of("highway-island", "shanghai"))),
                config -> {
                    ConsumerConfig consumer = new ConsumerConfig(config.getScopeModel());
                    consumer.setParameters(new HashMap<>(Map.of("highway-island", "shanghai")));
                    config.setConsumer(consumer);
                },
                config -> config.setUrl("dubbo://" + dubbo + "?highway-island=shanghai"));
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void refuses_whenAParameterAsksForAnIsland(Consumer<ReferenceConfig<Stall>> parameter) {
        TestApplication application = application(Map.of());
        int before = served.get();

        Throwable thrown = catchThrowable(
                () -> refer(application, Tunnel.DUBBO, Stall.class, parameter).sell("tea"));

        assertThat(thrown)
                .isInstanceOfAny(HighwayConfigurationException.class, HighwayException.class)
                .hasMessageContaining("no highway.* key is set");
        assertThat(served.get()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "island=zhejiang"})
    void failsTheStartUp_whenAReferenceParameterDoesNotExist(String key) {
        Map<String, String> properties =
                key.isEmpty() ? Map.of() : Map.of("highway." + key.split("=")[0], key.split("=")[1]);
        TestApplication application = application(properties);
        MethodConfig method = new MethodConfig();
        method.setName("sell");
        method.setParameters(new HashMap<>(Map.of("highway-island", "shanghai")));

        assertThatThrownBy(() -> refer(
                        application,
                        Tunnel.DUBBO,
                        Stall.class,
                        config -> config.setParameters(new HashMap<>(Map.of("highway-iland", "shanghai")))))
                .isInstanceOf(HighwayConfigurationException.class)
                .hasMessageContaining("Did you mean \"highway-island\"?");
        assertThatThrownBy(() -> refer(
                        application,
                        Tunnel.DUBBO,
                        Stall.class,
                        config -> config.setUrl("dubbo://" + dubbo + "?highway-iland=shanghai")))
                .as("in the URL")
                .isInstanceOf(HighwayConfigurationException.class)
                .hasMessageContaining("Did you mean \"highway-island\"?");
        assertThatThrownBy(() ->
                        refer(application, Tunnel.DUBBO, Stall.class, config -> config.setMethods(List.of(method))))
                .as("at a method")
                .isInstanceOf(HighwayConfigurationException.class)
                .hasMessageContaining("sell.highway-island")
                .hasMessageContaining("Write @Island on the method");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "highway.enabled"})
    void warnsOnce_whenItServesCallsWithRouteHeaders(String off) {
        TestApplication unguarded = application(off.isEmpty() ? Map.of() : Map.of(off, "false"));
        String address = unguarded.listen("dubbo");
        unguarded.export(Stall.class, new StallKeeper(), any -> {}).start();
        Stall stall = application(OFF)
                .reference(Stall.class, config -> config.setUrl("dubbo://" + address))
                .get();

        String atHome = Log.of(() -> stall.sell("tea"));
        String routed = Log.of(() -> List.of("shanghai", "beijing").forEach(island -> {
            RpcContext.getClientAttachment().setAttachment(HighwayAttachments.ISLAND, island);
            assertThat(stall.sell("tea")).isEqualTo("home:tea");
        }));

        assertThat(atHome).doesNotContain("route headers");
        assertThat(routed.lines().filter(line -> line.contains("a call with route headers arrived")))
                .singleElement()
                .asString()
                .contains("WARN", "highway.island is not set, or highway.enabled is false");
    }

    @Test
    void isPlainDubbo_andWarnsOnce_whenItIsSwitchedOff() {
        TestApplication application = application(OFF);
        List<ReferenceConfig<?>> references = List.of(
                application.reference(MethodStall.class, config -> config.setUrl("dubbo://" + dubbo)),
                application.reference(IslandStall.class, config -> config.setUrl("dubbo://" + dubbo)),
                application.reference(Stall.class, config -> {
                    config.setUrl("dubbo://" + dubbo);
                    config.setParameters(new HashMap<>(Map.of("highway-iland", "shanghai")));
                }));

        String log = Log.of(() -> {
            references.forEach(application::refer);
            application.start();
        });

        assertThat(log.lines().filter(line -> line.contains("home serves calls that ask for an island")))
                .singleElement()
                .asString()
                .contains("WARN")
                .contains("reference to " + MethodStall.class.getName() + ": island \"shanghai\" (from method)")
                .contains("reference to " + IslandStall.class.getName() + ": island \"shanghai\" (from interface)")
                .contains("highway-iland");
        Stall stall = refer(application, Tunnel.DUBBO, Stall.class, config -> {});
        assertThat(((MethodStall) references.get(0).get()).sell("tea")).isEqualTo("home:tea");
        assertThat(((Stall) references.get(1).get()).sell("tea")).isEqualTo("home:tea");
        assertThat(Highway.to("shanghai").call(() -> stall.sell("tea"))).isEqualTo("home:tea");
    }
}
