// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.Highway;
import io.highway.sdk.HighwayAttachments;
import io.highway.sdk.dubbo.GuardListener.GuardEvent;
import io.highway.sdk.dubbo.GuardListener.Result;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.sdk.dubbo.internal.call.CanonicalMethod;
import io.highway.sdk.dubbo.internal.network.compression.AgedEncodings;
import io.highway.sdk.dubbo.internal.network.compression.TrainedDictionary;
import io.highway.sdk.dubbo.internal.signature.CallSigner;
import io.highway.sdk.dubbo.internal.signature.DuplicateRequestFilter;
import io.highway.sdk.dubbo.it.CuttingRelay.Exchange;
import io.highway.sdk.dubbo.it.RawHttpCaller.Call;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.dubbo.rpc.RpcContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls over HTTP/1.1 at a provider that demands signatures, and has a dictionary. */
@Tag("network")
class SignedHttpCallsTest {

    private static final String FROM = "zhejiang/orders/1";
    private static final String SIGN = "v2;kid=%s;ts=%d;n=%s;sig=%s";

    @TempDir
    private static Path folder;

    private static String dictionary;
    private static GuardedIsland shanghai;
    private static CallSigner signer;

    @BeforeAll
    static void start() {
        dictionary = "file:" + TrainedDictionary.write(folder.resolve("orders.dict"), 0);
        shanghai = new GuardedIsland(
                "highway.sign.accept.zhejiang-2026",
                "s3cr3t",
                "highway.sign.accept-from.zhejiang-2026",
                "zhejiang/*",
                "highway.dictionaries.orders",
                dictionary,
                "highway.islands.zhejiang.compression",
                "auto",
                "highway.islands.zhejiang.dictionary",
                "orders");
        signer = TestSigner.of("zhejiang", "zhejiang-2026", "s3cr3t");
    }

    @AfterAll
    static void stop() {
        shanghai.close();
    }

    @BeforeEach
    void forget() {
        shanghai.shop.received.clear();
        shanghai.events.clear();
    }

    private static TestApplication caller(String island, String gateway, String... more) {
        String[] keys = {
            "highway.gateways.http", gateway,
            "highway.islands.shanghai.tunnel", "http",
            "highway.sign.key-id", "zhejiang-2026",
            "highway.sign.secret", "s3cr3t"
        };
        return shanghai.caller(
                island,
                Tunnel.DUBBO,
                Stream.concat(Arrays.stream(keys), Arrays.stream(more)).toArray(String[]::new));
    }

    private static Shop shop(TestApplication caller) {
        return Highway.to("shanghai")
                .bind(
                        Shop.class,
                        ShopReferences.of(caller, shanghai.dubboAddress).typed());
    }

    private static List<String> refusals() {
        return shanghai.events(Result.REFUSED).stream().map(GuardEvent::reason).toList();
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void areServed_inEveryMode(Mode mode) throws Throwable {
        ShopReferences references = ShopReferences.of(caller("zhejiang", shanghai.httpAddress), shanghai.dubboAddress);

        RpcContext.getClientAttachment().setAttachment(HighwayAttachments.ISLAND, "shanghai");
        assertThat(mode.sell(references.typed(), references.generic(), "tea")).isEqualTo("shanghai:tea");
        assertThat(shanghai.shop.received).singleElement().satisfies(call -> {
            assertThat(call.caller()).hasToString("zhejiang/zhejiang-app");
            assertThat(call.caller().keyId()).isEqualTo("zhejiang-2026");
        });
    }

    @Test
    void areRefused_withAnotherSecret_anUnknownKey_orTheKeyOfOthers() {
        for (List<String> one : List.of(
                List.of("zhejiang", "highway.sign.secret", "guessed", "wrong-signature"),
                List.of("zhejiang", "highway.sign.key-id", "another", "unknown-key"),
                List.of("beijing", "highway.sign.secret", "s3cr3t", "wrong-key"))) {
            Shop shop = shop(caller(one.get(0), shanghai.httpAddress, one.get(1), one.get(2)));

            assertThatExceptionOfType(HighwayException.class)
                    .isThrownBy(() -> shop.sell("tea"))
                    .withMessageContaining(one.get(3))
                    .satisfies(thrown -> assertThat(thrown.mayHaveRun()).isFalse());
        }
        assertThat(refusals()).containsExactly("wrong-signature", "unknown-key", "wrong-key");
        assertThat(shanghai.shop.received).isEmpty();
    }

    @Test
    void runOnce_ifAGatewaySendsThemTwice() {
        try (CuttingRelay relay = new CuttingRelay(shanghai.httpAddress)) {
            relay.repeatCalls();
            Shop shop = shop(caller("zhejiang", relay.address()));

            for (int i = 0; i < 20; i++) {
                assertThat(shop.sell("tea" + i)).isEqualTo("shanghai:tea" + i);
            }

            await().until(() -> relay.secondAnswers.size() == 20);
            assertThat(relay.secondAnswers)
                    .allMatch(answer -> answer.contains("highway-refused: shanghai;replayed\r\n"));
            assertThat(shanghai.shop.received).hasSize(20);
            assertThat(refusals()).hasSize(20).containsOnly("replayed");
        }
    }

    /** The guard records a call before it is decoded. */
    @Test
    void areNoCopies_ifTheyCannotBeDecoded() throws IOException {
        CanonicalMethod slow = new CanonicalMethod("slow", List.of("int"));
        Call call = new Call("slow", "I", "no number")
                .header("highway-call-id", null)
                .route("highway-from", "zhejiang/orders/1");
        call.route("highway-sign", signer.sign("shanghai", "zhejiang/orders/1", RawHttpCaller.SERVICE, slow));

        try (RawHttpCaller caller = new RawHttpCaller(shanghai.httpAddress)) {
            assertThat(caller.call(call).refused()).isNull();
            assertThat(caller.call(call).refused()).isEqualTo("shanghai;replayed");
        }
        assertThat(shanghai.shop.received).isEmpty();
    }

    private static Call signed(String from) {
        return signed(from, "shanghai", "sell");
    }

    private static Call signed(String from, String island, String method) {
        Call call = Call.sell("tea").header("highway-call-id", null).route("highway-from", from);
        CanonicalMethod signed = new CanonicalMethod(method, List.of("java.lang.String"));
        return call.route("highway-sign", signer.sign(island, from, RawHttpCaller.SERVICE, signed));
    }

    /** What the answer states: in a header, or in its frame. */
    private static String refusal(Call call) throws IOException {
        try (RawHttpCaller caller = new RawHttpCaller(shanghai.httpAddress)) {
            RawHttpCaller.Answer answer = caller.call(call);
            return String.valueOf(
                    answer.refused() == null ? answer.attachments().get("highway-refused") : answer.refused());
        }
    }

    @Test
    void endAfterTooManyIslands() throws IOException {
        assertThat(refusal(signed(FROM))).isEqualTo("null");
        assertThat(shanghai.shop.received).hasSize(1);

        assertThat(refusal(signed("zhejiang/orders/99"))).startsWith("shanghai;too-many-hops;");
        assertThat(shanghai.shop.received).hasSize(1);
    }

    static Stream<Consumer<Call>> changes() {
        return Stream.of(
                call -> call.path = call.path.replace("/sell", "/note"),
                call -> call.path = call.path.replace("Shop", "Feed"),
                call -> call.path = call.path.replace("/shanghai/", "/beijing/"),
                call -> call.header("highway-from", "zhejiang/stock/1"),
                call -> call.header("highway-from", null),
                call -> call.header("highway-island", "beijing"),
                call -> call.header("highway-sign", null),
                call -> call.header("highway-sign", signed(FROM).headers.get("highway-sign")),
                call -> call.route("highway-from", "beijing/orders/1"),
                call -> call.route(
                        "highway-sign", signed(FROM, "beijing", "sell").headers.get("highway-sign")),
                call -> call.route(
                        "highway-sign", signed(FROM, "shanghai", "note").headers.get("highway-sign")));
    }

    @ParameterizedTest
    @MethodSource("changes")
    void areRefused_ifPathOrHeadersWereChanged(Consumer<Call> change) throws IOException {
        Call call = signed(FROM);
        change.accept(call);

        String refusal = refusal(call);
        assertThat(shanghai.shop.received).isEmpty();
        assertThat(refusals()).singleElement().asString().isIn("mismatch", "wrong-signature");
        assertThat(refusal).doesNotContain(";mismatch"); // another copy of it may have run
    }

    /** A peer that reaches the port takes no place of calls that may run. */
    @Test
    void takeNoPlaceAmongThoseThatRan_withoutAValidSignature() throws IOException {
        List<Long> ids = new ArrayList<>();
        SecureRandom random = new SecureRandom();
        try (RawHttpCaller hostile = new RawHttpCaller(shanghai.httpAddress)) {
            for (int i = 0; i < 100; i++) {
                Call call = Call.sell("tea");
                if (i % 2 == 1) {
                    byte[] nonce = new byte[16];
                    random.nextBytes(nonce);
                    call.header("highway-call-id", null)
                            .route(
                                    "highway-sign",
                                    SIGN.formatted(
                                            "zhejiang-2026",
                                            System.currentTimeMillis() / 1000,
                                            Base64.getUrlEncoder()
                                                    .withoutPadding()
                                                    .encodeToString(nonce),
                                            "A".repeat(43)));
                }
                ids.add(DuplicateRequestFilter.id(
                        call.headers.get("highway-sign"), call.headers.get("highway-call-id")));
                hostile.call(call);
            }
        }

        assertThat(refusals()).hasSize(100).containsOnly("unsigned", "wrong-signature");
        DuplicateRequestFilter seen =
                DuplicateRequestFilter.of(shanghai.application.model().getFrameworkModel());
        assertThat(ids).doesNotContainNull().allMatch(id -> seen.refusal(id, true, null) == null);
        assertThat(shanghai.shop.received).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"zstd", "auto"})
    void areCompressedWithTheDictionary(String compression) {
        try (CuttingRelay relay = new CuttingRelay(shanghai.httpAddress)) {
            TestApplication caller = caller(
                    "zhejiang",
                    relay.address(),
                    "highway.dictionaries.orders",
                    dictionary,
                    "highway.islands.shanghai.compression",
                    compression,
                    "highway.islands.shanghai.dictionary",
                    "orders");
            Shop shop = shop(caller);
            for (int i = 100_000; i < 100_003; i++) {
                assertThat(shop.sell(TrainedDictionary.order(i))).isEqualTo("shanghai:" + TrainedDictionary.order(i));
                AgedEncodings.age(
                        HighwayRuntime.of(caller.model())
                                .snapshot()
                                .destinations()
                                .of("shanghai")
                                .encodings()
                                .learning(),
                        Duration.ofMinutes(1));
            }

            Exchange last = List.copyOf(relay.calls).get(2);
            assertThat(Exchange.head(last.request())).contains("highway-encoding: zstd-", "highway-sign: v2;");
            assertThat(Exchange.head(last.answer())).contains("highway-encoding: zstd-");
            assertThat(last.answer().getBytes(ISO_8859_1)).hasSizeLessThan(700);
            assertThat(shanghai.shop.received).hasSize(3);
        }
    }
}
