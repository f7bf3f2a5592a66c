// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.CallOutcome;
import io.highway.sdk.dubbo.HighwayCustomizer;
import io.highway.sdk.dubbo.HighwaySetup;
import io.highway.sdk.dubbo.OutcomeListener;
import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.sdk.dubbo.internal.policy.Policy;
import io.highway.tools.gateway.Gateway;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.service.GenericService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Calls under load while the policy changes a hundred times a second: each change moves a service and a business key to
 * another island, some leave an island out, and once a second a gateway joins or leaves. {@code -Dswap.seconds=30} makes it longer.
 */
@Tag("network")
@Tag("any-dubbo")
class PolicySwapLoadTest {

    private static final int SWAPS_PER_SECOND = 100;
    private static final long SECONDS = Long.getLong("swap.seconds", 3);
    private static final String[] STRING = {"java.lang.String"};

    private final Star star = new Star();
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
    private final AtomicLong calls = new AtomicLong();
    private Gateway second;
    private TestApplication consumer;
    private Shop shop;
    private GenericService generic;
    private volatile boolean stopped;

    /** The policy version of each call, by its item. */
    private final Map<String, String> versions = new ConcurrentHashMap<>();

    @BeforeEach
    void start() {
        second = star.closing(star.anotherGateway());
    }

    @AfterEach
    void stop() {
        star.close();
    }

    private final class Versions implements HighwayCustomizer, OutcomeListener {

        @Override
        public void customize(HighwaySetup setup) {
            setup.outcomeListener(this);
        }

        @Override
        public void onOutcome(CallOutcome outcome, Invocation invocation) {
            Object[] arguments = invocation.getArguments();
            Object last = arguments[arguments.length - 1];
            versions.put(
                    String.valueOf(last instanceof Object[] generic ? generic[generic.length - 1] : last),
                    String.valueOf(outcome.policyVersion()));
        }
    }

    /** The version names the island that it sends calls to. */
    private Policy policy(String tunnel, int number) {
        String island = number % 2 == 0 ? "shanghai" : "beijing";
        String other = number % 2 == 0 ? "beijing" : "shanghai";
        Map<String, String> keys = keys(tunnel);
        keys.put("highway.services." + Shop.class.getName() + ".island", island);
        keys.put("highway.islands." + island + ".keys", "key");
        if (number % 4 < 2) {
            keys.put("highway.islands." + other + ".keys", "other");
        } else { // unknown meanwhile
            keys.remove("highway.islands." + other + ".keys");
        }
        keys.put("highway.islands." + island + ".timeout", "20s");
        if (number / SWAPS_PER_SECOND % 2 == 1) {
            String both = star.gatewayAddress() + ",gateway.zhejiang.test:" + second.port();
            keys.put("highway.gateways.dubbo", both);
            keys.put("highway.gateways.triple", both);
        }
        return PolicySwapTest.policy(number + "-" + island, keys);
    }

    private Map<String, String> keys(String tunnel) {
        return new HashMap<>(
                star.properties(Tunnel.DUBBO, "highway.defaults.tunnel", tunnel, "highway.defaults.timeout", "20s"));
    }

    private void call(String form, String item) throws Exception {
        String answer =
                switch (form) {
                    case "sync" -> shop.sell(item);
                    case "key" -> shop.sellIn("key", item);
                    case "future" -> shop.sellLater(item).get(30, TimeUnit.SECONDS);
                    default -> (String) generic.$invoke("sell", STRING, new Object[] {item});
                };
        String version = versionOf(item);
        if (!answer.equals(version.substring(version.indexOf('-') + 1) + ":" + item)) {
            wrong.add(form + " by policy " + version + " was answered " + answer);
        }
        calls.incrementAndGet();
    }

    /** A future may complete before listeners know how its call ended. */
    private String versionOf(String item) {
        await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(1)).until(() -> versions.containsKey(item));
        return versions.remove(item);
    }

    private List<Thread> callers() {
        List<Thread> threads = new ArrayList<>();
        for (String form : List.of("sync", "key", "future", "generic")) {
            Thread thread = new Thread(
                    () -> {
                        for (int i = 0; !stopped; i++) {
                            try {
                                call(form, form + i);
                            } catch (Throwable e) {
                                wrong.add(form + " failed: " + e);
                            }
                        }
                    },
                    "caller-" + form);
            thread.start();
            threads.add(thread);
        }
        return threads;
    }

    @ParameterizedTest
    @ValueSource(strings = {"dubbo", "triple", "auto"})
    void failsNoCall_andMisroutesNone_withFlatConnectionsAndThreads(String tunnel) throws Exception {
        consumer = star.consumer(keys(tunnel));
        consumer.model().getBeanFactory().registerBean(new Versions());
        HighwayRuntime runtime = HighwayRuntime.of(consumer.model());
        ShopReferences references = ShopReferences.of(consumer, star.homeDubbo);
        shop = references.typed();
        generic = references.generic();
        runtime.swap(policy(tunnel, SWAPS_PER_SECOND)); // with both gateways
        assertThat(Highway.to("shanghai").call(() -> shop.sell("tea"))).isEqualTo("shanghai:tea");
        List<Thread> callers = callers();
        swapFor(1, tunnel, runtime); // until the pools of both islands' providers are full
        await().until(() -> calls.get() > 1000);
        runtime.swap(policy(tunnel, SWAPS_PER_SECOND));
        List<String> threads = threads();
        int connections = connections();

        swapFor(SECONDS, tunnel, runtime);
        List<String> threadsThen = threads();
        int connectionsThen = connections();
        stopped = true;
        for (Thread caller : callers) {
            caller.join(30_000);
        }

        assertThat(wrong).isEmpty();
        assertThat(connectionsThen).isEqualTo(connections);
        assertThat(threadsThen).hasSizeLessThanOrEqualTo(threads.size() + 8); // those that connect come and go
    }

    private void swapFor(long seconds, String tunnel, HighwayRuntime runtime) throws InterruptedException {
        long begin = System.nanoTime();
        for (int swap = 0; swap < seconds * SWAPS_PER_SECOND; swap++) {
            runtime.swap(policy(tunnel, swap));
            long due = begin + TimeUnit.SECONDS.toNanos(1) / SWAPS_PER_SECOND * (swap + 1);
            TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
        }
    }

    /** Without Dubbo's pools, which grow to their size with the load. */
    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> !name.startsWith("Dubbo"))
                .sorted()
                .toList();
    }

    private int connections() {
        return Stream.of(star.gateway(), second)
                .mapToInt(gateway ->
                        gateway.stats().dubboConnections() + gateway.stats().tripleConnections())
                .sum();
    }
}
