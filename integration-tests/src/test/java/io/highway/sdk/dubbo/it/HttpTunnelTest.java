// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import io.highway.sdk.Highway;
import io.highway.sdk.HighwayAttachments;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.HighwayOutcome;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.it.CuttingRelay.Exchange;
import io.highway.tools.fixtures.faults.FaultyLink;
import io.highway.tools.fixtures.faults.FaultyLinks;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.config.MethodConfig;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.TimeoutCountDown;
import org.apache.dubbo.rpc.service.GenericService;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls by HTTP: to a real provider, and to a server that answers as gateways may. */
@Tag("network")
@Tag("any-dubbo")
class HttpTunnelTest {

    /** More than a call has bytes. */
    private static final int CUTS = 700;

    private static final int REPEATED = 10_000;
    private static final int AT_ONCE = 200;

    private static GuardedIsland shanghai;
    private static FaultyLinks links;
    private HttpBridge bridge;

    @BeforeAll
    static void start() {
        shanghai = new GuardedIsland();
        links = new FaultyLinks();
    }

    @AfterEach
    void forget() {
        if (bridge != null) {
            bridge.close();
        }
        RpcContext.removeContext();
        shanghai.shop.received.clear();
    }

    @AfterAll
    static void stop() {
        links.close();
        shanghai.close();
    }

    private static TestApplication caller(String gateway, String... more) {
        String[] keys = {"highway.gateways.http", gateway, "highway.islands.shanghai.tunnel", "http"};
        return shanghai.caller(
                "zhejiang",
                Tunnel.DUBBO,
                Stream.concat(Arrays.stream(keys), Arrays.stream(more)).toArray(String[]::new));
    }

    private static Shop shop(String gateway, String... more) {
        return ShopReferences.of(caller(gateway, more), shanghai.dubboAddress).typed();
    }

    private Shop shopBehindABridge(String... more) {
        bridge = new HttpBridge(shanghai.gatewayAddress());
        return shop(bridge.address(), more);
    }

    private static String sell(Shop shop) {
        return sell(shop, "tea");
    }

    private static String sell(Shop shop, String item) {
        RpcContext.getClientAttachment().setAttachment(HighwayAttachments.ISLAND, "shanghai");
        return shop.sell(item);
    }

    private static int executed() {
        return shanghai.shop.received.size();
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void callsAProvider_inEveryMode(Mode mode) throws Throwable {
        TestApplication caller = caller(shanghai.httpAddress);
        ShopReferences references = ShopReferences.of(caller, shanghai.dubboAddress);
        Shop shop = references.typed();
        GenericService generic = references.generic();

        RpcContext.getClientAttachment().setAttachment(HighwayAttachments.ISLAND, "shanghai");
        assertThat(mode.sell(shop, generic, "tea")).isEqualTo("shanghai:tea");
        RpcContext.getClientAttachment().setAttachment(HighwayAttachments.ISLAND, "shanghai");
        assertThatExceptionOfType(Throwable.class)
                .isThrownBy(() -> mode.refuse(shop, generic, "why"))
                .satisfies(thrown -> assertThat(String.valueOf(thrown)).contains("shanghai:why"));
    }

    @Test
    void carriesAttachmentsBack_andSaysWhichTunnelItWas() {
        Shop shop = shop(shanghai.httpAddress);

        assertThat(sell(shop)).isEqualTo("shanghai:tea");
        assertThat(RpcContext.getClientResponseContext().getAttachment("shop-island"))
                .isEqualTo("shanghai");
        assertThat(HighwayOutcome.last()).get().satisfies(last -> assertThat(last.tunnel())
                .isEqualTo(TunnelKind.HTTP));
        assertThat(shanghai.shop.received).singleElement().satisfies(call -> assertThat(call.caller())
                .hasToString("zhejiang/zhejiang-app"));
    }

    @Test
    void writesAShortHead_whichNamesTheCall() {
        assertThat(sell(shopBehindABridge())).isEqualTo("shanghai:tea");

        assertThat(bridge.posted)
                .filteredOn(call -> call.path().endsWith("/sell"))
                .singleElement()
                .satisfies(call -> {
                    assertThat(call.path()).isEqualTo("/highway/shanghai/" + Shop.class.getName() + "/sell");
                    assertThat(call.header("Highway-island")).isEqualTo("shanghai");
                    assertThat(call.header("Highway-from")).isEqualTo("zhejiang/zhejiang-app/1");
                    assertThat(call.header("Highway-call-id")).matches("[0-9a-f]{32}");
                    assertThat(Integer.parseInt(call.header("Highway-timeout"))).isBetween(1, 10_000);
                });
    }

    @Test
    void needsFewBytesBesideTheFrames() {
        try (CuttingRelay relay = new CuttingRelay(shanghai.httpAddress)) {
            Shop shop = shop(relay.address());
            RpcContext.getClientAttachment().setAttachment(HighwayAttachments.ISLAND, "shanghai");
            assertThat(shop.sell("tea ".repeat(512))).startsWith("shanghai:tea");

            Exchange call = relay.calls.remove();
            assertThat(Exchange.head(call.request())).hasSizeLessThanOrEqualTo(350);
            assertThat(Exchange.head(call.answer())).hasSizeLessThanOrEqualTo(150);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "zstd"})
    void compressesRequestsAndAnswers(String compression) {
        FaultyLink link = links.link(shanghai.httpAddress);
        Shop shop = shop(FaultyStar.address(link.port()), "highway.islands.shanghai.compression", compression);
        assertThat(sell(shop)).isEqualTo("shanghai:tea");
        byte[] content = "tea and rice; ".repeat(10_000).getBytes(StandardCharsets.UTF_8);
        long before = link.traffic().sum();
        RpcContext.getClientAttachment().setAttachment(HighwayAttachments.ISLAND, "shanghai");

        assertThat(shop.pack(content)).isEqualTo(content);
        assertThat(link.traffic().sum() - before).isLessThan(content.length / 10);
    }

    @Test
    void readsNoAnswer_thatIsLargerThanTheBound() {
        Shop shop = shopBehindABridge("highway.max-buffered", "1MB", "highway.islands.shanghai.timeout", "3s");
        assertThat(sell(shop)).isEqualTo("shanghai:tea");
        bridge.answers((exchange, frame) -> HttpBridge.answer(exchange, new byte[2 * 1024 * 1024]));

        assertThatExceptionOfType(HighwayException.class)
                .isThrownBy(() -> sell(shop))
                .satisfies(thrown ->
                        assertThat(thrown.reason()).as(thrown.getMessage()).isEqualTo(Reason.CONNECTION_LOST))
                .satisfies(thrown -> assertThat(thrown.mayHaveRun()).isTrue());
        bridge.answers((exchange, frame) -> HttpBridge.answer(exchange, bridge.ask(frame)));
        assertThat(sell(shop)).isEqualTo("shanghai:tea");
    }

    /** Answers of gateways, and what they prove. */
    enum GatewayAnswer {
        NOT_FORWARDED(Reason.NOT_FORWARDED, false, with("highway-not-forwarded", "shanghai; no healthy upstream", 502)),
        NOT_FORWARDED_TO_ANOTHER_ISLAND(
                Reason.REMOTE_FAILURE, true, with("highway-not-forwarded", "beijing; no healthy upstream", 502)),
        REFUSED(Reason.REFUSED_THERE, false, with("highway-refused", "shanghai;not-allowed", 200)),
        BUSY(Reason.BUSY, false, with("highway-refused", "shanghai;busy", 200)),
        REPEATED(Reason.GATEWAY_ERROR, true, with("highway-refused", "shanghai;repeated", 200)),
        REPLAYED(Reason.GATEWAY_ERROR, true, with("highway-refused", "shanghai;replayed", 200)),
        BAD_GATEWAY(Reason.GATEWAY_ERROR, true, with("content-type", "text/html", 502, 3, 3)),
        A_PAGE(Reason.GATEWAY_ERROR, true, with("content-type", "text/html", 200, 3, 3)),
        ANOTHER_FRAME(Reason.GATEWAY_ERROR, true, (exchange, unused) -> {
            byte[] frame = new byte[20];
            frame[0] = (byte) 0xda;
            frame[1] = (byte) 0xbb;
            frame[15] = 4;
            HttpBridge.answer(exchange, frame);
        }),
        CUT(Reason.CONNECTION_LOST, true, with("content-type", "application/x-dubbo", 200, 100, 50));

        private final Reason reason;
        private final boolean mayHaveRun;
        private final HttpBridge.Handler answer;

        GatewayAnswer(Reason reason, boolean mayHaveRun, HttpBridge.Handler answer) {
            this.reason = reason;
            this.mayHaveRun = mayHaveRun;
            this.answer = answer;
        }

        private static HttpBridge.Handler with(String name, String value, int status) {
            return with(name, value, status, -1, 0);
        }

        /** With a body of these bytes, of which fewer may be sent. */
        private static HttpBridge.Handler with(String name, String value, int status, int length, int sent) {
            return (exchange, unused) -> {
                exchange.getResponseHeaders().set(name, value);
                exchange.sendResponseHeaders(status, length);
                exchange.getResponseBody().write(new byte[sent]);
            };
        }
    }

    @ParameterizedTest
    @EnumSource(GatewayAnswer.class)
    void knowsWhatAnAnswerProves(GatewayAnswer answer) {
        Shop shop = shopBehindABridge("highway.heartbeat.interval", "none");
        bridge.answers(answer.answer);

        assertThatExceptionOfType(HighwayException.class)
                .isThrownBy(() -> sell(shop))
                .satisfies(thrown -> {
                    assertThat(thrown.reason()).as(thrown.getMessage()).isEqualTo(answer.reason);
                    assertThat(thrown.mayHaveRun()).isEqualTo(answer.mayHaveRun);
                });
        bridge.answers((exchange, frame) -> HttpBridge.answer(exchange, bridge.ask(frame)));
        assertThat(sell(shop)).isEqualTo("shanghai:tea");
    }

    /** An answer that a gateway sends without a call, between two others of a connection. */
    enum Surplus {
        FRAME,
        COMPRESSED_FRAME,
        REFUSAL
    }

    @ParameterizedTest
    @EnumSource(Surplus.class)
    void getsTheAnswersToItsCalls_afterAGatewayHasSentOneTooMany(Surplus surplus) {
        Shop shop = shopBehindABridge(
                "highway.heartbeat.interval",
                "none",
                "highway.gateways.http-max-connections",
                "1",
                "highway.islands.shanghai.compression",
                "gzip");
        AtomicReference<InetSocketAddress> first = new AtomicReference<>();
        Queue<byte[]> behind = new ConcurrentLinkedQueue<>();
        bridge.answers((exchange, frame) -> {
            byte[] own = bridge.ask(inflated(exchange, frame));
            if (first.compareAndSet(null, exchange.getRemoteAddress())) {
                behind.add(surplus == Surplus.REFUSAL ? new byte[0] : own);
            } else if (first.get().equals(exchange.getRemoteAddress())) {
                behind.add(own);
                own = behind.remove();
            }
            answer(exchange, own, surplus == Surplus.COMPRESSED_FRAME);
        });
        assertThat(sell(shop, "tea")).isEqualTo("shanghai:tea");

        assertThatExceptionOfType(HighwayException.class)
                .isThrownBy(() -> sell(shop, "rice"))
                .satisfies(thrown -> assertThat(thrown.reason())
                        .isEqualTo(surplus == Surplus.REFUSAL ? Reason.BUSY : Reason.GATEWAY_ERROR));
        for (int i = 0; i < 3; i++) {
            assertThat(sell(shop, "salt" + i)).isEqualTo("shanghai:salt" + i);
        }
    }

    private static byte[] inflated(HttpExchange exchange, byte[] frame) throws IOException {
        return exchange.getRequestHeaders().containsKey("highway-encoding")
                ? new GZIPInputStream(new ByteArrayInputStream(frame)).readAllBytes()
                : frame;
    }

    private static void answer(HttpExchange exchange, byte[] frame, boolean isCompressed) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        try (OutputStream out = isCompressed ? new GZIPOutputStream(body) : body) {
            out.write(frame);
        }
        exchange.getResponseHeaders().set(isCompressed ? "highway-encoding" : "unused", "gzip");
        if (frame.length == 0) {
            exchange.getResponseHeaders().set("highway-refused", "shanghai;busy");
        }
        HttpBridge.answer(exchange, body.toByteArray());
    }

    @Test
    void keepsItsConnection_afterAnswers_andCallsWithoutOne() {
        bridge = new HttpBridge(shanghai.gatewayAddress());
        Set<InetSocketAddress> peers = ConcurrentHashMap.newKeySet();
        bridge.answers((exchange, frame) -> {
            peers.add(exchange.getRemoteAddress());
            HttpBridge.answer(exchange, bridge.ask(frame));
        });
        MethodConfig note = new MethodConfig();
        note.setName("note");
        note.setReturn(false);
        Shop shop = caller(bridge.address(), "highway.gateways.http-max-connections", "1")
                .reference(Shop.class, config -> {
                    config.setUrl("dubbo://" + shanghai.dubboAddress);
                    config.setMethods(List.of(note));
                })
                .get();

        for (int i = 0; i < 3; i++) {
            assertThat(sell(shop)).isEqualTo("shanghai:tea");
            RpcContext.getClientAttachment().setAttachment(HighwayAttachments.ISLAND, "shanghai");
            shop.note("tea");
        }
        await().until(() -> bridge.posted.size() == 6);
        assertThat(peers).hasSize(1);
    }

    @Test
    void opensNoMoreConnections_thanItMay_andLetsOtherCallsWait() {
        FaultyLink link = links.link(shanghai.httpAddress);
        Shop shop = shop(FaultyStar.address(link.port()), "highway.gateways.http-max-connections", "3");

        List<CompletableFuture<String>> calls = IntStream.range(0, 30)
                .mapToObj(i -> {
                    RpcContext.getClientAttachment().setAttachment(HighwayAttachments.ISLAND, "shanghai");
                    return shop.sellLater("tea");
                })
                .toList();

        assertThat(calls).allSatisfy(call -> assertThat(call).succeedsWithin(10, TimeUnit.SECONDS));
        assertThat(link.traffic().connections().sum()).isLessThanOrEqualTo(3);
        assertThat(executed()).isEqualTo(30);
    }

    @Test
    void isNotSent_whatFindsNoConnectionInTime() throws Exception {
        Shop shop = shopBehindABridge(
                "highway.gateways.http-max-connections", "1", "highway.islands.shanghai.timeout", "2s");
        CountDownLatch end = new CountDownLatch(1);
        bridge.answers((exchange, frame) -> {
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        RpcContext.getClientAttachment().setAttachment(HighwayAttachments.ISLAND, "shanghai");
        CompletableFuture<String> first = shop.sellLater("tea");
        await().until(() -> bridge.posted.stream().anyMatch(call -> call.path().endsWith("/sellLater")));
        RpcContext.getClientAttachment().setAttachment(HighwayAttachments.ISLAND, "shanghai");
        RpcContext.getClientAttachment()
                .setObjectAttachment(
                        CommonConstants.TIME_COUNTDOWN_KEY, TimeoutCountDown.newCountDown(300, TimeUnit.MILLISECONDS));
        CompletableFuture<String> second = shop.sellLater("rice");

        assertThat(first.handle((sold, thrown) -> mayHaveRun(thrown)))
                .succeedsWithin(5, TimeUnit.SECONDS)
                .isEqualTo(true);
        assertThat(second.handle((sold, thrown) -> mayHaveRun(thrown)))
                .succeedsWithin(5, TimeUnit.SECONDS)
                .isEqualTo(false);
        end.countDown();
    }

    private static boolean mayHaveRun(Throwable thrown) {
        Throwable cause = thrown instanceof HighwayException ? thrown : thrown.getCause();
        return ((HighwayException) cause).mayHaveRun();
    }

    @Test
    void isDown_untilTheGatewayIsBack() {
        FaultyLink link = links.link(shanghai.httpAddress);
        Shop shop = shop(FaultyStar.address(link.port()));
        assertThat(sell(shop)).isEqualTo("shanghai:tea");

        link.refuse();
        link.reset();
        await().untilAsserted(() -> assertThatExceptionOfType(HighwayException.class)
                .isThrownBy(() -> sell(shop))
                .satisfies(thrown -> assertThat(thrown.reason()).isEqualTo(Reason.GATEWAY_DOWN))
                .satisfies(thrown -> assertThat(thrown.mayHaveRun()).isFalse()));
        link.heal();

        await().ignoreExceptions().until(() -> sell(shop).equals("shanghai:tea"));
    }

    @Test
    void losesNothing_whenTheGatewayClosesIdleConnections() {
        FaultyLink link = links.link(shanghai.httpAddress);
        Shop shop = shop(FaultyStar.address(link.port()), "highway.heartbeat.interval", "none");
        for (int i = 0; i < 20; i++) {
            assertThat(sell(shop)).isEqualTo("shanghai:tea");
            long before = link.traffic().connections().sum();
            link.reset();
            await().until(() -> sell(shop).equals("shanghai:tea"));
            assertThat(link.traffic().connections().sum()).isGreaterThanOrEqualTo(before);
        }
        assertThat(executed()).isEqualTo(40);
    }

    @Test
    void needsTriple_forStreams() {
        Feed feed = caller(shanghai.httpAddress)
                .reference(Feed.class, config -> config.setUrl("tri://" + shanghai.tripleAddress))
                .get();
        RpcContext.getClientAttachment().setAttachment(HighwayAttachments.ISLAND, "shanghai");

        assertThatExceptionOfType(HighwayException.class)
                .isThrownBy(() -> feed.count(3, new Collected<>()))
                .satisfies(thrown -> assertThat(thrown.reason()).isEqualTo(Reason.NEEDS_TRIPLE));
    }

    /** "Not sent" never ran, and no call runs twice, wherever its connection is cut. */
    @Test
    void isNeverNotSent_whatRan_whereverTheConnectionIsCut() {
        try (CuttingRelay relay = new CuttingRelay(shanghai.httpAddress)) {
            Shop shop = shop(
                    relay.address(),
                    "highway.heartbeat.interval",
                    "none",
                    "highway.islands.shanghai.breaker.failure-rate",
                    "100");
            List<Called> calls = new ArrayList<>();
            for (int i = 0; i < CUTS; i++) {
                relay.cutRequest(i);
                calls.add(called(shop, i));
            }
            for (int i = 0; i < CUTS; i++) {
                relay.cutAnswer(i);
                calls.add(called(shop, CUTS + i));
            }
            assertThat(calls).anyMatch(call -> call.least == 1).anyMatch(call -> call.most == 1 && call.least == 0);
            await().untilAsserted(() -> calls.forEach(Called::assertRan));
        }
    }

    /** What the application does then may block, and all connections of a process share few of the others. */
    @Test
    void endsAsynchronousCalls_onThreadsOfNoConnection() {
        try (CuttingRelay relay = new CuttingRelay(shanghai.httpAddress)) {
            Shop shop = shop(relay.address(), "highway.heartbeat.interval", "none");
            assertThat(Highway.to("shanghai").call(() -> shop.sell("tea"))).isEqualTo("shanghai:tea");
            relay.cutAnswer(0);

            String thread = Highway.to("shanghai")
                    .call(() -> shop.sellLater("tea"))
                    .handle((answer, failure) ->
                            failure == null ? answer : Thread.currentThread().getName())
                    .join();
            assertThat(thread).doesNotContain("shanghai:", "NettyClientWorker", "highway-gateway");
        }
    }

    @Test
    @Timeout(60)
    void runsNoCallTwice_andAnswersEach_behindAGatewayThatRepeatsEveryPost() {
        try (CuttingRelay relay = new CuttingRelay(shanghai.httpAddress)) {
            relay.repeatCalls();
            Shop shop = shop(relay.address());

            for (int sent = 0; sent < REPEATED; sent += AT_ONCE) {
                Map<String, CompletableFuture<String>> calls = new HashMap<>();
                IntStream.range(sent, sent + AT_ONCE).mapToObj(i -> "tea " + i).forEach(item -> {
                    RpcContext.getClientAttachment().setAttachment(HighwayAttachments.ISLAND, "shanghai");
                    calls.put(item, shop.sellLater(item));
                });
                calls.forEach((item, call) -> assertThat(call.join()).isEqualTo("shanghai:" + item));
            }

            assertThat(executed()).isEqualTo(REPEATED);
            await().until(() -> relay.secondAnswers.size() == REPEATED);
            assertThat(relay.secondAnswers).allMatch(answer -> answer.contains("highway-refused: shanghai;repeated"));
        }
    }

    /** Returns how often each call may have run, and whether it is certain. */
    private static Called called(Shop shop, int at) {
        RpcContext.getClientAttachment().setAttachment("cut", String.valueOf(at));
        try {
            sell(shop);
            return new Called(at, 1, 1);
        } catch (HighwayException e) {
            return new Called(at, 0, e.mayHaveRun() ? 1 : 0);
        }
    }

    private record Called(int at, int least, int most) {

        void assertRan() {
            assertThat(shanghai.shop.received)
                    .as("executions, cut at " + at)
                    .filteredOn(
                            call -> String.valueOf(at).equals(call.attachments().get("cut")))
                    .hasSizeBetween(least, most);
        }
    }
}
