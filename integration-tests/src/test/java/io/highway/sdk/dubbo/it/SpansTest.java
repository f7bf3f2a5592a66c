// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.highway.sdk.Highway;
import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.gateway.Gateway;
import io.highway.tools.gateway.GatewayConfig;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.dubbo.rpc.RpcContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The attributes of the spans that Dubbo makes by Micrometer's Observation, as {@code docs/reference/observability.md}
 * lists them.
 */
@Tag("network")
class SpansTest {

    private static final String FAR = "guangdong";

    private static Spans clients;
    private static Spans servers;
    private static Star star;
    private static TestApplication far;
    private static Gateway farGateway;

    /** Knows the way to the remote island; home's other gateway does not. */
    private static Gateway gateway;

    @BeforeAll
    static void start() {
        clients = new Spans();
        servers = new Spans();
        star = new Star();
        far = new TestApplication(FAR, Map.of("highway.island", FAR, "dubbo.tracing.enabled", "true"));
        servers.traces(far);
        String dubbo = far.listen("dubbo");
        String triple = far.listen("tri");
        far.export(Shop.class, new ShopKeeper(FAR), service -> {}).start();
        farGateway = Gateway.start(GatewayConfig.builder()
                .island(FAR)
                .listen("gateway." + FAR + ".test", 0)
                .providers(FAR, "*", List.of(dubbo), List.of(triple))
                .build());
        gateway = star.anotherGateway(
                0, config -> config.next(FAR, List.of("gateway." + FAR + ".test:" + farGateway.port())));
    }

    @AfterAll
    static void stop() {
        star.close();
        gateway.closeNow();
        farGateway.closeNow();
        far.close();
    }

    @BeforeEach
    void forget() {
        clients.ended().clear();
        servers.ended().clear();
    }

    private static String address() {
        return "gateway.zhejiang.test:" + gateway.port();
    }

    /** A shop whose calls to the remote island go through these gateways; without health checks, which would avoid some. */
    private static Shop shop(Tunnel tunnel, String gateways, String... more) {
        Map<String, String> properties = star.properties(tunnel, more);
        properties.put("highway.heartbeat.interval", "none");
        properties.put("dubbo.tracing.enabled", "true");
        properties.put("highway.islands." + FAR + ".gateways." + tunnel.key(), gateways);
        TestApplication consumer = star.consumer(properties);
        clients.traces(consumer);
        return consumer.reference(Shop.class, config -> config.setUrl("dubbo://" + star.homeDubbo))
                .get();
    }

    private static Spans.Span next(Spans of) throws InterruptedException {
        Spans.Span span = of.ended().poll(20, TimeUnit.SECONDS);
        assertThat(span).as("a span").isNotNull();
        return span;
    }

    /** All attributes. */
    private static Map<String, String> attributes(
            String island, String tunnel, String gateway, String outcome, String reason, boolean fallback) {
        return new TreeMap<>(Map.of(
                "highway.island",
                island,
                "highway.tunnel",
                tunnel,
                "highway.gateway",
                gateway,
                "highway.outcome",
                outcome,
                "highway.reason",
                reason,
                "highway.fallback",
                String.valueOf(fallback),
                "highway.policy",
                "static"));
    }

    @ParameterizedTest
    @EnumSource
    void aHomeCall_hasNone(Tunnel tunnel) throws Exception {
        Shop shop = shop(tunnel, address());

        assertThat(shop.sell("tea")).isEqualTo("zhejiang:tea");

        Spans.Span span = next(clients);
        assertThat(span.attributes()).isEmpty();
        assertThat(span.events()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"DUBBO, false", "DUBBO, true", "TRIPLE, false", "TRIPLE, true"})
    void aTunnelledCall_hasOneSpan_andThatOfTheProviderIsItsChild(Tunnel tunnel, boolean async) throws Exception {
        Shop shop = shop(tunnel, address());

        String answer = Highway.to(FAR)
                .callChecked(() -> async ? shop.sellLater("tea").get(20, TimeUnit.SECONDS) : shop.sell("tea"));

        assertThat(answer).isEqualTo(FAR + ":tea");
        Spans.Span client = next(clients);
        assertThat(client.attributes()).isEqualTo(attributes(FAR, tunnel.key(), address(), "delivered", "none", false));
        assertThat(client.events()).isEmpty();
        assertThat(client.error()).isEmpty();
        Spans.Span server = next(servers);
        while (!server.trace().equals(client.trace())) { // the provider's span of an earlier call may end late
            server = next(servers);
        }
        assertThat(server.parent()).isEqualTo(client.id());
        assertThat(clients.ended()).isEmpty();
        assertThat(servers.ended()).noneMatch(span -> span.trace().equals(client.trace()));
    }

    @ParameterizedTest
    @CsvSource({"DUBBO, false", "DUBBO, true", "TRIPLE, false", "TRIPLE, true"})
    void afterAFailover_theEventNamesTheGatewayThatFailed(Tunnel tunnel, boolean async) throws Exception {
        String first = star.gatewayAddress();
        Shop shop = shop(tunnel, first + "," + address());

        Spans.Span span = null;
        for (int call = 0;
                call < 10 && (span == null || span.events().isEmpty());
                call++) { // each begins with the next
            String answer = Highway.to(FAR)
                    .callChecked(() -> async ? shop.sellLater("tea").get(20, TimeUnit.SECONDS) : shop.sell("tea"));
            assertThat(answer).isEqualTo(FAR + ":tea");
            span = next(clients);
        }

        assertThat(span.attributes()).isEqualTo(attributes(FAR, tunnel.key(), address(), "delivered", "none", false));
        assertThat(span.events()) // twice, if the second gateway was connecting
                .containsOnly("highway.attempt.failed not-forwarded over " + tunnel.key() + " " + first);
        assertThat(span.error()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"DUBBO, false", "DUBBO, true", "TRIPLE, false", "TRIPLE, true"})
    void whatHomeServesAfterAFailedAttempt_hasItsOutcome_inBothSpans(Tunnel tunnel, boolean async) throws Exception {
        String only = star.gatewayAddress();
        Shop shop = shop(tunnel, only, "highway.islands." + FAR + ".fallback", "home");
        Highway.to(FAR).run(() -> shop.note("connected"));
        next(clients);
        next(clients);

        String answer = Highway.to(FAR)
                .callChecked(() -> async ? shop.sellLater("tea").get(20, TimeUnit.SECONDS) : shop.sell("tea"));

        assertThat(answer).isEqualTo("zhejiang:tea");
        Map<String, String> expected = attributes(FAR, tunnel.key(), only, "not-sent", "not-forwarded", true);
        Spans.Span one = next(clients);
        Spans.Span another = next(clients);
        Spans.Span failed = one.error().isEmpty() ? another : one; // of an asynchronous call it may end last
        Spans.Span home = one.error().isEmpty() ? one : another;
        assertThat(failed.attributes()).isEqualTo(expected);
        assertThat(failed.events())
                .containsExactly("highway.attempt.failed not-forwarded over " + tunnel.key() + " " + only);
        assertThat(failed.error()).isEqualTo(async ? "CompletionException" : "HighwayException");
        assertThat(home.attributes()).isEqualTo(expected);
        assertThat(home.events()).isEmpty();
        assertThat(home.error()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void whatHomeServesWithoutAnAttempt_hasOneSpan(Tunnel tunnel) throws Exception {
        Shop shop = shop(
                tunnel, "gateway.zhejiang.test:" + FreePorts.next(), "highway.islands." + FAR + ".fallback", "home");
        assertThat(Highway.to(FAR).call(() -> shop.sell("tea"))).isEqualTo("zhejiang:tea"); // the first may wait
        clients.ended().clear();

        assertThat(Highway.to(FAR).call(() -> shop.sell("tea"))).isEqualTo("zhejiang:tea");

        assertThat(next(clients).attributes())
                .isEqualTo(attributes(FAR, "none", "none", "not-sent", "gateway-down", true));
        assertThat(clients.ended()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aRefusedCall_namesTheIslandThatWasAskedFor(Tunnel tunnel) throws Exception {
        Shop shop = shop(tunnel, address());

        Throwable refused = catchThrowable(() -> Highway.to("atlantis").run(() -> shop.sell("tea")));

        assertThat(refused).isNotNull();
        Spans.Span span = next(clients);
        assertThat(span.attributes())
                .isEqualTo(attributes("atlantis", "none", "none", "refused", "unknown-island", false));
        assertThat(span.events()).isEmpty();
        assertThat(span.error()).isEqualTo("HighwayException");
    }

    @ParameterizedTest
    @EnumSource
    void anExceptionOfTheService_isDelivered(Tunnel tunnel) throws Exception {
        Shop shop = shop(tunnel, address());

        Throwable thrown = catchThrowable(() -> Highway.to(FAR).callChecked(() -> shop.refuse("tea")));

        assertThat(thrown).isInstanceOf(Shop.SoldOutException.class);
        Spans.Span span = next(clients);
        assertThat(span.attributes()).isEqualTo(attributes(FAR, tunnel.key(), address(), "delivered", "none", false));
        assertThat(span.events()).isEmpty();
        assertThat(span.error()).isIn("SoldOutException", ""); // with Dubbo 3.2
    }

    @ParameterizedTest
    @EnumSource
    void aTimeout_hasTheEventOfItsAttempt(Tunnel tunnel) throws Exception {
        Shop shop = shop(tunnel, address());
        assertThat(Highway.to(FAR).call(() -> shop.sell("tea"))).isEqualTo(FAR + ":tea");
        clients.ended().clear();

        Throwable thrown = catchThrowable(() -> Highway.to(FAR).run(() -> shop.slow(20_000)));

        assertThat(thrown).isNotNull();
        Spans.Span span = next(clients);
        assertThat(span.attributes())
                .isEqualTo(attributes(FAR, tunnel.key(), address(), "sent-unknown", "timeout", false));
        assertThat(span.events())
                .containsExactly("highway.attempt.failed timeout over " + tunnel.key() + " " + address());
        assertThat(span.error()).isEqualTo("HighwayException");
    }

    @ParameterizedTest
    @EnumSource
    void aCallThatWasCancelledWhileItWaited_wasNotSent(Tunnel tunnel) throws Exception {
        Shop shop = shop(
                tunnel,
                address(),
                "highway.islands." + FAR + ".max-concurrent",
                "1",
                "highway.islands." + FAR + ".max-wait",
                "3s");
        CompletableFuture<String> first =
                Highway.to(FAR).call(() -> RpcContext.getServiceContext().asyncCall(() -> shop.slow(500)));

        assertThat(Highway.to(FAR).call(() -> shop.sellLater("tea")).cancel(true))
                .isTrue();

        assertThat(next(clients).attributes()).isEqualTo(attributes(FAR, "none", "none", "not-sent", "none", false));
        assertThat(first.get(20, TimeUnit.SECONDS)).isEqualTo(FAR + ":500");
    }
}
