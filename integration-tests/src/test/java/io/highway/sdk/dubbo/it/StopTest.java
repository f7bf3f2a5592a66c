// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.CallOutcome;
import io.highway.sdk.dubbo.GatewayAddress;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.HighwayOutcome;
import io.highway.sdk.dubbo.Intent;
import io.highway.sdk.dubbo.Outcome;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.evidence.CallResults;
import io.highway.tools.fixtures.logs.CapturedLog;
import io.highway.tools.fixtures.ports.FreePorts;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.dubbo.common.Version;
import org.apache.dubbo.common.stream.StreamObserver;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.apache.dubbo.rpc.model.ModuleModel;
import org.apache.dubbo.rpc.service.GenericService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * An application that stops lets its calls in flight end, within Dubbo's shutdown time, and closes its connections.
 * With the last application of a framework model Dubbo closes the Triple servers of the whole JVM, so there a separate
 * process stops.
 */
@Tag("network")
class StopTest {

    private static final int CALLS = 5;

    private final Star star = new Star();
    private final FrameworkModel framework = new FrameworkModel();

    @AfterEach
    void end() {
        answerAll();
        framework.destroy();
        star.close();
    }

    /** How Dubbo ends an application. */
    private enum Stop {
        WHOLE,
        MODULE_FIRST, // as Spring does
        ONE_OF_SEVERAL,
        MODULE_OF_ONE_OF_SEVERAL;

        boolean amongOthers() {
            return this == ONE_OF_SEVERAL || this == MODULE_OF_ONE_OF_SEVERAL;
        }
    }

    /** How calls are made that outlive the method that makes them, and one that does not. */
    private enum Calls {
        ASYNC {
            @Override
            CompletableFuture<?> slow(Shop shop, GenericService generic) {
                return RpcContext.getServiceContext().asyncCall(() -> shop.slow(20_000));
            }
        },
        GENERIC_ASYNC {
            @Override
            CompletableFuture<?> slow(Shop shop, GenericService generic) {
                return generic.$invokeAsync("slow", new String[] {"int"}, new Object[] {20_000});
            }
        },
        SYNC {
            @Override
            CompletableFuture<?> slow(Shop shop, GenericService generic) {
                return CompletableFuture.supplyAsync(
                        Highway.wrapSupplier(() -> shop.slow(20_000)), task -> new Thread(task).start());
            }
        };

        abstract CompletableFuture<?> slow(Shop shop, GenericService generic);
    }

    private int connections(TunnelKind tunnel) {
        return Star.connections(star.gateway(), tunnel);
    }

    /** Over HTTP they have a connection besides, while each call in flight has one. */
    private static int healthChecks(TunnelKind tunnel) {
        return tunnel == TunnelKind.HTTP ? 1 : 0;
    }

    private TestApplication application(TunnelKind tunnel, Stop how, String shutdownMillis) {
        if (how.amongOthers()) {
            new TestApplication(framework, "zhejiang", star.properties(tunnel)).start();
        }
        return new TestApplication(
                        framework,
                        "zhejiang",
                        star.properties(
                                tunnel,
                                "dubbo.service.shutdown.wait",
                                shutdownMillis,
                                "highway.defaults.timeout",
                                "30s"))
                .start();
    }

    private static CompletableFuture<Void> stop(TestApplication application, Stop how) {
        return CompletableFuture.runAsync(
                () -> {
                    switch (how) {
                        case WHOLE, ONE_OF_SEVERAL -> application.stop();
                        case MODULE_FIRST, MODULE_OF_ONE_OF_SEVERAL ->
                            application.model().getDefaultModule().destroy();
                    }
                },
                task -> new Thread(task, "stop").start());
    }

    private List<CompletableFuture<?>> callSlowly(TestApplication application, Calls how) {
        ShopReferences shop = ShopReferences.of(application, star.homeDubbo);
        List<CompletableFuture<?>> calls = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
            calls.add(Highway.to("shanghai").call(() -> how.slow(shop.typed(), shop.generic())));
        }
        await().atMost(Duration.ofSeconds(20)).until(() -> star.shanghai.shop.received.size() == CALLS);
        return calls;
    }

    private void answerAll() {
        star.shanghai.shop.received.forEach(call -> LockSupport.unpark(call.thread()));
    }

    private static Stream<Arguments> stops() {
        return Arrays.stream(TunnelKind.values()).flatMap(tunnel -> Arrays.stream(Stop.values())
                .filter(how -> tunnel == TunnelKind.DUBBO || how.amongOthers())
                .flatMap(how -> Arrays.stream(Calls.values())
                        .filter(calls -> calls != Calls.SYNC || how == Stop.ONE_OF_SEVERAL)
                        .map(calls -> Arguments.of(tunnel, how, calls))));
    }

    @ParameterizedTest
    @MethodSource("stops")
    void letsCallsInFlightEnd_andClosesItsConnections_whenTheApplicationStops(TunnelKind tunnel, Stop how, Calls mode)
            throws Exception {
        TestApplication application = application(tunnel, how, "20000");
        List<CompletableFuture<?>> calls = callSlowly(application, mode);
        int fewest = tunnel == TunnelKind.HTTP ? CALLS : 1;
        await().untilAsserted(() -> assertThat(connections(tunnel)).isBetween(fewest, fewest + healthChecks(tunnel)));

        CompletableFuture<Void> stopped = stop(application, how);
        awaitLongerThanAStopThatDoesNotWait();
        assertThat(stopped).isNotDone();
        assertThat(calls).noneMatch(CompletableFuture::isDone);
        answerAll();

        for (CompletableFuture<?> call : calls) {
            assertThat(call.get(10, TimeUnit.SECONDS)).isEqualTo("shanghai:20000");
        }
        stopped.get(10, TimeUnit.SECONDS);
        await().until(() -> connections(tunnel) == 0);
    }

    private static Stream<Arguments> stopsAndFallbacks() {
        return Arrays.stream(Stop.values())
                .flatMap(how -> Stream.of("none", "home").map(fallback -> Arguments.of(how, fallback)));
    }

    /** Beans of the application may call until they are stopped, too. */
    @ParameterizedTest
    @MethodSource("stopsAndFallbacks")
    void refusesACallAsNotRun_onceItsReferenceIsDestroyed(Stop how, String fallback) throws Exception {
        TestApplication application = new TestApplication(
                        framework,
                        "zhejiang",
                        star.properties(TunnelKind.DUBBO, "highway.islands.shanghai.fallback", fallback))
                .start();
        if (how.amongOthers()) {
            new TestApplication(framework, "zhejiang", star.properties(TunnelKind.DUBBO)).start();
        }
        ShopReferences shops = ShopReferences.of(application, star.homeDubbo);
        assertThat(Highway.to("shanghai").call(() -> shops.typed().sell("tea"))).isEqualTo("shanghai:tea");

        stop(application, how).get(10, TimeUnit.SECONDS);

        for (Throwable refused : List.of(
                catchThrowable(
                        () -> Highway.to("shanghai").call(() -> shops.typed().sell("late"))),
                catchThrowable(() -> Highway.to("shanghai")
                        .call(() -> shops.typed().sellLater("late"))
                        .join()),
                catchThrowable(() -> Highway.to("shanghai").call(() -> shops.generic()
                        .$invoke("sell", new String[] {String.class.getName()}, new Object[] {"late"}))))) {
            assertThat(CallResults.unwrapped(refused))
                    .isInstanceOfSatisfying(
                            HighwayException.class, e -> assertThat(e.outcome()).isEqualTo(Outcome.NOT_SENT))
                    .hasMessageContaining("the application is stopping")
                    .hasMessageContaining("it has not run");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"WHOLE", "MODULE_FIRST"})
    void closesAConnectionOnce(Stop how) throws Exception {
        assumeTrue(Version.getVersion().startsWith("3.3"), "Dubbo 3.2 closes its own connections twice, too");
        try (CapturedLog log = new CapturedLog()) {
            TestApplication application = application(TunnelKind.DUBBO, how, "1000");
            Shop shop = ShopReferences.of(application, star.homeDubbo).typed();
            assertThat(Highway.to("shanghai").call(() -> shop.sell("tea"))).isEqualTo("shanghai:tea");

            stop(application, how).get(10, TimeUnit.SECONDS);
            framework.destroy();

            assertThat(log.lines("safe guard client")) // Dubbo's warning of a second close
                    .noneMatch(line -> line.contains("io.highway.sdk.dubbo.internal"));
        }
    }

    private static void awaitLongerThanAStopThatDoesNotWait() {
        long stopping = System.nanoTime();
        await().until(() -> System.nanoTime() - stopping > 700_000_000L);
    }

    @ParameterizedTest
    @EnumSource(names = {"ONE_OF_SEVERAL", "MODULE_OF_ONE_OF_SEVERAL"})
    void letsAStreamEnd_whenTheApplicationStops(Stop how) throws Exception {
        TestApplication application = application(TunnelKind.TRIPLE, how, "20000");
        Feed feed = application
                .reference(Feed.class, config -> config.setUrl("tri://" + star.shanghai.tripleAddress))
                .get();
        Queue<String> answers = new ConcurrentLinkedQueue<>();
        CompletableFuture<Void> ended = new CompletableFuture<>();
        StreamObserver<String> requests = Highway.to("shanghai")
                .call(() -> feed.join(new StreamObserver<>() {
                    @Override
                    public void onNext(String answer) {
                        answers.add(answer);
                    }

                    @Override
                    public void onError(Throwable failure) {
                        ended.completeExceptionally(failure);
                    }

                    @Override
                    public void onCompleted() {
                        ended.complete(null);
                    }
                }));
        requests.onNext("one");
        await().until(() -> !answers.isEmpty());

        CompletableFuture<Void> stopped = stop(application, how);
        awaitLongerThanAStopThatDoesNotWait();
        assertThat(stopped).isNotDone();
        requests.onNext("two");
        requests.onCompleted();

        ended.get(10, TimeUnit.SECONDS);
        assertThat(answers).containsExactly("shanghai:one", "shanghai:two");
        stopped.get(10, TimeUnit.SECONDS);
        await().until(() -> connections(TunnelKind.TRIPLE) == 0);
    }

    @ParameterizedTest
    @EnumSource
    void letsCallsInFlightEnd_whenTheProcessIsAskedToEnd(TunnelKind tunnel) throws Exception {
        int calls = 25;
        Map<String, String> properties =
                star.properties(tunnel, "dubbo.service.shutdown.wait", "20000", "highway.defaults.timeout", "60s");
        try (StoppingProcess process = StoppingProcess.start(properties, star.homeDubbo, calls)) {
            await().atMost(Duration.ofSeconds(120)) // of a busy machine
                    .untilAsserted(() -> assertThat(star.shanghai.shop.received)
                            .as("%s", process)
                            .hasSize(calls));

            process.terminate();
            awaitLongerThanAStopThatDoesNotWait();
            assertThat(process.isAlive()).isTrue();
            answerAll();

            assertThat(process.awaitEnds()).as("%s", process).hasSize(calls).containsOnly("shanghai:60000");
        }
    }

    @ParameterizedTest
    @EnumSource
    void waitsForTheCallsOfEachModule_alsoAfterOneWhoseCallHung(TunnelKind tunnel) throws Exception {
        TestApplication application = application(tunnel, Stop.WHOLE, "1500");
        ModuleModel before = application.model().newModule();
        CompletableFuture<?> hanging = callSlowly(application, before);
        before.destroy();
        assertThat(hanging).isNotDone();

        ModuleModel module = application.model().newModule();
        CompletableFuture<?> kept = callSlowly(application, module);
        CompletableFuture<Void> stopped =
                CompletableFuture.runAsync(module::destroy, task -> new Thread(task, "stop").start());
        awaitLongerThanAStopThatDoesNotWait();
        assertThat(stopped).isNotDone();
        answerAll();

        assertThat(kept.get(10, TimeUnit.SECONDS)).isEqualTo("shanghai:20000");
        stopped.get(10, TimeUnit.SECONDS);
    }

    /** A call of a reference of this module. */
    private CompletableFuture<?> callSlowly(TestApplication application, ModuleModel module) {
        Shop shop = application
                .reference(Shop.class, config -> {
                    config.setScopeModel(module);
                    config.setUrl("dubbo://" + star.homeDubbo);
                })
                .get();
        int before = star.shanghai.shop.received.size();
        CompletableFuture<?> call = Highway.to("shanghai").call(() -> Calls.ASYNC.slow(shop, null));
        await().atMost(Duration.ofSeconds(20)).until(() -> star.shanghai.shop.received.size() > before);
        return call;
    }

    @ParameterizedTest
    @EnumSource
    void anApplicationThatCannotStart_keepsNoConnection(TunnelKind tunnel) {
        TestApplication failing = new TestApplication(framework, "zhejiang", star.properties(tunnel));
        failing.refer(failing.reference(Shop.class, config -> config.setUrl("dubbo://" + star.homeDubbo)))
                .refer(failing.reference(
                        Feed.class, config -> config.setUrl("dubbo://zhejiang.test:" + FreePorts.next())));

        assertThatThrownBy(failing::start).isInstanceOf(RuntimeException.class);

        await().until(() -> connections(tunnel) == 0);
        TestApplication other = new TestApplication(
                framework, "zhejiang", star.properties(tunnel, "highway.gateways.tls.verify-host", "false"));
        other.reference(Shop.class, config -> config.setUrl("dubbo://" + star.homeDubbo))
                .get(); // would fail because another application reaches the gateway with other keys
    }

    @Test
    void whatAThreadHasCalledLast_refersToNothingOfItsApplication() throws Exception {
        TestApplication application = application(TunnelKind.DUBBO, Stop.WHOLE, "100");
        Shop shop = application
                .reference(Shop.class, config -> config.setUrl("dubbo://" + star.homeDubbo))
                .get();
        assertThat(Highway.to("shanghai").call(() -> shop.sell("tea"))).isEqualTo("shanghai:tea");

        Field last = HighwayOutcome.class.getDeclaredField("LAST");
        last.setAccessible(true);
        Set<Object> reached = Collections.newSetFromMap(new IdentityHashMap<>());
        reach(((ThreadLocal<?>) last.get(null)).get(), reached);

        assertThat(reached)
                .hasAtLeastOneElementOfType(CallOutcome.class)
                .hasAtLeastOneElementOfType(Intent.class)
                .hasAtLeastOneElementOfType(GatewayAddress.class)
                .allMatch(value -> isOfTheVocabulary(value)
                        || value.getClass().isEnum()
                        || value.getClass().getName().startsWith("java."));
    }

    /** The vocabulary depends on no other package of the SDK (ArchitectureTest). */
    private static boolean isOfTheVocabulary(Object value) {
        return value.getClass().getPackage() == CallOutcome.class.getPackage();
    }

    private static void reach(Object value, Set<Object> reached) throws IllegalAccessException {
        if (value == null || !reached.add(value) || !isOfTheVocabulary(value) || value instanceof Enum) {
            return;
        }
        for (Field field : value.getClass().getDeclaredFields()) {
            if (!Modifier.isStatic(field.getModifiers())) {
                field.setAccessible(true);
                reach(field.get(value), reached);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void waitsNoLongerThanDubboMayTakeToShutDown(TunnelKind tunnel) throws Exception {
        TestApplication application = application(tunnel, Stop.ONE_OF_SEVERAL, "500");
        List<CompletableFuture<?>> calls = callSlowly(application, Calls.ASYNC);

        long begun = System.nanoTime();
        stop(application, Stop.ONE_OF_SEVERAL).get(20, TimeUnit.SECONDS);

        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(8));
        await().until(() -> connections(tunnel) == 0);
        assertThat(calls).noneMatch(call -> call.isDone() && !call.isCompletedExceptionally());
    }
}
