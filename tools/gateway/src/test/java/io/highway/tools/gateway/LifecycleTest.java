// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway;

import static io.highway.tools.gateway.TestCaller.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.highway.tools.fixtures.ports.FreePorts;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.dubbo.common.Version;
import org.apache.dubbo.rpc.RpcContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Gateways and providers stop and come back. */
@Tag("network")
class LifecycleTest {
    /** Without these a plain Dubbo client waits a minute before it connects again. */
    private static final Map<String, String> RECONNECT_FAST =
            Map.of("heartbeat", "1000", "dubbo.application.least-reconnect-duration", "500");

    private static final String SHUTDOWN_WAIT = "dubbo.service.shutdown.wait";

    private TestProviders island;
    private Gateway gateway;
    private TestCaller caller;

    @BeforeEach
    void start() {
        island = TestProviders.start("shanghai");
        gateway = startGateway(0);
        caller = new TestCaller();
    }

    @AfterEach
    void stop() {
        RpcContext.removeContext();
        caller.close();
        gateway.close();
        island.close();
    }

    private Gateway startGateway(int port) {
        return Gateway.start(config(port).build());
    }

    private GatewayConfig.Builder config(int port) {
        return island.inFront().listen("gateway.shanghai.test", port).grace(Duration.ofSeconds(3));
    }

    /** A Triple client of Dubbo 3.2 closes its connection, with the calls on it, when it sees a GOAWAY. */
    static Stream<String> protocolsThatDrain() {
        return Version.getVersion().startsWith("3.2.") ? Stream.of("dubbo") : Stream.of("dubbo", "tri");
    }

    @ParameterizedTest
    @MethodSource("protocolsThatDrain")
    void letsCallsInFlightFinish_whenItCloses(String protocol) {
        EchoService service = caller.refer(EchoService.class, protocol, gateway.port());
        to("shanghai", () -> service.echo("warm"));
        long before = gateway.stats().forwarded();
        CompletableFuture<String> underWay =
                CompletableFuture.supplyAsync(() -> to("shanghai", () -> service.slow("kept", 1500)));
        await().until(() -> gateway.stats().forwarded() > before);

        gateway.close();

        assertThat(underWay).succeedsWithin(Duration.ofSeconds(2)).isEqualTo("kept");
        await().untilAsserted(() -> assertThat(threads()).doesNotContain("gateway-"));
    }

    @Test
    void sendsNothingNewToAProviderThatDrains() {
        System.setProperty(SHUTDOWN_WAIT, "2000");
        TestProviders draining = TestProviders.start("shanghai");
        GatewayConfig config = TestProviders.gateway()
                .providers(
                        "shanghai",
                        "*",
                        List.of(island.dubbo().get(0), draining.dubbo().get(0)),
                        island.triple())
                .build();
        try (Gateway both = Gateway.start(config)) {
            EchoService service = caller.refer(EchoService.class, "dubbo", both.port());
            for (int call = 0; call < 4; call++) {
                assertThat(to("shanghai", () -> service.echo("warm"))).isEqualTo("shanghai:warm");
            }
            long before = both.stats().forwarded();
            List<CompletableFuture<String>> underWay = Stream.of("one", "two") // one to each
                    .map(text -> CompletableFuture.supplyAsync(() -> to("shanghai", () -> service.slow(text, 700))))
                    .toList();
            await().until(() -> both.stats().forwarded() >= before + underWay.size());
            CompletableFuture<Void> closing = CompletableFuture.runAsync(draining::close);

            while (!closing.isDone()) {
                assertThat(to("shanghai", () -> service.echo("x"))).isEqualTo("shanghai:x");
            }

            assertThat(underWay).allSatisfy(call -> assertThat(call).succeedsWithin(Duration.ofSeconds(5)));
        } finally {
            System.setProperty(SHUTDOWN_WAIT, "100");
            draining.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"dubbo", "tri"})
    void closesOnTime_whenACallOutlastsTheGracePeriod(String protocol) {
        EchoService service = caller.refer(EchoService.class, protocol, gateway.port(), Map.of("timeout", "20000"));
        CompletableFuture<String> underWay =
                CompletableFuture.supplyAsync(() -> to("shanghai", () -> service.slow("lost", 8000)));
        await().until(() -> gateway.stats().forwarded() == 1);

        long start = System.nanoTime();
        gateway.close();

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofSeconds(2), Duration.ofSeconds(6));
        assertThat(underWay).failsWithin(Duration.ofSeconds(5));
    }

    @ParameterizedTest
    @ValueSource(strings = {"dubbo", "tri"})
    void servesAgainOnTheSamePort_afterAnAbruptEnd(String protocol) {
        EchoService service = caller.refer(EchoService.class, protocol, gateway.port(), RECONNECT_FAST);
        to("shanghai", () -> service.echo("warm"));
        int port = gateway.port();

        gateway.closeNow();
        gateway = startGateway(port);

        await().ignoreExceptions().untilAsserted(() -> assertThat(to("shanghai", () -> service.echo("again")))
                .isEqualTo("shanghai:again"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"dubbo", "tri"})
    void isReplacedAtThePortThatItShares(String protocol) {
        Gateway old = Gateway.start(config(0).reusePort(true).build());
        try (Gateway next = Gateway.start(config(old.port()).reusePort(true).build())) {
            old.close();

            EchoService service = caller.refer(EchoService.class, protocol, next.port());
            assertThat(to("shanghai", () -> service.echo("next"))).isEqualTo("shanghai:next");
            assertThat(next.stats().forwarded()).isEqualTo(1);
        } finally {
            old.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"dubbo", "tri"})
    void reachesARestartedProviderWithTheNextCall(String protocol) {
        EchoService service = caller.refer(EchoService.class, protocol, gateway.port());
        to("shanghai", () -> service.echo("warm"));
        int dubboPort = Address.parse(island.dubbo().get(0)).port();
        int triplePort = Address.parse(island.triple().get(0)).port();

        island.close();
        assertThatThrownBy(() -> to("shanghai", () -> service.echo("down")))
                .hasMessageContaining("HIGHWAY-NOT-FORWARDED: shanghai;upstream-unreachable");
        island = TestProviders.start("shanghai", dubboPort, triplePort);

        assertThat(to("shanghai", () -> service.echo("up"))).isEqualTo("shanghai:up");
    }

    @ParameterizedTest
    @ValueSource(strings = {"dubbo", "tri"})
    void triesTheNextAddress_whenOneCannotBeReached(String protocol) {
        String dead = "gateway2.shanghai.test:" + FreePorts.next();
        String alive = "gateway.shanghai.test:" + gateway.port();
        try (Gateway hub = Gateway.start(TestProviders.hub(dead, alive).build())) {
            EchoService service = caller.refer(EchoService.class, protocol, hub.port());

            for (int call = 0; call < 10; call++) {
                assertThat(to("shanghai", () -> service.echo("x"))).isEqualTo("shanghai:x");
            }
            assertThat(hub.stats().refused()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"dubbo", "tri"})
    void keepsAnIdleConnection(String protocol) {
        EchoService service = caller.refer(EchoService.class, protocol, gateway.port(), Map.of("heartbeat", "1000"));
        to("shanghai", () -> service.echo("warm"));

        await().during(Duration.ofMillis(4500))
                .atMost(Duration.ofSeconds(20))
                .until(() ->
                        gateway.stats().dubboConnections() + gateway.stats().tripleConnections() == 1);

        assertThat(to("shanghai", () -> service.echo("still"))).isEqualTo("shanghai:still");
    }

    private static String threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(Thread::isAlive)
                .map(Thread::getName)
                .toList()
                .toString();
    }
}
