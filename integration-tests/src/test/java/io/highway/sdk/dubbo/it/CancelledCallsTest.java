// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.CallOutcome;
import io.highway.sdk.dubbo.Outcome;
import io.highway.sdk.dubbo.TrafficClass;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.sdk.dubbo.internal.caller.endpoint.Destination;
import io.highway.tools.fixtures.faults.FaultyLink;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.service.GenericService;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Asynchronous calls whose future is done before they were sent. */
@Tag("network")
class CancelledCallsTest extends OnFaultyStar {

    private static final String SHANGHAI = "highway.islands.shanghai.";

    private FaultyLink link;
    private Shop shop;
    private GenericService generic;

    /** How a future ends before its call does. */
    enum End {
        CANCEL {
            @Override
            void end(CompletableFuture<?> future) {
                assertThat(future.cancel(true)).isTrue();
            }
        },
        COMPLETE_EXCEPTIONALLY {
            @Override
            void end(CompletableFuture<?> future) {
                assertThat(future.completeExceptionally(new IllegalStateException("no longer wanted")))
                        .isTrue();
            }
        },
        OR_TIMEOUT {
            @Override
            void end(CompletableFuture<?> future) {
                assertThat(future.orTimeout(1, TimeUnit.MILLISECONDS)).failsWithin(Duration.ofSeconds(5));
            }
        };

        abstract void end(CompletableFuture<?> future);
    }

    /** How an asynchronous call is made; its method is {@code sell} or {@code sellLater}. */
    enum Form {
        COMPLETABLE_FUTURE,
        ASYNC_CALL,
        CONTEXT_FUTURE,
        GENERIC_ASYNC
    }

    /** What a call waits for. */
    enum Awaited {
        PERMIT(TrafficClass.INTERACTIVE, SHANGHAI + "max-concurrent", "1", SHANGHAI + "max-wait", "9s"),
        BULK_PERMIT(
                TrafficClass.BULK,
                SHANGHAI + "bulk.methods",
                "slow,sell,sellLater,nothing",
                SHANGHAI + "bulk.max-concurrent",
                "1",
                SHANGHAI + "bulk.max-wait",
                "9s"),
        CONNECTION(TrafficClass.INTERACTIVE, "highway.gateways.http-max-connections", "1"),
        NEXT_ATTEMPT(
                TrafficClass.INTERACTIVE, SHANGHAI + "idempotent", "sell,sellLater,nothing", SHANGHAI + "retries", "3");

        private final TrafficClass trafficClass;
        private final String[] properties;

        Awaited(TrafficClass trafficClass, String... properties) {
            this.trafficClass = trafficClass;
            this.properties = properties;
        }

        /** Whether another call has it, and not the gateway; over HTTP a connection carries one call at a time. */
        boolean isTakenByACall(TunnelKind tunnel) {
            return this == PERMIT || this == BULK_PERMIT || (this == CONNECTION && tunnel == TunnelKind.HTTP);
        }
    }

    /** Over HTTP no call waits for its next attempt: that is written to another connection at once. */
    static Stream<Arguments> table() {
        return Stream.of(TunnelKind.values()).flatMap(tunnel -> Stream.of(Awaited.values())
                .filter(awaited -> tunnel != TunnelKind.HTTP || awaited != Awaited.NEXT_ATTEMPT)
                .flatMap(awaited -> Stream.of(Form.values()).map(form -> Arguments.of(tunnel, awaited, form))));
    }

    private void start(TunnelKind tunnel, int links, String... more) {
        List<String> properties = new ArrayList<>(List.of(
                SHANGHAI + "timeout",
                "20s",
                SHANGHAI + "fallback",
                "home",
                SHANGHAI + "breaker.failure-rate",
                "none",
                "highway.heartbeat.interval",
                "none"));
        properties.addAll(List.of(more));
        link = star.link(star.star.gateway());
        String addresses = FaultyStar.address(link.port());
        for (int i = 1; i < links; i++) {
            addresses += "," + FaultyStar.address(star.link(star.star.gateway()).port());
        }
        shop = star.shop(events, tunnel, addresses, properties.toArray(new String[0]));
        generic = star.consumer()
                .reference(GenericService.class, config -> {
                    config.setUrl("dubbo://" + star.star.homeDubbo);
                    config.setInterface(Shop.class.getName());
                    config.setGeneric("true");
                })
                .get();
    }

    private CompletableFuture<?> call(Form form, String item) {
        return switch (form) {
            case COMPLETABLE_FUTURE -> shop.sellLater(item);
            case ASYNC_CALL -> RpcContext.getServiceContext().asyncCall(() -> shop.sell(item));
            case CONTEXT_FUTURE -> {
                RpcContext.getClientAttachment().setAttachment("async", "true");
                shop.sell(item);
                yield RpcContext.getServiceContext().getCompletableFuture();
            }
            case GENERIC_ASYNC ->
                Highway.to("shanghai")
                        .call(() ->
                                generic.$invokeAsync("sell", new String[] {"java.lang.String"}, new Object[] {item}));
        };
    }

    private static Destination destination(Awaited awaited) {
        return HighwayRuntime.of(star.consumer().model())
                .destinations()
                .of("shanghai")
                .of(awaited.trafficClass);
    }

    private static long received(String prefix) {
        return star.shanghai().received.stream()
                .filter(call -> call.method().startsWith(prefix))
                .count();
    }

    @ParameterizedTest
    @MethodSource("table")
    void areNeverSent(TunnelKind tunnel, Awaited awaited, Form form) {
        start(tunnel, 1, awaited.properties);
        assertThat(shop.nothing("")).isNull();
        events.outcomes.clear();
        CompletableFuture<?> first = null;
        boolean isTaken = awaited.isTakenByACall(tunnel);
        if (isTaken) {
            first = RpcContext.getServiceContext().asyncCall(() -> shop.slow(8000));
            await().until(() -> received("slow") == 1);
        } else {
            link.blackHole();
        }
        if (awaited == Awaited.CONNECTION && !isTaken) {
            link.reset();
            await().until(() -> !star.isUp());
        }
        List<CompletableFuture<?>> calls = new ArrayList<>();
        for (int i = 0; i < 2 * End.values().length; i++) {
            calls.add(call(form, "dead"));
        }
        if (awaited == Awaited.NEXT_ATTEMPT) {
            link.reset();
            await().until(() -> !star.isUp());
        }
        assertThat(calls).noneMatch(CompletableFuture::isDone);

        for (int i = 0; i < calls.size(); i++) {
            End.values()[i % End.values().length].end(calls.get(i));
        }
        await().until(() -> destination(awaited).bulkhead().waiting() == 0 && events.outcomes.size() == calls.size());
        if (awaited != Awaited.NEXT_ATTEMPT) { // its first one may have left
            assertThat(events.outcomes).extracting(CallOutcome::outcome).containsOnly(Outcome.NOT_SENT);
        }
        assertThat(events.outcomes).noneMatch(CallOutcome::servedAtHome);
        link.heal();
        CompletableFuture<?> alive = RpcContext.getServiceContext().asyncCall(() -> shop.nothing("alive"));
        star.hurry();

        assertThat(alive).succeedsWithin(Duration.ofSeconds(5));
        if (first != null) {
            assertThat(first).succeedsWithin(Duration.ofSeconds(5));
        }
        for (int i = 0; i < 5; i++) { // after all that waited
            assertThat(shop.nothing("")).isNull();
        }
        assertThat(received("sell")).isZero();
        assertThat(star.star.homeShop.received).noneMatch(call -> call.method().startsWith("sell"));
        assertThat(destination(awaited).bulkhead().inFlight()).isZero();
        await().untilAsserted(
                        () -> assertThat(destination(awaited).calls().sum()).isZero());
    }

    @ParameterizedTest
    @EnumSource
    void areNotTriedAgain(TunnelKind tunnel) {
        start(tunnel, 2, SHANGHAI + "idempotent", "slow,nothing", SHANGHAI + "retries", "3");
        for (int i = 0; i < 4; i++) {
            assertThat(shop.nothing("")).isNull();
        }
        List<CompletableFuture<String>> calls = new ArrayList<>();
        for (int i = 0; i < 2 * End.values().length; i++) {
            calls.add(RpcContext.getServiceContext().asyncCall(() -> shop.slow(8000)));
        }
        await().until(() -> received("slow") == calls.size());

        for (int i = 0; i < calls.size(); i++) {
            End.values()[i / 2].end(calls.get(i));
        }
        await().until(() -> events.outcomes.size() == 4 + calls.size());
        assertThat(events.outcomes)
                .extracting(CallOutcome::outcome)
                .filteredOn(Outcome.SENT_UNKNOWN::equals)
                .hasSize(calls.size());
        link.reset();
        await().until(star::isUp);

        for (int i = 0; i < 4; i++) {
            assertThat(shop.nothing("")).isNull();
        }
        assertThat(received("slow")).isEqualTo(calls.size());
    }

    /** Calls of four threads that end at any moment: between two permits, before and after they are written. */
    @ParameterizedTest
    @EnumSource
    void neverRun_ifTheirOutcomeIsNotSent(TunnelKind tunnel) throws Exception {
        start(tunnel, 1, SHANGHAI + "max-concurrent", "3", SHANGHAI + "max-wait", "9s");
        Map<String, CallOutcome> outcomes = new ConcurrentHashMap<>();
        events.onEach = (outcome, invocation) -> outcomes.put(invocation.getAttachment("number"), outcome);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<Future<?>> callers = new ArrayList<>();
        for (int caller = 0; caller < 4; caller++) {
            int first = caller * 500;
            callers.add(threads.submit(() -> {
                for (int i = first; i < first + 500; i++) {
                    RpcContext.getClientAttachment().setAttachment("number", String.valueOf(i));
                    CompletableFuture<String> call = shop.sellLater("tea");
                    LockSupport.parkNanos(ThreadLocalRandom.current().nextInt(1_500_000));
                    if (ThreadLocalRandom.current().nextBoolean()) {
                        call.cancel(true);
                    } else {
                        call.completeExceptionally(new IllegalStateException("no longer wanted"));
                    }
                }
            }));
        }
        for (Future<?> caller : callers) {
            caller.get(9, TimeUnit.SECONDS);
        }
        threads.shutdown();

        await().until(() -> outcomes.size() == 2000
                && destination(Awaited.PERMIT).bulkhead().inFlight() == 0);
        assertThat(destination(Awaited.PERMIT).bulkhead().waiting()).isZero();
        assertThat(destination(Awaited.PERMIT).calls().sum()).isZero();
        Map<String, Long> runs = star.shanghai().received.stream()
                .collect(Collectors.groupingBy(
                        call -> String.valueOf(call.attachments().get("number")), Collectors.counting()));
        assertThat(runs.values()).containsOnly(1L);
        assertThat(outcomes).allSatisfy((number, outcome) -> assertThat(
                        outcome.outcome() == Outcome.NOT_SENT && runs.containsKey(number))
                .as(number + " " + outcome)
                .isFalse());
    }
}
