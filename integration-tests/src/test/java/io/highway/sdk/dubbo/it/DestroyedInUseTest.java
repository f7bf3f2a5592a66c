// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.sdk.dubbo.internal.caller.endpoint.GatewayEndpoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.RpcException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** References that are destroyed while threads call through them. */
@Tag("network")
class DestroyedInUseTest {

    private static final int ROUNDS = 12;
    private static final int CALLERS = 4;

    private static final ExecutorService threads = Executors.newCachedThreadPool();
    private static Star star;

    @BeforeAll
    static void start() {
        star = new Star();
    }

    @AfterAll
    static void stop() {
        threads.shutdownNow();
        star.close();
    }

    @ParameterizedTest
    @EnumSource
    void everyCallEnds_andNothingStays(Tunnel tunnel) throws Exception {
        TestApplication application = star.consumer(star.properties(tunnel, "highway.defaults.timeout", "10s"));
        Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

        for (int round = 0; round < ROUNDS; round++) {
            ReferenceConfig<Shop> reference =
                    application.reference(Shop.class, config -> config.setUrl("dubbo://" + star.homeDubbo));
            Shop shop = Highway.to("shanghai").bind(Shop.class, reference.get());
            AtomicInteger answered = new AtomicInteger();
            List<Future<?>> callers = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                boolean later = i % 2 == 0;
                callers.add(threads.submit(() -> callUntilItFails(shop, later, answered, failures)));
            }
            int before = round % 3 * CALLERS; // also while the first calls build what they need
            await().atMost(Duration.ofSeconds(20))
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> answered.get() >= before);
            if (before > 0) {
                assertThat(invokers(application)).isNotEmpty();
            }
            reference.destroy();
            for (Future<?> caller : callers) {
                caller.get(20, TimeUnit.SECONDS);
            }
        }

        assertThat(failures).hasSize(ROUNDS * CALLERS).allSatisfy(failure -> assertThat(failure)
                .isInstanceOfAny(RpcException.class, IllegalStateException.class)
                .hasMessageContaining("destroyed"));
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(invokers(application)).isEmpty());
    }

    private static void callUntilItFails(Shop shop, boolean later, AtomicInteger answered, Queue<Throwable> failures) {
        while (true) {
            try {
                String answer = later ? shop.sellLater("tea").get(15, TimeUnit.SECONDS) : shop.sell("tea");
                assertThat(answer).isEqualTo("shanghai:tea");
                answered.incrementAndGet();
            } catch (Throwable e) {
                Throwable core = e;
                while ((core instanceof ExecutionException || core instanceof CompletionException)
                        && core.getCause() != null) {
                    core = core.getCause();
                }
                failures.add(core);
                return;
            }
        }
    }

    /** The invokers over gateways that are left of these references. */
    private static List<Object> invokers(TestApplication application) throws ReflectiveOperationException {
        List<Object> left = new ArrayList<>();
        for (GatewayEndpoint endpoint : HighwayRuntime.of(application.model())
                .destinations()
                .of("shanghai")
                .endpoints()) {
            for (Invoker<?> invoker : PolicySwapTest.invokers(endpoint.connection())) {
                if (invoker.getInterface().equals(Shop.class)) {
                    left.add(invoker);
                }
            }
        }
        return left;
    }
}
