// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.IslandAnswer;
import io.highway.sdk.dubbo.IslandCalls;
import io.highway.sdk.dubbo.Reason;
import io.highway.tools.fixtures.ports.FreePorts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.dubbo.rpc.RpcContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Seven islands answer; one is down, one hangs, one refuses. */
@Tag("network")
class IslandCallsTest {

    private static final Duration WITHIN = Duration.ofSeconds(2);
    private static final List<String> ANSWERING =
            IntStream.range(0, 7).mapToObj(number -> "island-" + number).toList();

    private static final List<String> ISLANDS = new ArrayList<>(ANSWERING);

    private static final AtomicInteger calls = new AtomicInteger();
    private static final Map<Tunnel, Stock> stocks = new HashMap<>();

    private static final CountDownLatch ended = new CountDownLatch(1);
    private static final List<TestApplication> providers = new ArrayList<>();
    private static final List<TestApplication> callers = new ArrayList<>();

    /** With each kind of result. */
    public interface Stock {

        int count(String item);

        Integer countBoxed(String item);

        void note(String item);

        CompletableFuture<Integer> countLater(String item);

        String attachment(String name);
    }

    private static class Counting implements Stock {

        @Override
        public int count(String item) {
            if (item.equals("none")) {
                throw new IllegalArgumentException("there is no such item");
            }
            return calls.incrementAndGet();
        }

        @Override
        public Integer countBoxed(String item) {
            return calls.incrementAndGet();
        }

        @Override
        public void note(String item) {
            calls.incrementAndGet();
        }

        @Override
        public CompletableFuture<Integer> countLater(String item) {
            return CompletableFuture.completedFuture(calls.incrementAndGet());
        }

        @Override
        public String attachment(String name) {
            return RpcContext.getServerAttachment().getAttachment(name);
        }
    }

    private static final class Hanging extends Counting {

        @Override
        public int count(String item) {
            hang();
            return 0;
        }

        @Override
        public Integer countBoxed(String item) {
            return count(item);
        }

        @Override
        public void note(String item) {
            hang();
        }

        @Override
        public CompletableFuture<Integer> countLater(String item) {
            return new CompletableFuture<>();
        }

        private static void hang() {
            try {
                ended.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static Map<Tunnel, String> provider(Stock stock, String key, String value) {
        TestApplication provider = new TestApplication("shanghai", Map.of(key, value));
        providers.add(provider);
        Map<Tunnel, String> addresses =
                Map.of(Tunnel.DUBBO, provider.listen("dubbo"), Tunnel.TRIPLE, provider.listen("tri"));
        provider.export(Stock.class, stock, service -> {}).start();
        return addresses;
    }

    @BeforeAll
    static void start() throws Exception {
        ISLANDS.addAll(List.of("down", "hanging", "refusing"));
        Map<Tunnel, String> answering = provider(new Counting(), "highway.enabled", "false");
        Map<Tunnel, String> hanging = provider(new Hanging(), "highway.enabled", "false");
        Map<Tunnel, String> refusing = provider(new Counting(), "highway.island", "shanghai");
        for (Tunnel tunnel : Tunnel.values()) {
            Map<String, String> keys = new HashMap<>(Map.of(
                    "highway.island", "zhejiang",
                    "highway.defaults.tunnel", tunnel.key(),
                    "highway.heartbeat.interval", "none",
                    "highway.defaults.breaker.failure-rate", "none"));
            ANSWERING.forEach(island -> gateway(island, answering.get(tunnel), tunnel, keys));
            gateway("down", FaultyStar.address(FreePorts.next()), tunnel, keys);
            gateway("hanging", hanging.get(tunnel), tunnel, keys);
            gateway("refusing", refusing.get(tunnel), tunnel, keys);
            TestApplication caller = new TestApplication("zhejiang", keys);
            callers.add(caller);
            stocks.put(
                    tunnel,
                    caller.reference(Stock.class, config -> {
                                config.setUrl("dubbo://" + answering.get(Tunnel.DUBBO));
                                config.setTimeout(20_000);
                            })
                            .get());
        }
    }

    private static void gateway(String island, String address, Tunnel tunnel, Map<String, String> keys) {
        keys.put("highway.islands." + island + ".gateways." + tunnel.key(), address);
    }

    @AfterAll
    static void stop() throws Exception {
        callers.forEach(TestApplication::close);
        ended.countDown();
        providers.forEach(TestApplication::close);
    }

    @ParameterizedTest
    @EnumSource
    void theRightOnesAnswer_whateverTheMethodReturns(Tunnel tunnel) {
        Stock stock = stocks.get(tunnel);
        calls.set(0);

        Map<String, IslandAnswer<Integer>> primitive = IslandCalls.each(ISLANDS, WITHIN, () -> stock.count("tea"));
        Map<String, IslandAnswer<Integer>> boxed = IslandCalls.each(ISLANDS, WITHIN, () -> stock.countBoxed("tea"));
        Map<String, IslandAnswer<Integer>> later =
                IslandCalls.eachLater(ISLANDS, WITHIN, () -> stock.countLater("tea"));
        Map<String, IslandAnswer<Void>> none = IslandCalls.each(ISLANDS, WITHIN, () -> {
            stock.note("tea");
            return null;
        });

        List<Integer> values = new ArrayList<>();
        for (Map<String, IslandAnswer<Integer>> answers : List.of(primitive, boxed, later)) {
            assertThat(answers.keySet()).containsExactlyElementsOf(ISLANDS);
            ANSWERING.forEach(island -> values.add(answers.get(island).orElseThrow()));
            assertFailures(answers);
        }
        assertThat(values)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.rangeClosed(1, 21).boxed().toList());
        assertThat(ANSWERING).allMatch(island -> none.get(island).isAnswered());
        assertFailures(none);
        assertThat(calls).hasValue(28);
    }

    private static <T> void assertFailures(Map<String, IslandAnswer<T>> answers) {
        assertThat(answers.get("down"))
                .returns(false, IslandAnswer::isAnswered)
                .returns(false, IslandAnswer::mayHaveRun);
        assertThat(answers.get("down").failure())
                .isInstanceOfSatisfying(HighwayException.class, known -> assertThat(known.reason())
                        .isEqualTo(Reason.GATEWAY_DOWN));
        assertThat(answers.get("hanging").failure()).isInstanceOf(TimeoutException.class);
        assertThat(answers.get("refusing").failure())
                .isInstanceOfSatisfying(HighwayException.class, known -> assertThat(known.reason())
                        .isEqualTo(Reason.REFUSED_THERE));
        assertThat(answers.get("refusing").mayHaveRun()).isFalse();
        assertThatThrownBy(() -> answers.get("refusing").orElseThrow())
                .isInstanceOf(NoSuchElementException.class)
                .hasCauseInstanceOf(HighwayException.class);
    }

    @Test
    void endsAtItsDeadline() {
        Stock stock = stocks.get(Tunnel.TRIPLE);
        long begun = System.nanoTime();

        Map<String, IslandAnswer<Integer>> answers =
                IslandCalls.each(ISLANDS, Duration.ofMillis(300), () -> stock.count("tea"));

        assertThat(Duration.ofNanos(System.nanoTime() - begun))
                .isBetween(Duration.ofMillis(300), Duration.ofSeconds(5));
        assertThat(answers.get("hanging").failure()).hasMessage("no answer within 300 ms");
    }

    @Test
    void tellsWhatTheServiceThrows_andServesHomeAtHome() {
        Stock stock = stocks.get(Tunnel.TRIPLE);

        IslandAnswer<Integer> thrown = IslandCalls.each(List.of("island-1"), WITHIN, () -> stock.count("none"))
                .get("island-1");
        Map<String, IslandAnswer<Integer>> home =
                IslandCalls.each(List.of("zhejiang", "island-1", "zhejiang"), WITHIN, () -> stock.count("tea"));

        assertThat(thrown.failure()).isInstanceOf(IllegalArgumentException.class);
        assertThat(thrown.mayHaveRun()).isTrue();
        assertThat(home).hasSize(2).allSatisfy((island, answer) -> assertThat(answer.isAnswered())
                .isTrue());
    }

    @Test
    void eachHasTheAttachmentsOfTheThread() {
        Stock stock = stocks.get(Tunnel.TRIPLE);
        RpcContext.getClientAttachment().setAttachment("shop", "7");

        Map<String, IslandAnswer<String>> answers = IslandCalls.each(ANSWERING, WITHIN, () -> stock.attachment("shop"));

        assertThat(answers).hasSize(7).allSatisfy((island, answer) -> assertThat(answer.value())
                .isEqualTo("7"));
        assertThat(stock.attachment("shop")).as("of the next call").isNull();
        assertThat(stock.count("tea")).as("is synchronous").isPositive();
    }

    @Test
    void aBodyMakesOneCall() {
        Stock stock = stocks.get(Tunnel.TRIPLE);
        calls.set(0);

        assertThatThrownBy(() -> IslandCalls.each(ANSWERING, WITHIN, () -> 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("for island-0 the body made 0 calls of references with the SDK, and it must make one");
        assertThatThrownBy(() -> IslandCalls.each(ANSWERING, WITHIN, () -> stock.count("a") + stock.count("b")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("made 2 calls");
        assertThat(calls).hasValueLessThanOrEqualTo(2);
        assertThatThrownBy(() -> IslandCalls.each(ANSWERING, WITHIN, () -> {
                    throw new CompletionException("broken", null);
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasCauseInstanceOf(CompletionException.class);
        assertThatThrownBy(() -> IslandCalls.each(List.of("island-1", "Island 2"), WITHIN, () -> stock.count("a")))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> IslandCalls.each(List.of(), WITHIN, () -> stock.count("a")))
                .hasMessageContaining("islands: it is empty");
        assertThatThrownBy(() -> IslandCalls.each(ANSWERING, Duration.ZERO, () -> stock.count("a")))
                .hasMessageContaining("within: PT0S is not allowed");
    }

    @Test
    void aThousandRounds_mixNothing_andLeaveNoThread() {
        Stock stock = stocks.get(Tunnel.TRIPLE);
        calls.set(0);
        Map<String, IslandAnswer<Integer>> unused = IslandCalls.each(ANSWERING, WITHIN, () -> stock.count("tea"));
        long threads = threads();

        List<Integer> values = new ArrayList<>();
        for (int round = 0; round < 1000; round++) {
            IslandCalls.each(ANSWERING, WITHIN, () -> stock.count("tea"))
                    .values()
                    .forEach(answer -> values.add(answer.orElseThrow()));
        }

        assertThat(values).doesNotHaveDuplicates().hasSize(7000);
        assertThat(threads()).isLessThanOrEqualTo(threads);
    }

    /** Without those of Dubbo's pools. */
    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !thread.getName().startsWith("Dubbo"))
                .count();
    }
}
