// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static io.highway.sdk.dubbo.it.FeatureRow.Effect.APPLIED;
import static io.highway.sdk.dubbo.it.FeatureRow.Effect.NOT_APPLIED;
import static io.highway.sdk.dubbo.it.FeatureRow.Effect.REFUSED_AT_START_UP;
import static io.highway.sdk.dubbo.it.FeatureRow.Effect.REFUSED_AT_THE_CALL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.highway.sdk.Highway;
import io.highway.sdk.HighwayAttachments;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.HighwayOutcome;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.tools.fixtures.logs.CapturedLog;
import io.highway.tools.gateway.Gateway;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.dubbo.common.beanutil.JavaBeanDescriptor;
import org.apache.dubbo.common.beanutil.JavaBeanSerializeUtil;
import org.apache.dubbo.common.utils.SerializeSecurityManager;
import org.apache.dubbo.config.ConsumerConfig;
import org.apache.dubbo.config.MethodConfig;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.service.EchoService;
import org.apache.dubbo.rpc.service.GenericService;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What Dubbo's consumer side may do to a call, on calls to islands: the first table of {@code docs/reference/dubbo-features.md}. */
@Tag("network")
class DubboFeaturesTest {

    private static final String[] STRING = {"java.lang.String"};

    private static final Map<TunnelKind, TestApplication> CONSUMERS = new EnumMap<>(TunnelKind.class);
    private static Star star;
    private static RegistryServer registry;
    private static RegistryServer emptyRegistry;

    @BeforeAll
    static void start() {
        star = new Star();
        registry = new RegistryServer();
        emptyRegistry = new RegistryServer();
        for (TunnelKind tunnel : TunnelKind.values()) {
            CONSUMERS.put(tunnel, star.consumer(star.properties(tunnel)));
        }
    }

    @AfterEach
    void forget() {
        star.homeShop.received.clear();
        star.shanghai.shop.received.clear();
        star.beijing.shop.received.clear();
    }

    @AfterAll
    static void stop() {
        star.close();
        registry.close();
        emptyRegistry.close();
        CONSUMERS.clear();
    }

    /** A reference to home's provider; all of a tunnel belong to one application. */
    private static <S> ReferenceConfig<S> config(
            TunnelKind tunnel, Class<S> type, Consumer<ReferenceConfig<S>> customizer) {
        return CONSUMERS.get(tunnel).reference(type, config -> {
            config.setUrl("dubbo://" + star.homeDubbo);
            customizer.accept(config);
        });
    }

    private static Shop shop(TunnelKind tunnel, Consumer<ReferenceConfig<Shop>> customizer) {
        return config(tunnel, Shop.class, customizer).get();
    }

    private static Shop shop(TunnelKind tunnel, String... parameters) {
        return shop(tunnel, config -> config.setParameters(parameters(parameters)));
    }

    private static Map<String, String> parameters(String... pairs) {
        Map<String, String> parameters = new HashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            parameters.put(pairs[i], pairs[i + 1]);
        }
        return parameters;
    }

    private static Consumer<ReferenceConfig<Shop>> method(String name, Consumer<MethodConfig> customizer) {
        return config -> {
            MethodConfig method = new MethodConfig();
            method.setName(name);
            customizer.accept(method);
            config.setMethods(new ArrayList<>(List.of(method)));
        };
    }

    private static String sellIn(String island, Shop shop, String item) {
        return Highway.to(island).call(() -> shop.sell(item));
    }

    private static HighwayException refused(Shop shop) {
        Throwable thrown = catchThrowable(() -> sellIn("shanghai", shop, "tea"));
        assertThat(thrown).isInstanceOf(HighwayException.class);
        assertThat(((HighwayException) thrown).mayHaveRun()).isFalse();
        return (HighwayException) thrown;
    }

    /** The places where a cache can be configured. */
    private enum Cached {
        REFERENCE {
            @Override
            Shop shop(TunnelKind tunnel, String cache) {
                return DubboFeaturesTest.shop(tunnel, config -> {
                    config.setCache(cache);
                    config.setParameters(parameters("cache.seconds", "60"));
                });
            }
        },
        METHOD {
            @Override
            Shop shop(TunnelKind tunnel, String cache) {
                return DubboFeaturesTest.shop(tunnel, method("sell", method -> method.setCache(cache)));
            }
        },
        CONSUMER {
            @Override
            Shop shop(TunnelKind tunnel, String cache) {
                return DubboFeaturesTest.shop(tunnel, config -> {
                    ConsumerConfig consumer = new ConsumerConfig();
                    consumer.setScopeModel(CONSUMERS.get(tunnel).model().getDefaultModule());
                    consumer.setCache(cache);
                    config.setConsumer(consumer);
                });
            }
        };

        abstract Shop shop(TunnelKind tunnel, String cache);
    }

    static Stream<Arguments> caches() {
        return Stream.of(TunnelKind.values()).flatMap(tunnel -> Stream.of(Cached.values())
                .flatMap(where -> Stream.of("lru", "threadlocal", "lfu", "expiring")
                        .map(cache -> Arguments.of(tunnel, where, cache))));
    }

    @ParameterizedTest
    @MethodSource("caches")
    @FeatureRow(value = "`cache`, also of a method or of `dubbo.consumer`", on = NOT_APPLIED)
    void cacheHasHomeAnswersOnly(TunnelKind tunnel, Cached where, String cache) {
        Shop shop = where.shop(tunnel, cache);
        String item = where + cache + tunnel; // Dubbo's caches are per service and method
        Shop beijing = Highway.to("beijing").bind(Shop.class, shop);

        assertThat(sellIn("shanghai", shop, item)).isEqualTo("shanghai:" + item);
        assertThat(sellIn("shanghai", shop, item)).isEqualTo("shanghai:" + item);
        assertThat(sellIn("beijing", shop, item)).isEqualTo("beijing:" + item);
        assertThat(beijing.sell(item)).isEqualTo("beijing:" + item);
        for (int i = 0; i < 2; i++) {
            assertThat(shop.sell(item)).isEqualTo("zhejiang:" + item);
            assertThat(Highway.home().call(() -> shop.sell(item))).isEqualTo("zhejiang:" + item);
        }
        assertThat(sellIn("shanghai", shop, item)).isEqualTo("shanghai:" + item);
        assertThat(star.shanghai.shop.received).hasSize(3);
        assertThat(star.homeShop.received).hasSizeLessThan(4); // lru keeps repeated requests
    }

    @ParameterizedTest
    @CsvSource({
        "true, false",
        "fail:return home, false",
        "return home, false",
        "fail:throw java.lang.IllegalStateException, true"
    })
    @FeatureRow(value = "`mock`: `fail:`, `return`, `throw`, `true`, a class", on = APPLIED)
    void mockServesAFailedCall(String mock, boolean throwsIt) {
        for (TunnelKind tunnel : TunnelKind.values()) {
            Shop shop = shop(tunnel, config -> config.setMock(mock));

            assertThat(sellIn("shanghai", shop, "tea")).isEqualTo("shanghai:tea");
            if (throwsIt) {
                assertThatThrownBy(() -> sellIn("atlantis", shop, "tea"))
                        .isExactlyInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("mocked exception");
            } else {
                assertThat(sellIn("atlantis", shop, "tea")).isEqualTo(mock.equals("true") ? "mock:tea" : "home");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void homeServesAFailedCall_inPlaceOfAMock(TunnelKind tunnel) {
        Shop shop = star.reference(
                Shop.class,
                star.properties(tunnel, "highway.islands.atlantis.fallback", "home"),
                config -> config.setMock("return mocked"));

        assertThat(sellIn("atlantis", shop, "tea")).isEqualTo("zhejiang:tea");
        assertThat(Highway.to("atlantis").call(() -> shop.sellLater("tea")).join())
                .isEqualTo("zhejiang:tea");
    }

    @Test
    void aMockIsLoggedOnce_andNotWithEachCall() {
        Shop shop = shop(TunnelKind.DUBBO, config -> config.setMock("return home"));

        try (CapturedLog log = new CapturedLog()) {
            for (int i = 0; i < 20; i++) {
                assertThat(sellIn("atlantis", shop, "tea")).isEqualTo("home");
            }

            assertThat(log.lines("mock"))
                    .hasSize(1)
                    .first(InstanceOfAssertFactories.STRING)
                    .contains(
                            "WARN", Shop.class.getName() + "#sell is answered by the reference's mock: unknown-island");
        }
    }

    @ParameterizedTest
    @EnumSource
    @FeatureRow(value = "`mock`: `force:`", on = NOT_APPLIED)
    void forcedMockIsPassedOver(TunnelKind tunnel) {
        Shop shop = shop(tunnel, config -> config.setMock("force:return mocked"));

        assertThat(sellIn("shanghai", shop, "tea")).isEqualTo("shanghai:tea");
        assertThatThrownBy(() -> sellIn("atlantis", shop, "tea")).isInstanceOf(HighwayException.class);
    }

    /** The user's code around the proxy. */
    public static final class ShopStub extends ShopMock {

        private final Shop remote;

        public ShopStub(Shop remote) {
            this.remote = remote;
        }

        @Override
        public String sell(String item) {
            return "stub(" + remote.sell(item) + ")";
        }
    }

    @ParameterizedTest
    @EnumSource
    @FeatureRow(value = "`stub`, `local`", on = APPLIED)
    void stubRunsAroundTheCall(TunnelKind tunnel) {
        Shop shop = shop(tunnel, config -> config.setStub(ShopStub.class.getName()));

        assertThat(sellIn("shanghai", shop, "tea")).isEqualTo("stub(shanghai:tea)");
        assertThat(shop.sell("tea")).isEqualTo("stub(zhejiang:tea)");
    }

    @ParameterizedTest
    @CsvSource({"scope, local", "injvm, true"})
    @FeatureRow(value = "`injvm`, `scope`, a provider in this JVM", on = NOT_APPLIED)
    @SuppressWarnings("deprecation") // in Dubbo 3.2
    void leavesTheJvm(String key, String value) {
        for (TunnelKind tunnel : TunnelKind.values()) {
            TestApplication both = star.consumer(star.properties(tunnel));
            both.listen("dubbo");
            both.export(Shop.class, new ShopKeeper("same-jvm"), service -> service.setRegister(false))
                    .start();
            Shop shop = both.reference(Shop.class, config -> {
                        config.setParameters(parameters(key, value));
                        if (key.equals("scope")) {
                            config.setScope(value);
                        } else {
                            config.setInjvm(true);
                        }
                    })
                    .get();

            assertThat(shop.sell("tea")).isEqualTo("same-jvm:tea");
            assertThat(sellIn("shanghai", shop, "tea")).isEqualTo("shanghai:tea");
            assertThat(shop.sell("tea")).isEqualTo("same-jvm:tea");
        }
    }

    @ParameterizedTest
    @CsvSource({"group, *", "group, 'blue,green'", "version, *", "version, '1.0.0,2.0.0'"})
    @FeatureRow(value = "`group` or `version` as a pattern, `merger`", on = REFUSED_AT_THE_CALL)
    void needsOneGroupAndOneVersion(String key, String value) {
        for (TunnelKind tunnel : TunnelKind.values()) {
            Shop shop = shop(tunnel, config -> {
                config.setParameters(parameters("merger", "true"));
                config.setCheck(false);
                if (key.equals("group")) {
                    config.setGroup(value);
                } else {
                    config.setVersion(value);
                }
            });

            assertThat(refused(shop)).hasMessageContaining("is a pattern").satisfies(e -> assertThat(e.reason())
                    .isEqualTo(Reason.NOT_TUNNELLABLE));
        }
    }

    @ParameterizedTest
    @EnumSource
    @FeatureRow(value = "`cluster=broadcast`", on = REFUSED_AT_THE_CALL)
    void broadcastWouldReachOneProviderOnly(TunnelKind tunnel) {
        Shop shop = shop(tunnel, config -> config.setCluster("broadcast"));

        assertThat(refused(shop).reason()).isEqualTo(Reason.NOT_TUNNELLABLE);
        DocumentedText.assertIsIn("reference/dubbo-features.md", refused(shop));
        assertThat(shop.sell("tea")).isEqualTo("zhejiang:tea");
    }

    @ParameterizedTest
    @ValueSource(strings = {"failsafe", "failback", "failfast", "forking", "available", "mergeable"})
    @FeatureRow(value = "every other `cluster`, `loadbalance`, `sticky`, `retries`, `forks`", on = NOT_APPLIED)
    void theGatewayTakesThePlaceOfTheCluster(String cluster) {
        for (TunnelKind tunnel : TunnelKind.values()) {
            Shop shop = shop(tunnel, config -> {
                config.setCluster(cluster);
                config.setLoadbalance("consistenthash");
                config.setSticky(true);
                config.setRetries(5);
                config.setParameters(parameters("forks", "5"));
            });

            assertThat(sellIn("shanghai", shop, "tea")).isEqualTo("shanghai:tea");
            assertThat(star.shanghai.shop.received).hasSize(1);
            assertThatThrownBy(() -> sellIn("atlantis", shop, "tea")).isInstanceOf(HighwayException.class);
            star.shanghai.shop.received.clear();
        }
    }

    @ParameterizedTest
    @EnumSource
    @FeatureRow(value = "`validation`", on = APPLIED)
    void argumentsAreValidatedBeforeTheyAreSent(TunnelKind tunnel) {
        Shop shop = shop(tunnel, config -> config.setValidation("no-poison"));

        assertThat(sellIn("shanghai", shop, "tea")).isEqualTo("shanghai:tea");
        assertThatThrownBy(() -> sellIn("shanghai", shop, "poison"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("poison is not sold");
        assertThat(star.shanghai.shop.received).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    @FeatureRow(value = "`token`", on = NOT_APPLIED)
    void homesTokenStaysAtHome(TunnelKind tunnel) {
        Shop shop = shop(tunnel, "token", "secret");

        assertThat(sellIn("shanghai", shop, "tea")).isEqualTo("shanghai:tea");
        assertThat(star.shanghai.shop.received.remove().attachments()).doesNotContainKey("token");
    }

    @ParameterizedTest
    @EnumSource
    @FeatureRow(value = "`actives`, also of a method", on = NOT_APPLIED)
    void anIslandsSlowCallsDoNotHoldUpAnothers(TunnelKind tunnel) throws Exception {
        Shop shop = shop(tunnel, config -> {
            config.setActives(1);
            config.setTimeout(4000);
        });
        CompletableFuture<String> slow =
                CompletableFuture.supplyAsync(() -> Highway.to("shanghai").call(() -> shop.slow(60_000)));
        ShopKeeper.Received received = star.shanghai.shop.received.poll(10, TimeUnit.SECONDS);
        CompletableFuture<String> second =
                CompletableFuture.supplyAsync(() -> Highway.to("beijing").call(() -> shop.slow(0)));

        assertThat(second.get(10, TimeUnit.SECONDS)).isEqualTo("beijing:0");
        assertThat(slow).isNotDone();
        java.util.concurrent.locks.LockSupport.unpark(received.thread());
        assertThat(slow.get(10, TimeUnit.SECONDS)).isEqualTo("shanghai:60000");
    }

    @ParameterizedTest
    @EnumSource
    @FeatureRow(value = "callback arguments", on = REFUSED_AT_THE_CALL)
    void callbackArgumentsHaveNoWayBack(TunnelKind tunnel) {
        Shop shop = shop(tunnel, "find.0.callback", "true");

        assertThatThrownBy(() -> Highway.to("shanghai").run(() -> shop.find(new HashMap<>(Map.of("code", "1")))))
                .isInstanceOfSatisfying(
                        HighwayException.class, e -> assertThat(e.reason()).isEqualTo(Reason.NOT_TUNNELLABLE));
    }

    /** What a method's callbacks saw. */
    public static final class Callbacks {

        final BlockingQueue<String> seen = new LinkedBlockingQueue<>();

        public void before(String item) {
            seen.add("invoke " + item);
        }

        public void returned(String answer, String item) {
            seen.add("return " + answer);
        }

        public void thrown(Throwable thrown, String item) {
            seen.add("throw " + thrown.getClass().getSimpleName());
        }
    }

    @ParameterizedTest
    @EnumSource
    @FeatureRow(value = "`oninvoke`, `onreturn`, `onthrow`", on = APPLIED)
    void callbacksOfAMethodSeeTheIslandsAnswer(TunnelKind tunnel) throws Exception {
        Callbacks callbacks = new Callbacks();
        Shop shop = shop(tunnel, method("sell", method -> {
            method.setOninvoke(callbacks);
            method.setOninvokeMethod("before");
            method.setOnreturn(callbacks);
            method.setOnreturnMethod("returned");
            method.setOnthrow(callbacks);
            method.setOnthrowMethod("thrown");
        }));

        assertThat(sellIn("shanghai", shop, "tea")).isEqualTo("shanghai:tea");
        assertThat(callbacks.seen.poll(5, TimeUnit.SECONDS)).isEqualTo("invoke tea");
        assertThat(callbacks.seen.poll(5, TimeUnit.SECONDS)).isEqualTo("return shanghai:tea");
        assertThatThrownBy(() -> sellIn("atlantis", shop, "tea")).isInstanceOf(HighwayException.class);
        assertThat(callbacks.seen.poll(5, TimeUnit.SECONDS)).isEqualTo("invoke tea");
        assertThat(callbacks.seen.poll(5, TimeUnit.SECONDS)).isEqualTo("throw HighwayException");
        assertThat(callbacks.seen).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    @FeatureRow(value = "`async=true`, also of a method", on = APPLIED)
    void theFutureHasTheIslandsAnswer(TunnelKind tunnel) throws Exception {
        Shop reference = shop(tunnel, config -> config.setAsync(true));
        Shop method = shop(tunnel, method("sell", config -> config.setAsync(true)));

        for (Shop shop : List.of(reference, method)) {
            assertThat(sellIn("shanghai", shop, "tea")).isNull();
            CompletableFuture<String> shanghai = RpcContext.getServiceContext().getCompletableFuture();
            assertThat(shop.sell("tea")).isNull();
            CompletableFuture<String> home = RpcContext.getServiceContext().getCompletableFuture();

            assertThat(shanghai.get(10, TimeUnit.SECONDS)).isEqualTo("shanghai:tea");
            assertThat(home.get(10, TimeUnit.SECONDS)).isEqualTo("zhejiang:tea");
        }
    }

    @ParameterizedTest
    @EnumSource
    @FeatureRow(value = "`return=false`, `sent`", on = APPLIED)
    void oneWayCallsArrive(TunnelKind tunnel) throws Exception {
        Shop shop = shop(tunnel, method("note", method -> {
            method.setReturn(false);
            method.setSent(true);
        }));

        Highway.to("shanghai").run(() -> shop.note("tea"));

        assertThat(star.shanghai.shop.received.poll(10, TimeUnit.SECONDS)).isNotNull();
        assertThat(star.homeShop.received).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "raw.return", "bean"})
    @FeatureRow(value = "`generic`: `true`, `raw.return`, `bean`", on = APPLIED)
    void genericCallsGoWhereTheyAreAskedTo(String generic) {
        boolean beans = generic.equals("bean");
        Object item = beans ? JavaBeanSerializeUtil.serialize("tea") : "tea";
        allowBeans(star.shanghai.application);
        for (TunnelKind tunnel : TunnelKind.values()) {
            allowBeans(CONSUMERS.get(tunnel));
            GenericService shop = config(tunnel, GenericService.class, config -> {
                        config.setInterface(Shop.class.getName());
                        config.setGeneric(generic);
                    })
                    .get();

            Object answer = Highway.to("shanghai").call(() -> shop.$invoke("sell", STRING, new Object[] {item}));

            assertThat(plain(answer)).isEqualTo("shanghai:tea");
            if (!beans) {
                assertThat(shop.$invoke("sell", STRING, new Object[] {item})).isEqualTo("zhejiang:tea");
            }
        }
    }

    @Test
    void theKeyOfAGenericCall_isWhatItsBeanDescribes() {
        TestApplication consumer =
                star.consumer(star.properties(TunnelKind.TRIPLE, "highway.islands.shanghai.keys", "021"));
        allowBeans(consumer);
        allowBeans(star.shanghai.application);
        GenericService shop = consumer.reference(GenericService.class, config -> {
                    config.setUrl("dubbo://" + star.homeDubbo);
                    config.setInterface(Shop.class.getName());
                    config.setGeneric("bean");
                })
                .get();
        Object area = JavaBeanSerializeUtil.serialize("021");
        Object tea = JavaBeanSerializeUtil.serialize("tea");
        Object address = JavaBeanSerializeUtil.serialize(new HashMap<>(Map.of("code", "021")));
        Object unreadable = JavaBeanSerializeUtil.serialize(new HashMap<>(Map.of("code", new String[] {"021"})));
        String[] map = {"java.util.Map"};

        assertThat(plain(shop.$invoke("sellIn", new String[] {STRING[0], STRING[0]}, new Object[] {area, tea})))
                .isEqualTo("shanghai:tea");
        assertThat(plain(shop.$invoke("find", map, new Object[] {address})))
                .asString()
                .startsWith("shanghai:");
        assertThatThrownBy(() -> shop.$invoke("find", map, new Object[] {unreadable}))
                .hasMessageContaining("no text");
    }

    /** As a {@code serialize.allowlist} of both sides would. */
    private static void allowBeans(TestApplication application) {
        application
                .model()
                .getFrameworkModel()
                .getBeanFactory()
                .getBean(SerializeSecurityManager.class)
                .addToAllowed("org.apache.dubbo.common.beanutil.");
    }

    private static Object plain(Object answer) {
        return answer instanceof JavaBeanDescriptor bean ? JavaBeanSerializeUtil.deserialize(bean) : answer;
    }

    @ParameterizedTest
    @EnumSource
    @FeatureRow(value = "`timeout`, also of a method", on = APPLIED)
    void theTimeoutAppliesWhereTheIslandHasNone(TunnelKind tunnel) {
        Map<String, String> properties = star.properties(tunnel);
        properties.remove("highway.defaults.timeout");
        Shop shop = star.reference(Shop.class, properties, config -> {
            config.setTimeout(20_000);
            method("slow", method -> method.setTimeout(200)).accept(config);
        });
        assertThat(sellIn("shanghai", shop, "tea")).isEqualTo("shanghai:tea");

        assertThatThrownBy(() -> Highway.to("shanghai").call(() -> shop.slow(8_000)))
                .isInstanceOfSatisfying(
                        HighwayException.class, e -> assertThat(e.reason()).isEqualTo(Reason.TIMEOUT));
    }

    /** What sets the time of a call, and the time that it has then, milliseconds. */
    private enum TimeSource {
        NOTHING(3_000, Map.of()),
        REFERENCE(600, Map.of()),
        METHOD(600, Map.of("dubbo.consumer.timeout", "20000")),
        CONSUMER(600, Map.of("dubbo.consumer.timeout", "600")),
        CONSUMER_ABOVE_THE_DEFAULT(3_800, Map.of("dubbo.consumer.timeout", "3800")),
        ISLAND(600, Map.of("dubbo.consumer.timeout", "20000", "highway.islands.shanghai.timeout", "600ms")),
        THE_CALL(600, Map.of("dubbo.consumer.timeout", "20000", "highway.islands.shanghai.timeout", "20s"));

        private final int millis;
        private final Map<String, String> properties;

        TimeSource(int millis, Map<String, String> properties) {
            this.millis = millis;
            this.properties = properties;
        }

        void customize(ReferenceConfig<?> config) {
            config.setUrl("dubbo://" + star.homeDubbo);
            if (this == REFERENCE) {
                config.setTimeout(millis);
            } else if (this == METHOD) {
                MethodConfig slow = new MethodConfig();
                slow.setName("slow");
                slow.setTimeout(millis);
                config.setTimeout(20_000);
                config.setMethods(new ArrayList<>(List.of(slow)));
            }
        }

        void prepareCall() {
            if (this == THE_CALL) {
                RpcContext.getClientAttachment().setAttachment("timeout", String.valueOf(millis));
            }
        }
    }

    /** Four ways to call a method that answers long after any of these times. */
    private static Map<String, Callable<Object>> slowCalls(Shop shop, GenericService generic) {
        String[] types = {"int"};
        Object[] arguments = {20_000};
        return Map.of(
                "sync", () -> shop.slow(20_000),
                "asyncCall",
                        () -> RpcContext.getServiceContext()
                                .asyncCall(() -> shop.slow(20_000))
                                .get(30, TimeUnit.SECONDS),
                "generic", () -> generic.$invoke("slow", types, arguments),
                "generic async",
                        () -> generic.$invokeAsync("slow", types, arguments).get(30, TimeUnit.SECONDS));
    }

    @ParameterizedTest
    @EnumSource
    void theTimeOfACallIsThatOfItsNearestSource_orThreeSeconds(TunnelKind tunnel) throws Exception {
        Map<String, Future<Long>> ended = new TreeMap<>();
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            for (TimeSource source : TimeSource.values()) {
                Map<String, String> properties = star.properties(tunnel);
                properties.remove("highway.defaults.timeout");
                properties.putAll(source.properties);
                TestApplication consumer = star.consumer(properties);
                Shop shop = consumer.reference(Shop.class, source::customize).get();
                GenericService generic = consumer.reference(GenericService.class, config -> {
                            source.customize(config);
                            config.setInterface(Shop.class.getName());
                            config.setGeneric("true");
                        })
                        .get();
                sellIn("shanghai", Highway.to("shanghai").bind(Shop.class, shop), "tea"); // connected
                slowCalls(shop, generic)
                        .forEach((way, call) -> ended.put(
                                source + " " + way, threads.submit(() -> millisUntilItTimesOut(source, call))));
            }
            Map<String, Long> millis = new TreeMap<>();
            for (Map.Entry<String, Future<Long>> one : ended.entrySet()) {
                millis.put(one.getKey(), one.getValue().get(30, TimeUnit.SECONDS));
            }

            assertThat(millis).allSatisfy((call, took) -> {
                int expected = TimeSource.valueOf(call.substring(0, call.indexOf(' '))).millis;
                assertThat(took).as(call).isBetween(expected - 100L, expected + 2_200L);
            });
        } finally {
            threads.shutdownNow();
        }
    }

    private static long millisUntilItTimesOut(TimeSource source, Callable<Object> call) {
        source.prepareCall();
        long start = System.nanoTime();

        Throwable ended = catchThrowable(() -> Highway.to("shanghai").callChecked(call::call));

        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        while (!(ended instanceof HighwayException) && ended.getCause() != null) {
            ended = ended.getCause(); // a future wraps it
        }
        assertThat(ended).isInstanceOfSatisfying(HighwayException.class, e -> assertThat(e.reason())
                .isEqualTo(Reason.TIMEOUT));
        return millis;
    }

    @ParameterizedTest
    @EnumSource
    @FeatureRow(value = "`lazy`, `connections`, `protocol`, `serialization`, `check`", on = NOT_APPLIED)
    void connectionsBelongToTheGateway(TunnelKind tunnel) {
        Shop shop = shop(tunnel, config -> {
            config.setLazy(true);
            config.setConnections(3);
            config.setProtocol("dubbo");
            config.setParameters(parameters("serialization", "fastjson2", "prefer.serialization", "fastjson2"));
        });

        assertThat(sellIn("shanghai", shop, "tea")).isEqualTo("shanghai:tea");
        assertThat(HighwayOutcome.last())
                .hasValueSatisfying(
                        last -> assertThat(last.gateway().kind().toString()).isEqualTo(tunnel.word()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-default", "-default,counting", "counting"})
    @FeatureRow(value = "`filter`, `-default` included", on = APPLIED)
    void filtersRunOnce_andFailuresStayExplained(String filter) {
        try (Gateway deadEnd = FaultyStar.deadEnd()) {
            String address = FaultyStar.address(deadEnd.port());
            for (TunnelKind tunnel : TunnelKind.values()) {
                CountingFilter.SEEN.clear();
                Shop shop = shop(tunnel, config -> config.setFilter(filter));
                Shop nowhere = star.reference(
                        Shop.class,
                        star.properties(tunnel, Star.gateways(tunnel, address)),
                        config -> config.setFilter(filter));

                assertThat(sellIn("shanghai", shop, "tea")).isEqualTo("shanghai:tea");
                assertThat(CountingFilter.SEEN).hasSize(filter.contains("counting") ? 1 : 0);
                assertThat(refused(nowhere).reason()).isEqualTo(Reason.NOT_FORWARDED);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    @FeatureRow(value = "`router`, `tag`, `zone`", on = NOT_APPLIED)
    void homesRoutersDoNotSeeTheCall(TunnelKind tunnel) {
        Shop shop = shop(tunnel, "router", "tag", "dubbo.tag", "gray", "tag", "gray", "zone", "north");
        RpcContext.getClientAttachment().setAttachment("dubbo.tag", "blue");
        RpcContext.getClientAttachment().setAttachment("dubbo.force.tag", "true");

        assertThat(sellIn("shanghai", shop, "tea")).isEqualTo("shanghai:tea");
    }

    @Test
    @FeatureRow(value = "mesh with `unload-cluster-related=true`", on = REFUSED_AT_START_UP)
    void aReferenceWithoutAClusterDoesNotStart() {
        TestApplication consumer = star.consumer(star.properties(TunnelKind.TRIPLE));
        consumer.listen("tri");
        ReferenceConfig<Shop> config = consumer.reference(Shop.class, reference -> {
            reference.setProvidedBy("shop");
            reference.setUnloadClusterRelated(true);
            reference.setParameters(parameters("mesh-enable", "true"));
            reference.setCheck(false);
        });

        assertThatThrownBy(config::get)
                .hasMessageContaining("unload-cluster-related")
                .hasMessageContaining(Shop.class.getName());
    }

    @ParameterizedTest
    @EnumSource
    @FeatureRow(value = "the application's own Cluster wrapper", on = NOT_APPLIED)
    void aClusterWrapperBelongsToHome(TunnelKind tunnel) {
        Shop shop = shop(tunnel, "counted-cluster", "true");
        CountingCluster.SEEN.clear();

        assertThat(sellIn("shanghai", shop, "tea")).isEqualTo("shanghai:tea");
        assertThat(CountingCluster.SEEN).doesNotContain("default order");
        CountingCluster.SEEN.clear();
        assertThat(shop.sell("tea")).isEqualTo("zhejiang:tea");
        assertThat(CountingCluster.SEEN).containsExactly("outermost", "default order");
    }

    @ParameterizedTest
    @EnumSource
    @FeatureRow(value = "the same with `@Wrapper(order = Integer.MIN_VALUE)`", on = APPLIED)
    void anOutermostClusterWrapperSeesRoutedCallsToo(TunnelKind tunnel) {
        Shop direct = shop(tunnel, "counted-cluster", "true");
        Shop registered = registered(tunnel, registry.url());
        Shop registeredTwice = registered(tunnel, registry.url(), emptyRegistry.url());

        for (Shop shop : List.of(direct, registered)) {
            CountingCluster.SEEN.clear();
            assertThat(sellIn("shanghai", shop, "tea")).isEqualTo("shanghai:tea");
            assertThat(CountingCluster.SEEN).containsExactly("outermost");
        }
        CountingCluster.SEEN.clear();
        assertThat(sellIn("shanghai", registeredTwice, "tea")).isEqualTo("shanghai:tea");
        assertThat(CountingCluster.SEEN).isEmpty(); // Dubbo's cluster over registries has no wrappers
    }

    private static Shop registered(TunnelKind tunnel, String... registries) {
        return star.consumer(star.properties(tunnel))
                .registries(registries)
                .reference(Shop.class, config -> {
                    config.setCheck(false);
                    config.setParameters(parameters("counted-cluster", "true", "migration.step", "FORCE_INTERFACE"));
                })
                .get();
    }

    @ParameterizedTest
    @EnumSource
    @FeatureRow(value = "`$echo`", on = APPLIED)
    void echoGoesToTheIsland(TunnelKind tunnel) {
        Shop shop = shop(tunnel);

        assertThat(Highway.to("shanghai").call(() -> ((EchoService) shop).$echo("hello")))
                .isEqualTo("hello");
        assertThat(HighwayOutcome.last())
                .hasValueSatisfying(last -> assertThat(last.island()).isEqualTo("shanghai"));
    }

    @ParameterizedTest
    @EnumSource
    @FeatureRow(value = "`parameters` of a reference: `highway-island`, `highway-when`", on = APPLIED)
    void aParameterBindsTheReference(TunnelKind tunnel) {
        Shop shop = shop(tunnel, HighwayAttachments.ISLAND, "beijing");

        assertThat(shop.sell("tea")).isEqualTo("beijing:tea");
        assertThat(Highway.home().call(() -> shop.sell("tea"))).isEqualTo("zhejiang:tea");
    }
}
