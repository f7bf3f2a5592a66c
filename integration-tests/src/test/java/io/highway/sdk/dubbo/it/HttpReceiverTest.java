// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.dubbo.it.RawHttpCaller.Answer;
import io.highway.sdk.dubbo.it.RawHttpCaller.Call;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls over HTTP/1.1 at a real provider. */
@Tag("network")
@Tag("any-dubbo")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HttpReceiverTest {

    private final GuardedIsland shanghai = new GuardedIsland();
    private RawHttpCaller caller;

    @BeforeEach
    void connect() throws IOException {
        shanghai.shop.received.clear();
        caller = new RawHttpCaller(shanghai.httpAddress);
    }

    @AfterEach
    void disconnect() throws IOException {
        caller.close();
    }

    @AfterAll
    void close() {
        shanghai.close();
    }

    private List<String> ran() {
        return shanghai.shop.received.stream().map(ShopKeeper.Received::method).toList();
    }

    @Test
    void answersCalls_withValues_exceptions_andAttachments() throws IOException {
        Answer sold = caller.call(Call.sell("tea"));

        assertThat(sold.status()).isEqualTo("HTTP/1.1 200 OK");
        assertThat(sold.headers()).containsEntry("content-type", "application/x-dubbo");
        assertThat(sold.result()).isEqualTo("shanghai:tea");
        assertThat(sold.attachments()).containsEntry("shop-island", "shanghai");
        assertThat(caller.call(new Call("refuse", "Ljava/lang/String;", "no")).result())
                .isInstanceOfSatisfying(Shop.SoldOutException.class, thrown -> assertThat(thrown)
                        .hasMessage("shanghai:no"));
        assertThat(caller.call(new Call("note", "Ljava/lang/String;", "tea")).result())
                .isNull();
        assertThat(caller.call(new Call("sellLater", "Ljava/lang/String;", "tea"))
                        .result())
                .isEqualTo("shanghai:tea");
        assertThat(caller.call(new Call("$echo", "Ljava/lang/Object;", "sound")).result())
                .isEqualTo("sound");
        assertThat(shanghai.shop.received)
                .filteredOn(call -> call.method().equals("sell"))
                .singleElement()
                .satisfies(call -> {
                    assertThat(call.caller()).hasToString("zhejiang/orders");
                    assertThat(call.attachments().keySet()).noneMatch(name -> name.startsWith("highway-"));
                });
    }

    @Test
    void answersGenericCalls() throws IOException {
        Call call = new Call(
                "$invoke",
                "Ljava/lang/String;[Ljava/lang/String;[Ljava/lang/Object;",
                "sell",
                new String[] {"java.lang.String"},
                new Object[] {"tea"});
        call.attachments.put("generic", "true");

        assertThat(caller.call(call).result()).isEqualTo("shanghai:tea");
    }

    @Test
    void findsAServiceOfAGroupAndVersion_thatOnlyTripleExports() throws IOException {
        Call call = Call.sell("tea");
        call.attachments.putAll(Map.of("group", "blue", "version", "2.0.0"));

        assertThat(caller.call(call).result()).isEqualTo("shanghai:tea");
        call = Call.sell("tea");
        call.attachments.putAll(Map.of("group", "blue"));
        assertThat(caller.call(call).refused()).startsWith("shanghai;no-such-service");
    }

    /** Who sends no route headers learns nothing. */
    @Test
    void answersAlike_withoutRouteHeaders_whetherAServiceIsExportedOrNot() throws IOException {
        Call known = Call.sell("tea").header("highway-island", null);
        Call unknown = Call.sell("tea").header("highway-island", null);
        unknown.path = unknown.path.replace("Shop", "Shops");
        unknown.attachments.put("path", Shop.class.getName() + "s");
        Answer first = caller.call(known);
        Answer second = caller.call(unknown);

        assertThat(second.headers().keySet()).isEqualTo(first.headers().keySet());
        assertThat(second.result()).hasToString(String.valueOf(first.result()));
    }

    @Test
    void answersAtOnce_whatHasNoAnswer() throws IOException {
        assertThat(caller.call(Call.sell("tea").oneway()))
                .satisfies(answer -> assertThat(answer.status()).contains(" 200 "))
                .satisfies(answer -> assertThat(answer.body()).isEmpty())
                .satisfies(answer -> assertThat(answer.refused()).isNull());
        await().until(() -> ran().equals(List.of("sell")));
    }

    private static final int PIPELINES = 20;
    private static final int PAIRS = 100;

    @Test
    void answersPipelinedCalls_inTheirOrder() throws IOException {
        List<RawHttpCaller> peers = new ArrayList<>();
        try {
            for (int peer = 0; peer < PIPELINES; peer++) {
                ByteArrayOutputStream all = new ByteArrayOutputStream();
                for (int i = 0; i < PAIRS; i++) {
                    all.writeBytes(Call.slow(1 + i % 5).bytes());
                    all.writeBytes(Call.sell(peer + "-" + i).bytes());
                }
                peers.add(new RawHttpCaller(shanghai.httpAddress).write(all.toByteArray()));
            }

            for (int i = 0; i < PAIRS; i++) {
                for (int peer = 0; peer < PIPELINES; peer++) {
                    assertThat(peers.get(peer).read().result()).isEqualTo("shanghai:" + (1 + i % 5));
                    assertThat(peers.get(peer).read().result()).isEqualTo("shanghai:" + peer + "-" + i);
                }
            }
        } finally {
            for (RawHttpCaller peer : peers) {
                peer.close();
            }
        }
    }

    @Test
    void readsRequests_howeverTheirBytesAreDivided() throws IOException {
        byte[] two = RawHttpCaller.join(
                new String(Call.sell("tea").bytes(), ISO_8859_1),
                Call.sell("rice").chunked(7));
        for (byte each : two) {
            caller.write(new byte[] {each});
        }

        assertThat(caller.read().result()).isEqualTo("shanghai:tea");
        assertThat(caller.read().result()).isEqualTo("shanghai:rice");
        try (RawHttpCaller other = new RawHttpCaller(shanghai.httpAddress)) {
            for (int i = 1; i < 20; i++) {
                disconnect();
                connect();
                byte[] call = Call.sell("tea").bytes();
                caller.write(Arrays.copyOf(call, i));
                assertThat(other.call(Call.sell("rice")).result()).isEqualTo("shanghai:rice"); // meanwhile they arrive
                caller.write(Arrays.copyOfRange(call, i, call.length));
                assertThat(caller.read().result()).isEqualTo("shanghai:tea");
            }
        }
    }

    @Test
    void carriesLargeBodies() throws IOException {
        byte[] content = new byte[3_000_000];
        new Random(1).nextBytes(content);

        assertThat(caller.call(new Call("pack", "[B", (Object) content)).result())
                .isEqualTo(content);
        assertThat(caller.write(new Call("pack", "[B", (Object) content).chunked(70_000))
                        .read()
                        .result())
                .isEqualTo(content);
        assertThat(shanghai.buffered().bytes()).isZero();
    }

    @Test
    void keepsAConnection_asTheRequestSays() throws IOException {
        String old =
                new String(Call.sell("tea").header("connection", "keep-alive").bytes(), ISO_8859_1);
        assertThat(caller.write(old.replace("HTTP/1.1", "HTTP/1.0")).read().headers())
                .containsEntry("connection", "keep-alive");

        assertThat(caller.call(Call.sell("tea")).headers()).doesNotContainKey("connection");
        assertThat(caller.call(Call.sell("tea").header("connection", "close")).headers())
                .containsEntry("connection", "close");
        assertThat(caller.read()).isNull();

        disconnect();
        connect();
        old = new String(Call.sell("tea").bytes(), ISO_8859_1);
        assertThat(caller.write(old.replace("HTTP/1.1", "HTTP/1.0")).read().headers())
                .containsEntry("connection", "close");
        assertThat(caller.read()).isNull();
    }

    @Test
    void continues_whereThePeerWaitsForIt() throws IOException {
        Call call = Call.sell("tea").header("expect", "100-continue").header("upgrade", "h2c");
        caller.write(call.head() + "content-length: " + call.frame().length + "\r\n\r\n");
        assertThat(caller.read().status()).isEqualTo("HTTP/1.1 100 Continue");
        caller.write(call.frame());

        assertThat(caller.read().result()).isEqualTo("shanghai:tea");
    }

    static final String SIGN = "v2;kid=zhejiang;ts=1700000000;n=%s;sig=" + "A".repeat(43);

    @Test
    void identifiesSignedCalls_byTheirNonce() throws IOException {
        Call call = Call.sell("tea").header("highway-call-id", null);
        call.route("highway-sign", SIGN.formatted("A".repeat(22)));
        Call other = Call.sell("tea").header("highway-call-id", null);
        other.route("highway-sign", SIGN.formatted("B".repeat(22)));

        assertThat(caller.call(call).result()).isEqualTo("shanghai:tea");
        assertThat(caller.call(other).result()).isEqualTo("shanghai:tea");
        assertThat(caller.call(call).refused()).isEqualTo("shanghai;replayed");
        for (String id : new String[] {null, "1"}) {
            assertThat(caller.call(Call.sell("tea").header("highway-call-id", id))
                            .result())
                    .asString()
                    .contains("HIGHWAY-REFUSED:unidentified");
        }
        assertThat(ran()).containsExactly("sell", "sell");
    }

    @Test
    void runsOneOfSeveralCopies_thatArriveAtTheSameMoment() throws IOException {
        List<RawHttpCaller> peers = new ArrayList<>();
        try {
            for (int i = 0; i < 8; i++) {
                peers.add(new RawHttpCaller(shanghai.httpAddress));
            }
            for (int round = 0; round < 50; round++) {
                byte[] call = Call.sell("tea").bytes();
                for (RawHttpCaller peer : peers) {
                    peer.write(Arrays.copyOf(call, call.length - 1));
                }
                for (RawHttpCaller peer : peers) {
                    peer.write(new byte[] {call[call.length - 1]});
                }
                List<String> refusals = new ArrayList<>();
                for (RawHttpCaller peer : peers) {
                    refusals.add(peer.read().refused());
                }
                assertThat(refusals).containsOnlyOnce((String) null).containsOnly(null, "shanghai;repeated");
            }
        } finally {
            for (RawHttpCaller peer : peers) {
                peer.close();
            }
        }
        assertThat(ran()).hasSize(50);
    }

    static Stream<Consumer<Call>> disagreements() {
        return Stream.of(
                call -> call.path = call.path.replace("shanghai", "beijing"),
                call -> call.path = call.path.replace("Shop", "Feed"),
                call -> call.path = call.path.replace("/sell", "/note"),
                call -> call.header("highway-island", "beijing"),
                call -> call.header("highway-island", null),
                call -> call.header("highway-from", "zhejiang/stock/1"),
                call -> call.header("highway-from", null),
                call -> call.header("highway-sign", SIGN.formatted("A".repeat(22))),
                call -> call.attachments.put("highway-island", "beijing"),
                call -> call.attachments.remove("highway-island"),
                call -> call.attachments.put("highway-from", "zhejiang/stock/1"),
                call -> call.attachments.put("highway-sign", SIGN.formatted("A".repeat(22))),
                call -> call.attachments.put("path", Feed.class.getName()));
    }

    @ParameterizedTest
    @MethodSource("disagreements")
    void refusesCalls_whosePathHeadersAndFrameDisagree(Consumer<Call> change) throws IOException {
        Call call = Call.sell("tea");
        change.accept(call);
        Answer answer = caller.call(call);

        assertThat(answer.result()).asString().containsPattern("HIGHWAY-REFUSED:(mismatch|headers-missing); ");
        assertThat(answer.refused()).isNull(); // another copy of it may have run
        assertThat(answer.attachments()).doesNotContainKey("highway-refused");
        assertThat(ran()).isEmpty();
        assertThat(caller.call(Call.sell("rice")).result()).isEqualTo("shanghai:rice");
    }

    @Test
    void theGuardRefuses_whatIsForAnotherIsland_andHeadersThatAreAboutAnotherCall() throws IOException {
        Call misrouted = Call.sell("tea").route("highway-island", "beijing");
        misrouted.path = misrouted.path.replace("shanghai", "beijing");
        assertThat(caller.call(misrouted).attachments().get("highway-refused"))
                .asString()
                .startsWith("beijing;wrong-island");

        Call passedOn = Call.sell("tea");
        passedOn.attachments.put("remote.application", "stock");
        assertThat(caller.call(passedOn).result()).asString().contains("headers-missing", "over HTTP");
        assertThat(ran()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\r\n", "AMETHODOFNOBODYSHTTP"})
    void closesTheConnection_afterARequestLineThatIsNobodys(String begin) throws IOException {
        String valid = new String(Call.sell("tea").header("upgrade", "h2c").bytes(), ISO_8859_1);
        assertThat(caller.call(Call.sell("tea")).result()).isEqualTo("shanghai:tea");
        caller.write(begin + valid);

        assertThat(caller.read().status()).isEqualTo("HTTP/1.1 400 Bad Request");
        assertThat(caller.read()).isNull();
        assertThat(ran()).hasSize(1);
    }

    @Test
    void leavesTripleAndDubboAsTheyAre() throws Exception {
        for (Tunnel tunnel : Tunnel.values()) {
            String address = tunnel == Tunnel.DUBBO ? shanghai.dubboAddress : shanghai.tripleAddress;
            try (RawCaller raw = new RawCaller(address)) {
                assertThat(raw.sell(tunnel, "orders", List.of())).contains("shanghai:tea");
            }
        }
    }

    static String health(RawHttpCaller caller) throws IOException {
        return caller.write("GET /highway HTTP/1.1\r\nhost: shanghai.test\r\n\r\n")
                .read()
                .status();
    }

    @Test
    void answersHealthChecks() throws IOException {
        assertThat(health(caller)).isEqualTo("HTTP/1.1 204 No Content");
        assertThat(caller.write("HEAD /highway HTTP/1.0\r\n\r\n").read().status())
                .contains(" 204 ");
        assertThat(caller.read()).isNull();
    }

    @Test
    void readsAtMost128Headers() throws IOException {
        String head = "GET /highway HTTP/1.1\r\nhost: shanghai.test\r\n" + "a: b\r\n".repeat(127);
        assertThat(caller.write(head + "\r\n").read().status()).contains(" 204 ");
        Answer refused = caller.write(head + "a: b\r\n\r\n").read();
        assertThat(refused.status()).contains(" 400 ");
        assertThat(new String(refused.body(), ISO_8859_1)).contains("more than 128 headers");
    }

    @Test
    void releasesMemory_whenThePeerLeaves() throws IOException {
        Call call = new Call("pack", "[B", (Object) new byte[500_000]);
        caller.write(call.head() + "content-length: " + call.frame().length + "\r\n\r\n");
        caller.write(new byte[300_000]);
        await().until(() -> shanghai.buffered().bytes() >= 300_000);

        caller.close();
        await().until(() -> shanghai.buffered().bytes() == 0);
    }

    @Test
    void countsBytes_ofACallWithoutAnAnswer_untilItHasEnded() throws IOException {
        Call slow = Call.slow(20_000).oneway();
        slow.attachments.put("note", "x".repeat(500_000));
        assertThat(caller.call(slow).body()).isEmpty();
        assertThat(shanghai.buffered().bytes()).isGreaterThan(500_000);

        await().until(() -> ran().contains("slow"));
        shanghai.shop.hurry();
        await().until(() -> shanghai.buffered().bytes() == 0);
    }

    @Test
    void countsBytes_thatWaitBehindACall() throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(Call.slow(20_000).bytes());
        int count = 0;
        while (all.size() < 50_000) {
            all.writeBytes(Call.sell("tea" + count++).bytes());
        }
        caller.write(all.toByteArray());
        await().until(() -> ran().contains("slow") && shanghai.buffered().bytes() > 40_000);

        shanghai.shop.hurry();
        assertThat(caller.read().result()).isEqualTo("shanghai:20000");
        for (int i = 0; i < count; i++) {
            assertThat(caller.read().result()).isEqualTo("shanghai:tea" + i);
        }
        await().until(() -> shanghai.buffered().bytes() == 0);
    }

    private static byte[] gzip(byte[] plain) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(plain);
        }
        return bytes.toByteArray();
    }

    private static Call compressed(Call call) throws IOException {
        call.body = gzip(call.frame());
        return call.header("highway-encoding", "gzip");
    }

    @Test
    void inflatesRequests_andCompressesAnswers_asTheCallerCanReadThem() throws IOException {
        byte[] content = new byte[200_000];
        Answer plain = caller.call(compressed(new Call("pack", "[B", (Object) content)));
        assertThat(plain.result()).isEqualTo(content);
        assertThat(plain.headers()).doesNotContainKey("highway-encoding");
        assertThat(plain.headers().get("highway-accept-encoding")).startsWith("gzip");

        Answer small =
                caller.call(new Call("pack", "[B", (Object) content).header("highway-accept-encoding", "br, gzip"));
        assertThat(small.headers()).containsEntry("highway-encoding", "gzip");
        assertThat(small.body()).hasSizeLessThan(1_000);
        assertThat(new Answer("", Map.of(), new GZIPInputStream(new ByteArrayInputStream(small.body())).readAllBytes())
                        .result())
                .isEqualTo(content);
        assertThat(caller.call(Call.sell("tea").header("highway-accept-encoding", "gzip"))
                        .headers())
                .as("too small to gain")
                .doesNotContainKey("highway-encoding");
        assertThat(shanghai.buffered().bytes()).isZero();
    }

    @Test
    void refusesBodies_thatCannotBeInflated() throws IOException {
        assertThat(caller.call(Call.sell("tea").header("highway-encoding", "br"))
                        .refused())
                .startsWith("shanghai;no-such-encoding; the provider reads gzip");
        disconnect();
        connect();
        assertThat(caller.call(Call.sell("tea").header("highway-encoding", "gzip"))
                        .status())
                .contains(" 400 ");
        disconnect();
        connect();
        assertThat(caller.call(compressed(new Call("pack", "[B", (Object) new byte[17_000_000])))
                        .status())
                .contains(" 413 ");
        assertThat(ran()).isEmpty();
        await().until(() -> shanghai.buffered().bytes() == 0);
    }
}
