// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.sdk.dubbo.internal.operate.audit.AuditLog;
import io.highway.sdk.dubbo.internal.operate.audit.AuditTrail;
import io.highway.sdk.dubbo.internal.policy.Policy;
import io.highway.tools.fixtures.faults.FaultyLink;
import io.highway.tools.fixtures.faults.FaultyLinks;
import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.gateway.Gateway;
import io.highway.tools.gateway.GatewayConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.dubbo.common.Version;
import org.apache.dubbo.common.stream.StreamObserver;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.apache.dubbo.rpc.protocol.tri.CancelableStreamObserver;
import org.apache.dubbo.rpc.protocol.tri.observer.ClientCallToObserverAdapter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.MDC;

/** Each crossing leaves one line at its caller and one at its destination. */
@Tag("network")
@Tag("any-dubbo")
class AuditTest {

    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";

    private static final Map<Tunnel, ShopReferences> SHOPS = new EnumMap<>(Tunnel.class);
    private static AuditTrail trail;
    private static Star star;
    private static TestIsland guarded;

    @BeforeAll
    static void start() {
        trail = new AuditTrail();
        System.setProperty("highway.audit.enabled", "true");
        star = new Star();
        guarded = star.closing(new TestIsland(
                "guangdong", Map.of("highway.island", "guangdong", "highway.sign.accept.k", "a-secret")));
        for (Tunnel tunnel : Tunnel.values()) {
            SHOPS.put(tunnel, ShopReferences.of(consumer(tunnel), star.homeDubbo));
        }
    }

    private static TestApplication consumer(Tunnel tunnel, String... more) {
        String nobody = "gateway.hub.test:" + FreePorts.next();
        Map<String, String> properties = star.properties(tunnel, more);
        properties.put("highway.islands.hub.gateways." + tunnel.key(), nobody);
        properties.put("highway.islands.hub.fallback", "home");
        properties.put("highway.islands.atlantis.fallback", "home");
        properties.put("highway.islands.guangdong.gateways." + tunnel.key(), guarded.gatewayAddress());
        return star.consumer(properties);
    }

    @AfterAll
    static void stop() {
        System.clearProperty("highway.audit.enabled");
        star.close();
        trail.close();
    }

    @BeforeEach
    void forget() {
        trail.forget();
        star.shanghai.shop.received.clear();
        guarded.shop.received.clear();
    }

    static Stream<Arguments> tunnelsAndModes() {
        return Stream.of(Tunnel.values())
                .flatMap(tunnel -> Stream.of(Mode.values()).map(mode -> Arguments.of(tunnel, mode)));
    }

    private static Throwable sell(String island, Tunnel tunnel, Mode mode) {
        ShopReferences shop = SHOPS.get(tunnel);
        return catchThrowable(
                () -> Highway.to(island).callChecked(() -> mode.sell(shop.typed(), shop.generic(), "a-secret-tea")));
    }

    private static String text(JsonNode line, String field) {
        JsonNode value = line.at("/" + field.replace('.', '/'));
        return value.isMissingNode() ? null : value.asText();
    }

    @ParameterizedTest
    @EnumSource
    void writesTheVersionOfThePolicy_thatACallWasDecidedWith(Tunnel tunnel) {
        Map<String, String> keys = star.properties(tunnel, "highway.audit.enabled", "true");
        TestApplication consumer = star.consumer(keys);
        Shop shop = ShopReferences.of(consumer, star.homeDubbo).typed();
        HighwayRuntime there = HighwayRuntime.of(star.shanghai.application.model());
        Policy before = there.policy();

        HighwayRuntime.of(consumer.model()).swap(PolicySwapTest.policy("2026-11", keys));
        there.swap(PolicySwapTest.policy(
                "there-7", Map.of("highway.island", "shanghai", "highway.audit.enabled", "true")));
        try {
            assertThat(Highway.to("shanghai").call(() -> shop.sell("tea"))).isEqualTo("shanghai:tea");

            assertThat(text(trail.end("out"), "policy")).isEqualTo("2026-11");
            assertThat(text(trail.end("in"), "policy")).isEqualTo("there-7");
        } finally {
            there.swap(before);
        }
    }

    @ParameterizedTest
    @MethodSource("tunnelsAndModes")
    void writesOneLineAtEachEnd(Tunnel tunnel, Mode mode) {
        RpcContext.getClientAttachment().setAttachment("traceparent", "00-" + TRACE + "-b7ad6b7169203331-01");
        Throwable failure = sell("shanghai", tunnel, mode);
        RpcContext.getClientAttachment().removeAttachment("traceparent");

        assertThat(failure).isNull();
        JsonNode out = trail.end("out");
        JsonNode in = trail.end("in");
        for (JsonNode line : List.of(out, in)) {
            assertThat(text(line, "trace")).isEqualTo(TRACE);
            assertThat(text(line, "from.island")).isEqualTo("zhejiang");
            assertThat(text(line, "from.application")).isEqualTo("zhejiang-app");
            assertThat(text(line, "from.key")).isNull();
            assertThat(text(line, "to.island")).isEqualTo("shanghai");
            assertThat(text(line, "to.service")).isEqualTo(Shop.class.getName());
            assertThat(text(line, "to.method")).startsWith("sell");
            assertThat(text(line, "policy")).isEqualTo("static");
            assertThat(text(line, "tunnel")).isEqualTo(tunnel.key());
            assertThat(text(line, "outcome")).isEqualTo("delivered");
            assertThat(text(line, "reason")).isNull();
            assertThat(line.get("sent").asBoolean()).isTrue();
            assertThat(line.get("millis").asLong()).isNotNegative();
            assertThat(line.toString()).doesNotContain("secret");
        }
        assertThat(text(out, "decision")).isEqualTo("tunnel");
        assertThat(text(out, "gateway")).isEqualTo(star.gatewayAddress());
        assertThat(out.get("bytes").asLong()).isPositive();
        assertThat(text(in, "decision")).isEqualTo("serve");
        assertThat(text(in, "gateway")).as("the address of the peer").isEqualTo("127.0.0.1");
        assertThat(trail.lines()).hasSize(2);
    }

    @ParameterizedTest
    @EnumSource
    void saysThatACallWasNotSent_whoseFutureWasCancelledWhileItWaited(Tunnel tunnel) throws Exception {
        Shop shop = Highway.to("shanghai")
                .bind(
                        Shop.class,
                        ShopReferences.of(
                                        consumer(
                                                tunnel,
                                                "highway.islands.shanghai.max-concurrent",
                                                "1",
                                                "highway.islands.shanghai.max-wait",
                                                "9s",
                                                "highway.islands.shanghai.timeout",
                                                "20s"),
                                        star.homeDubbo)
                                .typed());
        CompletableFuture<String> first = RpcContext.getServiceContext().asyncCall(() -> shop.slow(8000));
        await().until(() -> !star.shanghai.shop.received.isEmpty());

        assertThat(shop.sellLater("tea").cancel(true)).isTrue();

        JsonNode out = trail.end("out");
        assertThat(text(out, "to.method")).isEqualTo("sellLater");
        assertThat(text(out, "outcome")).isEqualTo("not-sent");
        assertThat(text(out, "reason")).isNull();
        assertThat(text(out, "gateway")).isNull();
        assertThat(out.get("sent").asBoolean()).isFalse();
        star.shanghai.shop.hurry();
        assertThat(first.get(10, TimeUnit.SECONDS)).isEqualTo("shanghai:8000");
        trail.awaitEnds("in", 1);
        assertThat(trail.awaitEnds("out", 2)).hasSize(2);
        assertThat(trail.ends("in")).hasSize(1);
    }

    /** The method that runs: Dubbo trims the name. */
    @ParameterizedTest
    @EnumSource
    void namesTheMethodInAGenericCall_withoutWhiteSpace(Tunnel tunnel) {
        Object answer = Highway.to("shanghai").call(() -> SHOPS.get(tunnel)
                .generic()
                .$invoke("\tsell ", new String[] {"java.lang.String"}, new Object[] {"tea"}));

        assertThat(answer).isEqualTo("shanghai:tea");
        assertThat(text(trail.end("out"), "to.method")).isEqualTo("sell");
        assertThat(text(trail.end("in"), "to.method")).isEqualTo("sell");
    }

    @ParameterizedTest
    @EnumSource(Tunnel.class)
    void namesAGenericCallWhoseTypeIsNull(Tunnel tunnel) {
        Throwable failure = catchThrowable(() -> Highway.to("shanghai")
                .call(() -> SHOPS.get(tunnel).generic().$invoke("sell", new String[] {null}, new Object[] {"tea"})));

        assertThat(failure).hasMessageContaining("no-such-method");
        assertThat(text(trail.end("in"), "reason")).isEqualTo("no-such-method");
    }

    /** Without an id in the call, the line of the caller has that of the calling thread, whichever thread ends it. */
    @ParameterizedTest
    @MethodSource("tunnelsAndModes")
    void hasTheTraceIdOfTheLogContext_ofThisCallOnly(Tunnel tunnel, Mode mode) throws Exception {
        ExecutorService reused = Executors.newSingleThreadExecutor(work -> new Thread(work, "audited-caller"));
        try (LogContext context = new LogContext()) {
            for (String entry : List.of("traceId=first", "", "trace_id=second", "traceId=")) {
                String key = entry.replaceAll("=.*", "");
                String id = entry.replaceAll(".*=", "");
                trail.forget();

                Throwable failure = reused.submit(() -> {
                            if (!key.isEmpty()) {
                                MDC.put(key, id);
                            }
                            try {
                                return sell("shanghai", tunnel, mode);
                            } finally {
                                MDC.remove(key);
                            }
                        })
                        .get(20, TimeUnit.SECONDS);

                assertThat(failure).isNull();
                assertThat(text(trail.end("out"), "trace")).isEqualTo(id.isEmpty() ? null : id);
                assertThat(text(trail.end("in"), "trace")).isNull();
            }
            assertThat(context.threads()).contains("audited-caller");
        } finally {
            reused.shutdownNow();
            assertThat(reused.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void hasTheTraceIdOfEachCaller_whenTheyCallAtOnce(Tunnel tunnel) throws Exception {
        int calls = 40;
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try (LogContext context = new LogContext()) {
            List<Future<CompletableFuture<String>>> started = new ArrayList<>();
            for (int i = 0; i < calls; i++) {
                String id = "trace-" + i;
                started.add(threads.submit(() -> {
                    MDC.put("traceId", id);
                    try {
                        return Highway.to("shanghai")
                                .call(() -> SHOPS.get(tunnel).typed().sellLater(id));
                    } finally {
                        MDC.remove("traceId");
                    }
                }));
            }
            for (Future<CompletableFuture<String>> call : started) {
                call.get(20, TimeUnit.SECONDS).get(20, TimeUnit.SECONDS);
            }

            assertThat(trail.awaitEnds("out", calls))
                    .extracting(line -> text(line, "trace"))
                    .containsExactlyInAnyOrderElementsOf(IntStream.range(0, calls)
                            .mapToObj(i -> "trace-" + i)
                            .toList());
            assertThat(trail.awaitEnds("in", calls))
                    .extracting(line -> text(line, "trace"))
                    .containsOnlyNulls();
            assertThat(context.threads()).isNotEmpty();
        } finally {
            threads.shutdownNow();
            assertThat(threads.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("tunnelsAndModes")
    void namesTheExceptionOfTheService_andNotItsText(Tunnel tunnel, Mode mode) {
        ShopReferences shop = SHOPS.get(tunnel);
        Throwable failure = catchThrowable(() -> Highway.to("shanghai").callChecked(() -> {
            mode.refuse(shop.typed(), shop.generic(), "a-secret-reason");
            return "";
        }));

        assertThat(failure).isNotNull();
        JsonNode out = trail.end("out");
        JsonNode in = trail.end("in");
        assertThat(text(out, "outcome")).isEqualTo("delivered");
        assertThat(text(in, "outcome")).isEqualTo("delivered");
        assertThat(text(in, "exception")).endsWith("Exception");
        assertThat(in.toString() + out).doesNotContain("secret");
    }

    @ParameterizedTest
    @MethodSource("tunnelsAndModes")
    void auditsWhatIsRefusedHere(Tunnel tunnel, Mode mode) {
        assertThat(sell("tokyo", tunnel, mode)).isInstanceOf(HighwayException.class);

        JsonNode out = trail.end("out");
        assertThat(text(out, "decision")).isEqualTo("refuse");
        assertThat(text(out, "outcome")).isEqualTo("refused");
        assertThat(text(out, "reason")).isEqualTo("unknown-island");
        assertThat(out.get("sent").asBoolean()).isFalse();
        assertThat(out.has("bytes")).isFalse();
        assertThat(trail.lines()).hasSize(1);
    }

    @ParameterizedTest
    @MethodSource("tunnelsAndModes")
    void auditsWhatTheGuardRefuses(Tunnel tunnel, Mode mode) {
        Throwable refused = sell("guangdong", tunnel, mode);

        assertThat(refused).isInstanceOf(HighwayException.class);
        JsonNode out = trail.end("out");
        JsonNode in = trail.end("in");
        assertThat(text(out, "decision")).isEqualTo("tunnel");
        assertThat(text(out, "outcome")).isEqualTo("refused");
        assertThat(text(out, "reason")).isEqualTo("refused-there");
        assertThat(out.get("sent").asBoolean()).isFalse();
        assertThat(text(in, "decision")).isEqualTo("refuse");
        assertThat(text(in, "outcome")).isEqualTo("refused");
        assertThat(refused).hasMessageContaining(text(in, "reason"));
        assertThat(text(in, "to.island")).isEqualTo("guangdong");
        assertThat(text(in, "from.application")).as("as claimed").isEqualTo("zhejiang-app");
        assertThat(text(in, "from.verified")).isNull();
        assertThat(text(in, "from.key")).isNull();
        assertThat(in.get("sent").asBoolean()).isFalse();
        assertThat(guarded.shop.received).isEmpty();
    }

    /** Rules, and their shadow mode; a call without headers that must have some. */
    @ParameterizedTest
    @EnumSource(Tunnel.class)
    void namesTheRule(Tunnel tunnel) {
        Map<String, String> rules = Map.of(
                "highway.island", "beijing",
                "highway.guard.rules.no-tea.action", "deny",
                "highway.guard.rules.no-tea.to", "sell",
                "highway.guard.rules.marked.action", "audit",
                "highway.guard.rules.marked.to", "note");
        Map<String, String> shadow = new HashMap<>(rules);
        shadow.put("highway.guard.mode", "shadow");

        Shop enforced = ruled(rules, tunnel);
        assertThatThrownBy(() -> Highway.to("beijing").run(() -> enforced.sell("tea")))
                .isInstanceOf(HighwayException.class);
        JsonNode refused = trail.end("in");
        assertThat(text(refused, "decision")).isEqualTo("refuse");
        assertThat(text(refused, "rule")).isEqualTo("no-tea");
        assertThat(text(refused, "reason")).isEqualTo("denied");

        trail.forget();
        Highway.to("beijing").run(() -> enforced.note("tea"));
        JsonNode marked = trail.end("in");
        assertThat(text(marked, "decision")).isEqualTo("serve");
        assertThat(text(marked, "rule")).isEqualTo("marked");
        assertThat(text(marked, "reason")).isNull();

        trail.forget();
        Shop watched = ruled(shadow, tunnel);
        Highway.to("beijing").run(() -> watched.sell("tea"));
        JsonNode spared = trail.end("in");
        assertThat(text(spared, "decision")).isEqualTo("shadow");
        assertThat(text(spared, "rule")).isEqualTo("no-tea");
        assertThat(text(spared, "reason")).isEqualTo("denied");
        assertThat(text(spared, "outcome")).isEqualTo("delivered");
        assertThat(spared.get("sent").asBoolean()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(Tunnel.class)
    void auditsCallsWithoutHeaders_thatShadowModeSpares(Tunnel tunnel) {
        TestIsland watched = star.closing(new TestIsland(
                "beijing",
                Map.of(
                        "highway.island",
                        "beijing",
                        "highway.guard.home",
                        "127.0.0.99",
                        "highway.guard.mode",
                        "shadow")));

        assertThat(stranger(watched, tunnel).sell("tea")).isEqualTo("beijing:tea");

        JsonNode in = trail.end("in");
        assertThat(text(in, "decision")).isEqualTo("shadow");
        assertThat(text(in, "reason")).isEqualTo("headers-missing");
        assertThat(text(in, "outcome")).isEqualTo("delivered");
        assertThat(text(in, "from.island")).isNull();
    }

    /** An application without the SDK that calls the providers of an island directly. */
    private static Shop stranger(TestIsland island, Tunnel tunnel) {
        return star.closing(new TestApplication("zhejiang", Map.of("highway.enabled", "false")))
                .reference(
                        Shop.class,
                        config -> config.setUrl(
                                tunnel == Tunnel.DUBBO
                                        ? "dubbo://" + island.dubboAddress
                                        : "tri://" + island.tripleAddress))
                .get();
    }

    private static Shop ruled(Map<String, String> rules, Tunnel tunnel) {
        TestIsland island = star.closing(new TestIsland("beijing", rules));
        return ShopReferences.of(
                        consumer(tunnel, "highway.islands.beijing.gateways." + tunnel.key(), island.gatewayAddress()),
                        star.homeDubbo)
                .typed();
    }

    @ParameterizedTest
    @EnumSource(Tunnel.class)
    void auditsWhatIsRefusedForLackOfHeaders(Tunnel tunnel) {
        TestIsland closed = star.closing(
                new TestIsland("beijing", Map.of("highway.island", "beijing", "highway.guard.home", "127.0.0.99")));

        Shop shop = stranger(closed, tunnel);
        assertThatThrownBy(() -> shop.sell("tea")).isInstanceOf(RuntimeException.class);

        JsonNode in = trail.end("in");
        assertThat(text(in, "decision")).isEqualTo("refuse");
        assertThat(text(in, "from.island")).isNull();
        assertThat(text(in, "to.island")).isEqualTo("beijing");
        assertThat(text(in, "reason")).isNotEmpty();
        assertThat(in.get("sent").asBoolean()).isFalse();
        assertThat(closed.shop.received).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"zhejiang/zhejiang-app, application", "zhejiang/*, island", "*/zhejiang-app,"})
    void saysWhatTheSignatureProves(String from, String verified) {
        TestIsland island = star.closing(new TestIsland(
                "yunnan",
                Map.of(
                        "highway.island", "yunnan",
                        "highway.sign.accept.k-1", "a-secret",
                        "highway.sign.accept-from.k-1", from)));
        for (Tunnel tunnel : Tunnel.values()) {
            trail.forget();
            TestApplication consumer = consumer(
                    tunnel,
                    "highway.islands.yunnan.gateways." + tunnel.key(),
                    island.gatewayAddress(),
                    "highway.sign.key-id",
                    "k-1",
                    "highway.sign.secret",
                    "a-secret");
            Shop shop = ShopReferences.of(consumer, star.homeDubbo).typed();

            Highway.to("yunnan").run(() -> shop.sell("tea"));

            JsonNode in = trail.end("in");
            assertThat(text(in, "from.key")).isEqualTo("k-1");
            assertThat(text(in, "from.verified")).isEqualTo(verified);
            assertThat(text(in, "from.island")).isEqualTo("zhejiang");
            assertThat(in.toString()).doesNotContain("secret");
        }
    }

    @ParameterizedTest
    @MethodSource("tunnelsAndModes")
    void auditsWhatHomeServesInstead(Tunnel tunnel, Mode mode) {
        for (String island : List.of("atlantis", "hub")) { // not forwarded; no gateway is connected
            trail.forget();

            assertThat(sell(island, tunnel, mode)).isNull();

            JsonNode out = trail.end("out");
            assertThat(text(out, "to.island")).isEqualTo(island);
            assertThat(text(out, "outcome")).isEqualTo("not-sent");
            assertThat(text(out, "fallback")).isEqualTo("home");
            assertThat(out.get("sent").asBoolean()).isFalse();
            assertThat(trail.lines()).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource(Tunnel.class)
    void tellsThatACallMayHaveRun(Tunnel tunnel) {
        Shop impatient = star.reference(
                Shop.class,
                star.properties(tunnel, "highway.defaults.timeout", "300ms"),
                config -> config.setCheck(false));

        await().atMost(Duration.ofSeconds(20)).until(() -> answers(impatient));
        trail.awaitEnds("in", 1);
        trail.forget();

        assertThatThrownBy(() -> Highway.to("shanghai").call(() -> impatient.slow(600)))
                .isInstanceOf(HighwayException.class);

        JsonNode out = trail.end("out");
        assertThat(text(out, "outcome")).isEqualTo("sent-unknown");
        assertThat(text(out, "reason")).isEqualTo("timeout");
        assertThat(out.get("sent").asBoolean()).isTrue();
        JsonNode in = trail.end("in");
        assertThat(text(in, "outcome")).isEqualTo("delivered");
        assertThat(in.get("millis").asLong()).isGreaterThanOrEqualTo(600);
    }

    private static boolean answers(Shop shop) {
        return catchThrowable(() -> Highway.to("shanghai").call(() -> shop.sell("tea"))) == null;
    }

    /** 3.2 answers refusals over Triple with a message, which proves nothing. */
    private static boolean provesRefusals(Tunnel tunnel) {
        return tunnel == Tunnel.DUBBO || Version.getVersion().startsWith("3.3");
    }

    @ParameterizedTest
    @EnumSource(Tunnel.class)
    void auditsNoCallThatStaysHome(Tunnel tunnel) {
        assertThat(SHOPS.get(tunnel).typed().sell("tea")).startsWith("zhejiang");
        assertThat(Highway.home().call(() -> SHOPS.get(tunnel).typed().sell("tea")))
                .startsWith("zhejiang");
        assertThat(sell("shanghai", tunnel, Mode.SYNC)).isNull();

        assertThat(text(trail.end("out"), "to.island")).isEqualTo("shanghai");
        trail.end("in");
        assertThat(trail.lines()).hasSize(2);
    }

    @ParameterizedTest
    @MethodSource("tunnelsAndModes")
    void writesALineBeforeACallRuns_ifAuditStartIsSet(Tunnel tunnel, Mode mode) throws Throwable {
        ShopReferences shop = ShopReferences.of(consumer(tunnel, "highway.audit.start", "true"), star.homeDubbo);

        String answer = Highway.to("shanghai").callChecked(() -> mode.sell(shop.typed(), shop.generic(), "tea"));

        assertThat(answer).isEqualTo("shanghai:tea");
        JsonNode end = trail.end("out");
        JsonNode start = trail.awaitLine(line -> text(line, "event").equals("start"));
        assertThat(start.get("to")).isEqualTo(end.get("to"));
        assertThat(start.has("outcome")).isFalse();
        assertThat(trail.lines().indexOf(start)).isLessThan(trail.lines().indexOf(end));
    }

    /** A stream's line is written when it ends, whichever side it streams from. */
    @Test
    void auditsStreamsAtTheirEnd() throws Exception {
        Feed feed = feed();
        Collected<String> answers = new Collected<>();

        StreamObserver<String> questions = feed.join(answers);
        questions.onNext("a");
        await().atMost(Duration.ofSeconds(10)).until(() -> !answers.values.isEmpty());
        assertThat(trail.lines()).isEmpty();
        questions.onCompleted();
        assertThat(answers.done.get(10, TimeUnit.SECONDS)).containsExactly("shanghai:a");

        assertThat(text(trail.end("out"), "outcome")).isEqualTo("delivered");
        JsonNode in = trail.end("in");
        assertThat(text(in, "outcome")).isEqualTo("delivered");
        assertThat(text(in, "to.method")).isEqualTo("join");

        trail.forget();
        Collected<String> counted = new Collected<>();
        feed.count(100, counted);
        assertThat(counted.done.get(10, TimeUnit.SECONDS)).hasSize(100);
        trail.end("out");
        assertThat(text(trail.end("in"), "to.method")).isEqualTo("count");
    }

    private enum Cancelling {
        BY_THE_ANSWERS,
        BY_THE_REQUESTS,
        BY_AN_ERROR
    }

    @ParameterizedTest
    @EnumSource
    void tellsThatAStreamWasCancelled(Cancelling cancelling) throws InterruptedException {
        Feed feed = feed();
        CountDownLatch begun = new CountDownLatch(1);
        CancelableStreamObserver<String> answers = new CancelableStreamObserver<>() {
            @Override
            public void onNext(String answer) {
                begun.countDown();
            }

            @Override
            public void onError(Throwable error) {
                // only the cancellation counts
            }

            @Override
            public void onCompleted() {
                // only the cancellation counts
            }
        };

        StreamObserver<String> questions = feed.join(answers);
        questions.onNext("a");
        assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
        Exception enough = new IllegalStateException("enough");
        switch (cancelling) {
            case BY_THE_ANSWERS -> answers.cancel(enough);
            case BY_THE_REQUESTS -> ((ClientCallToObserverAdapter<String>) questions).cancel(enough);
            case BY_AN_ERROR -> questions.onError(enough);
        }

        JsonNode out = trail.end("out");
        assertThat(text(out, "outcome")).isEqualTo("sent-unknown");
        assertThat(out.get("sent").asBoolean()).isTrue();
        JsonNode in = trail.end("in");
        assertThat(text(in, "outcome")).isEqualTo("sent-unknown");
        assertThat(text(in, "reason")).isEqualTo("cancelled");
        assertThat(in.get("sent").asBoolean()).isTrue();
    }

    private static Feed feed() {
        return Highway.to("shanghai")
                .bind(Feed.class, star.reference(Feed.class, star.properties(Tunnel.TRIPLE), config -> {
                    config.setUrl("tri://" + star.shanghai.tripleAddress);
                    config.setCheck(false);
                }));
    }

    @ParameterizedTest
    @MethodSource("tunnelsAndModes")
    void refusesCalls_beforeTheyAreSent_whenTheBufferIsFull(Tunnel tunnel, Mode mode) {
        TestApplication consumer = consumer(tunnel, "highway.audit.overflow", "refuse");
        ShopReferences shop = ShopReferences.of(consumer, star.homeDubbo);
        AuditTrail.leavePlaces(consumer.model(), 1);
        trail.stick();
        try {
            assertThat(catchThrowable(() ->
                            Highway.to("shanghai").callChecked(() -> mode.sell(shop.typed(), shop.generic(), "tea"))))
                    .isNull();
            star.shanghai.shop.received.clear();

            Throwable refused = catchThrowable(
                    () -> Highway.to("shanghai").callChecked(() -> mode.sell(shop.typed(), shop.generic(), "tea")));

            assertThat(refused).isInstanceOfSatisfying(HighwayException.class, e -> {
                assertThat(e.reason()).isEqualTo(Reason.BUSY);
                assertThat(e.mayHaveRun()).isFalse();
                assertThat(e).hasMessageContaining("highway.audit.overflow is refuse");
            });
            assertThat(star.shanghai.shop.received).isEmpty();
            assertThat(AuditTrail.lost(consumer.model())).isOne();
        } finally {
            trail.release();
        }
        trail.end("out");
    }

    /** Event loops answer asynchronous calls: they would wait for the logger otherwise. */
    @ParameterizedTest
    @MethodSource("tunnelsAndModes")
    void countsLinesAndBlocksNoCall_whenTheLoggerIsStuck(Tunnel tunnel, Mode mode) throws Throwable {
        TestApplication consumer = consumer(tunnel);
        ShopReferences shop = ShopReferences.of(consumer, star.homeDubbo);
        AuditTrail.leavePlaces(consumer.model(), 20);
        trail.stick();
        try {
            for (int i = 0; i < 50; i++) {
                assertThat(Highway.to("shanghai")
                                .<String, Throwable>callChecked(() -> mode.sell(shop.typed(), shop.generic(), "tea")))
                        .isEqualTo("shanghai:tea");
            }

            assertThat(AuditTrail.lost(consumer.model())).isEqualTo(30);
            assertThat(trail.lines()).isEmpty();
        } finally {
            trail.release();
        }
        trail.awaitEnds("in", 50);
        assertThat(trail.awaitEnds("out", 20)).hasSize(20);
    }

    @ParameterizedTest
    @MethodSource("tunnelsAndModes")
    void refusesAtTheDestination_beforeTheServiceRuns_whenTheBufferThereIsFull(Tunnel tunnel, Mode mode) {
        try (FullIsland full = FullIsland.of(tunnel)) {
            ShopReferences shop = full.shop;

            Throwable refused = catchThrowable(
                    () -> Highway.to("sichuan").callChecked(() -> mode.sell(shop.typed(), shop.generic(), "tea")));

            assertThat(refused).isInstanceOfSatisfying(HighwayException.class, e -> assertThat(e.mayHaveRun())
                    .isEqualTo(!provesRefusals(tunnel)));
            assertThat(refused).hasMessageContaining("highway.audit.overflow is refuse");
            assertThat(full.island.shop.received).isEmpty();
            JsonNode out = trail.end("out");
            assertThat(out.get("sent").asBoolean()).isEqualTo(!provesRefusals(tunnel));
        }
    }

    /** An island without a free place, for one tunnel. */
    private record FullIsland(TestIsland island, ShopReferences shop) implements AutoCloseable {

        private static final Map<Tunnel, FullIsland> KNOWN = new EnumMap<>(Tunnel.class);

        static FullIsland of(Tunnel tunnel) {
            return KNOWN.computeIfAbsent(tunnel, any -> {
                TestIsland island = star.closing(new TestIsland(
                        "sichuan", Map.of("highway.island", "sichuan", "highway.audit.overflow", "refuse")));
                AuditTrail.leavePlaces(island.application.model(), 0);
                TestApplication consumer =
                        consumer(tunnel, "highway.islands.sichuan.gateways." + tunnel.key(), island.gatewayAddress());
                return new FullIsland(island, ShopReferences.of(consumer, star.homeDubbo));
            });
        }

        @Override
        public void close() {
            // with the star
        }
    }

    /** Under load, and with failures: what ran is what the lines of the destination say. */
    @ParameterizedTest
    @EnumSource(Tunnel.class)
    void hasOneLineOfEachCall_underLoad(Tunnel tunnel) throws InterruptedException {
        int each = 200;
        List<Thread> callers = new ArrayList<>();
        for (Mode mode : Mode.values()) {
            callers.add(new Thread(() -> {
                for (int i = 0; i < each; i++) {
                    sell(i % 10 == 9 ? "guangdong" : "shanghai", tunnel, mode);
                }
            }));
        }
        callers.forEach(Thread::start);
        for (Thread caller : callers) {
            caller.join(60_000);
        }

        int calls = each * Mode.values().length;
        trail.awaitEnds("out", calls);
        List<JsonNode> in = trail.awaitEnds("in", calls);
        int ran = star.shanghai.shop.received.size() + guarded.shop.received.size();
        assertThat(ran).isEqualTo(calls * 9 / 10);
        assertThat(in.stream().filter(line -> line.get("sent").asBoolean())).hasSize(ran);
        assertThat(trail.lines()).hasSize(2 * calls);
    }

    /** A gateway's references to a provider whose service, or a filter of it, is not as others. */
    private static ShopReferences peculiar(Tunnel tunnel, Shop service, String filter, String... more) {
        return peculiar(tunnel, "300ms", service, filter, more);
    }

    private static ShopReferences peculiar(Tunnel tunnel, String timeout, Shop service, String filter, String... more) {
        Map<String, String> keys = new HashMap<>(Map.of("highway.island", "yunnan"));
        for (int i = 0; i < more.length; i += 2) {
            keys.put(more[i], more[i + 1]);
        }
        TestApplication provider = star.closing(new TestApplication("yunnan", keys));
        String dubbo = provider.listen("dubbo");
        String triple = provider.listen("tri");
        provider.export(Shop.class, service, config -> config.setFilter(filter)).start();
        Gateway gateway = Gateway.start(GatewayConfig.builder()
                .island("yunnan")
                .listen("gateway.yunnan.test", 0)
                .providers("yunnan", "*", List.of(dubbo), List.of(triple))
                .build());
        star.closing((AutoCloseable) gateway::closeNow);
        TestApplication consumer = consumer(
                tunnel,
                "highway.islands.yunnan.gateways." + tunnel.key(),
                "gateway.yunnan.test:" + gateway.port(),
                "highway.islands.yunnan.timeout",
                timeout,
                "highway.islands.yunnan.breaker.failure-rate",
                "none",
                "highway.audit.start",
                keys.getOrDefault("highway.audit.start", "false"));
        return ShopReferences.of(consumer, star.homeDubbo);
    }

    @ParameterizedTest
    @EnumSource(Tunnel.class)
    void hasALineOfEachCall_whateverAFilterThrowsAfterIt(Tunnel tunnel) throws Throwable {
        ShopKeeper keeper = new ShopKeeper("yunnan");
        ShopReferences shop = peculiar(tunnel, keeper, "hostile", "highway.audit.overflow", "refuse");
        try {
            for (HostileFilter.Act act : HostileFilter.Act.values()) {
                HostileFilter.act = act;
                trail.forget();
                keeper.received.clear();
                for (Mode mode : Mode.values()) {
                    Throwable unused = catchThrowable(() ->
                            Highway.to("yunnan").callChecked(() -> mode.sell(shop.typed(), shop.generic(), "tea")));
                }

                assertThat(keeper.received).as("%s", act).hasSize(Mode.values().length);
                List<JsonNode> in = trail.awaitEnds("in", keeper.received.size());
                assertThat(in).as("%s", act).hasSize(keeper.received.size()).allSatisfy(line -> assertThat(
                                line.get("sent").asBoolean())
                        .isTrue());
                trail.awaitEnds("out", keeper.received.size());
            }
        } finally {
            HostileFilter.act = HostileFilter.Act.RETURNS;
        }
    }

    /** Nor are rules and lines an affair of Dubbo's filters. */
    @ParameterizedTest
    @EnumSource(Tunnel.class)
    void hasALineOfEachCall_whereTheServiceHasNoFilters(Tunnel tunnel) throws Throwable {
        ShopKeeper keeper = new ShopKeeper("yunnan");
        ShopReferences shop = peculiar(
                tunnel,
                "10s",
                keeper,
                "-default",
                "highway.guard.rules.selling.action",
                "allow",
                "highway.guard.rules.selling.to",
                Shop.class.getName() + "#sell*");

        shop.typed().sell("unrouted");
        Highway.to("yunnan").callChecked(() -> shop.typed().sell("tea"));
        assertThatThrownBy(() ->
                        Highway.to("yunnan").callChecked(() -> shop.typed().refuse("denied")))
                .isInstanceOf(HighwayException.class);

        assertThat(trail.awaitEnds("in", 2))
                .extracting(
                        line -> text(line, "to.method") + " " + line.get("sent").asBoolean())
                .containsExactlyInAnyOrder("sell true", "refuse false");
        assertThat(keeper.received).extracting(ShopKeeper.Received::method).containsExactly("sell");
    }

    /** Nobody knows how it ends, but that it may have run. */
    @ParameterizedTest
    @EnumSource(Tunnel.class)
    void endsACall_thatTheServiceNeverAnswers(Tunnel tunnel) {
        Shop never = new ForwardingShop() {
            @Override
            public String sell(String item) {
                throw new UnsupportedOperationException();
            }

            @Override
            public CompletableFuture<String> sellLater(String item) {
                return new CompletableFuture<>();
            }
        };
        Shop shop = peculiar(tunnel, never, null).typed();

        assertThatThrownBy(() -> Highway.to("yunnan")
                        .callChecked(() -> shop.sellLater("tea").get(10, TimeUnit.SECONDS)))
                .isInstanceOf(Exception.class);

        JsonNode in = trail.end("in");
        assertThat(text(in, "outcome")).isEqualTo("sent-unknown");
        assertThat(text(in, "reason")).isEqualTo("unknown");
        assertThat(in.get("sent").asBoolean()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(Tunnel.class)
    void writesTheStartLines_beforeTheCallRuns(Tunnel tunnel) throws Throwable {
        List<List<String>> known = new CopyOnWriteArrayList<>();
        Shop service = new ForwardingShop() {
            @Override
            public String sell(String item) {
                known.add(trail.lines().stream()
                        .map(line -> text(line, "direction") + " " + text(line, "event"))
                        .toList());
                return item;
            }

            @Override
            public CompletableFuture<String> sellLater(String item) {
                return CompletableFuture.completedFuture(sell(item));
            }
        };
        ShopReferences shop = peculiar(tunnel, service, null, "highway.audit.start", "true");

        for (Mode mode : Mode.values()) {
            for (int i = 0; i < 5; i++) {
                trail.forget();
                assertThat(Highway.to("yunnan")
                                .<String, Throwable>callChecked(() -> mode.sell(shop.typed(), shop.generic(), "tea")))
                        .isEqualTo("tea");
                trail.end("in");
            }
        }

        assertThat(known).hasSize(5 * Mode.values().length).allSatisfy(lines -> assertThat(lines)
                .contains("out start", "in start"));
    }

    private static Feed feedOf(TestApplication consumer, TestIsland sichuan) {
        Feed feed = consumer.reference(Feed.class, config -> {
                    config.setUrl("tri://" + sichuan.tripleAddress);
                    config.setCheck(false);
                })
                .get();
        return Highway.to("sichuan").bind(Feed.class, feed);
    }

    /** Not even where a call without a place is refused. */
    @Test
    void takesNoPlace_forStreamsThatAreIdle() throws Exception {
        TestIsland island = star.closing(
                new TestIsland("sichuan", Map.of("highway.island", "sichuan", "highway.audit.overflow", "refuse")));
        TestApplication consumer =
                consumer(Tunnel.TRIPLE, "highway.islands.sichuan.gateways.triple", island.gatewayAddress());
        Feed feed = feedOf(consumer, island);
        Shop shop = ShopReferences.of(consumer, star.homeDubbo).typed();
        AuditTrail.leavePlaces(island.application.model(), 10);
        List<Collected<String>> answers = new ArrayList<>();
        List<StreamObserver<String>> streams = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            Collected<String> answer = new Collected<>();
            answers.add(answer);
            streams.add(feed.join(answer));
            streams.get(i).onNext("a");
        }
        await().atMost(Duration.ofSeconds(10))
                .until(() -> answers.stream().noneMatch(answer -> answer.values.isEmpty()));

        assertThat(Highway.to("sichuan").call(() -> shop.sell("tea"))).isEqualTo("sichuan:tea");
        streams.forEach(StreamObserver::onCompleted);

        assertThat(trail.awaitEnds("in", 61)).hasSize(61);
        assertThat(AuditTrail.lost(island.application.model())).isZero();
    }

    /** Before the connections end: nothing else would. */
    @Test
    void endsIdleStreams_whenTheTrailEnds() {
        TestIsland island = star.closing(new TestIsland("sichuan", Map.of("highway.island", "sichuan")));
        TestApplication consumer =
                consumer(Tunnel.TRIPLE, "highway.islands.sichuan.gateways.triple", island.gatewayAddress());
        Feed feed = feedOf(consumer, island);
        Collected<String> answers = new Collected<>();
        feed.join(answers).onNext("a");
        await().atMost(Duration.ofSeconds(10)).until(() -> !answers.values.isEmpty());

        AuditLog.of(island.application.model()).close();

        JsonNode in = trail.end("in");
        assertThat(text(in, "outcome")).isEqualTo("sent-unknown");
        assertThat(text(in, "reason")).isEqualTo("unknown");
    }

    @Test
    void endsTheStreamsOfAClientThatLeaves() {
        // with its last application the framework model ends, and with that all Triple servers
        FrameworkModel framework = new FrameworkModel();
        star.closing(new TestApplication(framework, "zhejiang", Map.of("highway.enabled", "false")));
        TestApplication consumer = new TestApplication(framework, "zhejiang", star.properties(Tunnel.TRIPLE));
        Feed feed = Highway.to("shanghai")
                .bind(
                        Feed.class,
                        consumer.reference(Feed.class, config -> {
                                    config.setUrl("tri://" + star.shanghai.tripleAddress);
                                    config.setCheck(false);
                                })
                                .get());
        Collected<String> answers = new Collected<>();
        feed.join(answers).onNext("a");
        await().atMost(Duration.ofSeconds(10)).until(() -> !answers.values.isEmpty());

        consumer.stop();

        JsonNode in = trail.end("in");
        assertThat(text(in, "outcome")).isEqualTo("sent-unknown");
        assertThat(text(in, "reason")).isEqualTo("cancelled");
    }

    /** The request of a server stream has ended, the answer has not. */
    @ParameterizedTest
    @CsvSource({"false, false, false", "true, false, false", "true, true, false", "false, true, true"})
    void endsAServerStream_asItEnds(boolean isReset, boolean callsOthers, boolean completes) {
        AtomicReference<Shop> other = new AtomicReference<>();
        Feed service = new ShopKeeper("yunnan") {
            @Override
            public void count(Integer to, StreamObserver<String> answers) {
                if (callsOthers) {
                    other.get().sell("tea");
                }
                answers.onNext("a");
                if (completes) {
                    answers.onCompleted();
                }
            }
        };
        TestApplication provider =
                star.closing(new TestApplication("yunnan", star.properties(Tunnel.TRIPLE, "highway.island", "yunnan")));
        String triple = provider.listen("tri");
        provider.export(Feed.class, service, any -> {}).start();
        other.set(provider.reference(Shop.class, config -> config.setUrl("tri://" + star.shanghai.tripleAddress))
                .get());
        int port = Integer.parseInt(triple.substring(triple.lastIndexOf(':') + 1));
        try (FaultyLinks links = new FaultyLinks()) {
            FaultyLink link = links.link(0, port);
            TestApplication consumer =
                    consumer(Tunnel.TRIPLE, "highway.islands.yunnan.gateways.triple", "127.0.0.1:" + link.port());
            Feed feed = Highway.to("yunnan")
                    .bind(
                            Feed.class,
                            consumer.reference(Feed.class, config -> {
                                        config.setUrl("tri://127.0.0.1:9");
                                        config.setCheck(false);
                                    })
                                    .get());
            Collected<String> answers = new Collected<>();
            feed.count(1, answers);
            await().atMost(Duration.ofSeconds(10)).until(() -> !answers.values.isEmpty());

            if (isReset) {
                link.reset();
            } else if (!completes) {
                link.close();
            }

            JsonNode in = trail.end("in");
            assertThat(text(in, "outcome")).isEqualTo(completes ? "delivered" : "sent-unknown");
            assertThat(text(in, "reason")).isEqualTo(completes ? null : "cancelled");
        }
    }

    @ParameterizedTest
    @EnumSource(Tunnel.class)
    void losesNoLine_whenTheApplicationStops(Tunnel tunnel) {
        // with its last application the framework model ends, and with that all Triple servers
        FrameworkModel framework = new FrameworkModel();
        star.closing(new TestApplication(framework, "zhejiang", Map.of("highway.enabled", "false")));
        TestApplication consumer = new TestApplication(framework, "zhejiang", star.properties(tunnel));
        Shop shop = ShopReferences.of(consumer, star.homeDubbo).typed();
        for (int i = 0; i < 200; i++) {
            Highway.to("shanghai").run(() -> shop.sell("tea"));
        }

        consumer.stop();

        assertThat(trail.ends("out")).hasSize(200);
    }
}
