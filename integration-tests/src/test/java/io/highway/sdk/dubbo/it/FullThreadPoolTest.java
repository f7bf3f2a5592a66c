// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import com.example.ledger.Ledger;
import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.GuardListener;
import io.highway.sdk.dubbo.GuardListener.GuardEvent;
import io.highway.sdk.dubbo.HighwayCustomizer;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Reason;
import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.gateway.Gateway;
import io.highway.tools.gateway.GatewayConfig;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.dubbo.config.ReferenceConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A provider whose only thread is busy: nothing of a call runs, which the SDK there states, over each tunnel. */
@Tag("network")
class FullThreadPoolTest {

    private static final int CALLS = 10;

    private final List<AutoCloseable> open = new ArrayList<>();

    /** A provider of one thread behind a gateway. */
    private final class Provider implements Ledger {

        final List<GuardEvent> events = new CopyOnWriteArrayList<>();
        final AtomicInteger executed = new AtomicInteger();
        final int threads;
        final CountDownLatch free = new CountDownLatch(1);
        final int http = FreePorts.next();
        final Gateway gateway;

        Provider(int threads) {
            this.threads = threads;
            TestApplication application = new TestApplication(
                    "shanghai", Map.of("highway.island", "shanghai", "highway.http.port", String.valueOf(http)));
            open.add(application);
            application.model().getBeanFactory().registerBean((HighwayCustomizer)
                    setup -> setup.guardListener(events::add));
            String dubbo = application.listen("dubbo");
            String triple = application.listen("tri");
            application
                    .export(
                            Ledger.class,
                            this,
                            service -> service.setParameters(
                                    Map.of("threadpool", "fixed", "threads", String.valueOf(threads), "queues", "0")))
                    .start();
            gateway = Gateway.start(GatewayConfig.builder()
                    .island("shanghai")
                    .listen("gateway.shanghai.test", 0)
                    .providers("shanghai", "*", List.of(dubbo), List.of(triple))
                    .build());
            open.add(gateway::closeNow);
        }

        String gatewayAddress(String tunnel) {
            return tunnel.equals("http") ? "shanghai.test:" + http : "gateway.shanghai.test:" + gateway.port();
        }

        @Override
        public String book(String how) {
            executed.incrementAndGet();
            return how;
        }

        @Override
        public CompletableFuture<String> bookLater(String how) {
            return CompletableFuture.completedFuture(book(how));
        }

        @Override
        public String wait(String entry) {
            executed.incrementAndGet();
            try {
                assertThat(free.await(30, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return entry;
        }

        List<GuardEvent> refused() {
            return events.stream()
                    .filter(event -> event.result() == GuardListener.Result.REFUSED
                            && event.methodName().equals("book")) // and not a health check
                    .toList();
        }
    }

    @AfterEach
    void close() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }

    private Ledger caller(String tunnel, Provider... providers) {
        Map<String, String> keys = new HashMap<>(Map.of(
                "highway.island", "zhejiang",
                "highway.islands.shanghai.tunnel", tunnel,
                "highway.islands.shanghai.timeout", "20s"));
        keys.put(
                "highway.gateways." + tunnel,
                Stream.of(providers).map(each -> each.gatewayAddress(tunnel)).collect(Collectors.joining(",")));
        TestApplication home = new TestApplication("zhejiang", keys);
        open.add(home);
        ReferenceConfig<Ledger> reference = home.reference(Ledger.class, config -> {
            config.setUrl("dubbo://zhejiang.test:" + FreePorts.next());
            config.setCheck(false);
        });
        return Highway.to("shanghai").bind(Ledger.class, reference.get());
    }

    private static CompletableFuture<String> occupied(Ledger ledger, Provider provider, int before) {
        CompletableFuture<String> first = CompletableFuture.completedFuture("none");
        for (int i = 1; i <= provider.threads; i++) {
            int expected = before + i;
            first = CompletableFuture.supplyAsync(() -> waited(ledger), task -> new Thread(task).start());
            await().until(() -> provider.executed.get() == expected);
        }
        return first;
    }

    @ParameterizedTest
    @ValueSource(strings = {"dubbo", "triple", "http"})
    void runsNothingOfACall_andStatesIt(String tunnel) throws Exception {
        Provider provider = new Provider(1);
        Ledger ledger = caller(tunnel, provider);
        CompletableFuture<String> first = occupied(ledger, provider, 0);

        for (int i = 0; i < CALLS; i++) {
            assertThat(catchThrowable(() -> ledger.book("never")))
                    .isInstanceOfSatisfying(HighwayException.class, e -> {
                        assertThat(e.reason()).as(e.getMessage()).isEqualTo(Reason.BUSY);
                        assertThat(e.mayHaveRun()).isFalse();
                    })
                    .hasMessageContaining("the destination refused: busy; thread pool")
                    .hasMessageContaining("dubbo.protocol.threads");
        }
        assertThat(provider.refused()).hasSize(CALLS).allSatisfy(event -> {
            assertThat(event.reason()).isEqualTo("busy");
            assertThat(event.methodName()).isEqualTo("book");
            assertThat(event.interfaceName()).isEqualTo(Ledger.class.getName());
            assertThat(event.island()).isEqualTo("shanghai");
            assertThat(event.caller()).hasToString("zhejiang/zhejiang-app");
            assertThat(event.peer()).isEqualTo("127.0.0.1");
        });
        provider.free.countDown();
        assertThat(first.get(20, TimeUnit.SECONDS)).isEqualTo("entry");
        assertThat(provider.executed).hasValue(1);
        await().untilAsserted(() -> assertThat(ledger.book("tea")).isEqualTo("tea"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"dubbo", "triple", "http"})
    void isServedByTheNextEndpoint_onceAndNoFurther(String tunnel) throws Exception {
        Provider one = new Provider(1);
        Provider two = new Provider(2); // a thread may still end the call before
        Provider three = new Provider(2);
        List<Provider> all = List.of(one, two, three);
        Ledger ledger = caller(tunnel, one, two, three);
        CompletableFuture<String> unused = occupied(caller(tunnel, one), one, 0);

        for (int i = 0; i < CALLS; i++) {
            assertThat(ledger.book("tea")).isEqualTo("tea");
            assertThat(ledger.bookLater("tea").get(20, TimeUnit.SECONDS)).isEqualTo("tea");
        }
        assertThat(one.executed).hasValue(1);
        assertThat(two.executed.get() + three.executed.get()).isEqualTo(2 * CALLS);

        var unusedToo = occupied(caller(tunnel, two), two, two.executed.get());
        var unusedLast = occupied(caller(tunnel, three), three, three.executed.get());
        int before = refusals(all);
        assertThat(catchThrowable(() -> ledger.book("never"))).isInstanceOfSatisfying(HighwayException.class, e -> {
            assertThat(e.reason()).isEqualTo(Reason.BUSY);
            assertThat(e.mayHaveRun()).isFalse();
        });
        assertThat(refusals(all) - before).isEqualTo(2);
        all.forEach(each -> each.free.countDown());
    }

    /** A health check may have the only thread. */
    private static String waited(Ledger ledger) {
        while (true) {
            try {
                return ledger.wait("entry");
            } catch (HighwayException e) {
                assertThat(e.reason()).isEqualTo(Reason.BUSY);
            }
        }
    }

    private static int refusals(List<Provider> providers) {
        return providers.stream().mapToInt(each -> each.refused().size()).sum();
    }
}
