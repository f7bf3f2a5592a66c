// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.protobuf.StringValue;
import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.sdk.dubbo.internal.network.compression.AgedEncodings;
import io.highway.sdk.dubbo.internal.network.compression.PeerEncodings;
import io.highway.tools.fixtures.faults.FaultyLink;
import io.highway.tools.fixtures.logs.CapturedLog;
import io.highway.tools.gateway.Gateway;
import io.highway.tools.gateway.GatewayConfig;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import org.apache.dubbo.common.Version;
import org.apache.dubbo.common.stream.StreamObserver;
import org.apache.dubbo.rpc.TriRpcStatus;
import org.apache.dubbo.rpc.protocol.tri.observer.ClientCallToObserverAdapter;
import org.apache.dubbo.rpc.service.GenericService;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages between home and its gateway, with a compression for shanghai and without for beijing. */
@Tag("network")
class CompressionTest extends OnFaultyStar {

    private static final int LARGE = 80_000;
    private static final String TEXT = "{\"item\":\"tea\",\"amount\":12},".repeat(3000);

    private FaultyLink link;

    private Shop shop(String compression, Tunnel tunnel, String... more) {
        link = star.link(star.gateway());
        String[] properties = {"highway.islands.shanghai.compression", compression, "highway.heartbeat.interval", "none"
        };
        Shop shop = star.free(events, tunnel, FaultyStar.address(link.port()), join(properties, more));
        assertThat(to("shanghai", shop).sell("tea")).isEqualTo("shanghai:tea");
        assertThat(to("beijing", shop).sell("tea")).isEqualTo("beijing:tea");
        return shop;
    }

    private static String[] join(String[] some, String... more) {
        return Stream.of(some, more).flatMap(Arrays::stream).toArray(String[]::new);
    }

    private static Shop to(String island, Shop shop) {
        return Highway.to(island).bind(Shop.class, shop);
    }

    /** How many bytes left home by it. */
    private long bytesOf(Supplier<?> call) {
        long before = link.traffic().toTarget().sum();
        call.get();
        return link.traffic().toTarget().sum() - before;
    }

    /** How many bytes came home by it. */
    private long answerBytesOf(Supplier<?> call) {
        long before = link.traffic().toClients().sum();
        call.get();
        return link.traffic().toClients().sum() - before;
    }

    private static boolean isDubbo33() {
        return Version.getVersion().startsWith("3.3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "zstd"})
    void compressesRequestsToItsIslandOnly_onTheSameConnection(String compression) {
        Shop shop = shop(compression, Tunnel.TRIPLE);

        assertThat(bytesOf(() -> {
                    assertThat(to("shanghai", shop).sell(TEXT)).isEqualTo("shanghai:" + TEXT);
                    return TEXT;
                }))
                .isLessThan(TEXT.length() / 10);
        assertThat(bytesOf(() -> {
                    assertThat(to("beijing", shop).sell(TEXT)).isEqualTo("beijing:" + TEXT);
                    return TEXT;
                }))
                .isGreaterThan(TEXT.length());
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "zstd"})
    void compressesTheAnswersOfItsIslandOnly(String compression) {
        assumeTrue(isDubbo33(), "providers of Dubbo 3.2 compress no answer");
        Shop shop = shop(compression, Tunnel.TRIPLE);

        assertThat(answerBytesOf(() -> to("shanghai", shop).sell(TEXT))).isLessThan(TEXT.length() / 10);
        assertThat(answerBytesOf(() -> to("beijing", shop).sell(TEXT))).isGreaterThan(TEXT.length());
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void compressesBothWays_howeverTheCallIsMade(Mode mode) throws Throwable {
        Shop shop = shop("zstd", Tunnel.TRIPLE);
        GenericService generic = star.consumer()
                .reference(GenericService.class, config -> {
                    config.setInterface(Shop.class.getName());
                    config.setGeneric("true");
                    config.setUrl("dubbo://" + star.star.homeDubbo);
                })
                .get();
        Shop shanghai = to("shanghai", shop);
        long sent = link.traffic().toTarget().sum();
        long received = link.traffic().toClients().sum();

        String answer = mode.isGeneric()
                ? Highway.to("shanghai").callChecked(() -> sell(mode, shop, generic))
                : mode.sell(shanghai, generic, TEXT);

        assertThat(answer).isEqualTo("shanghai:" + TEXT);
        assertThat(link.traffic().toTarget().sum() - sent).isLessThan(TEXT.length() / 10);
        if (isDubbo33()) {
            assertThat(link.traffic().toClients().sum() - received).isLessThan(TEXT.length() / 10);
        }
    }

    private static String sell(Mode mode, Shop shop, GenericService generic) {
        try {
            return mode.sell(shop, generic, TEXT);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "zstd"})
    void sendsAsItIs_whatWouldNotGetSmaller(String compression) {
        byte[] noise = new byte[LARGE];
        new Random(1).nextBytes(noise);
        Shop shanghai = to("shanghai", shop(compression, Tunnel.TRIPLE));

        assertThat(shanghai.pack(noise)).isEqualTo(noise);
        assertThat(shanghai.pack(new byte[0])).isEmpty();
        assertThat(shanghai.nothing(null)).isNull();
    }

    @Test
    void keepsConcurrentCallsApart() {
        Shop shop = shop("zstd", Tunnel.TRIPLE);

        List<CompletableFuture<String>> answers = IntStream.range(0, 200)
                .mapToObj(i -> to(i % 2 == 0 ? "shanghai" : "beijing", shop).sellLater(i + TEXT))
                .toList();

        for (int i = 0; i < answers.size(); i++) {
            assertThat(answers.get(i).join()).isEqualTo((i % 2 == 0 ? "shanghai:" : "beijing:") + i + TEXT);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"triple", "auto"})
    void theProviderSeesNothingOfIt(String tunnel) {
        to("shanghai", shop("gzip", Tunnel.TRIPLE, "highway.defaults.tunnel", tunnel))
                .sell(TEXT);

        assertThat(star.shanghai().received).isNotEmpty().allSatisfy(call -> assertThat(call.attachments())
                .doesNotContainKeys("highway-compression", "grpc-encoding"));
    }

    @Test
    void leavesDubboAlone() {
        Shop shanghai = to("shanghai", shop("zstd", Tunnel.DUBBO, "highway.defaults.tunnel", "dubbo,triple"));

        assertThat(bytesOf(() -> shanghai.sell(TEXT))).isGreaterThan(TEXT.length());
    }

    private static byte[] digits(int length) {
        byte[] digits = new byte[length];
        Random random = new Random(1);
        for (int i = 0; i < length; i++) {
            digits[i] = (byte) ('0' + random.nextInt(10));
        }
        return digits;
    }

    @Test
    void compressesOnTheCallingThread() {
        byte[] content = digits(7_000_000);
        Shop shanghai = to(
                "shanghai",
                shop(
                        "gzip",
                        Tunnel.TRIPLE,
                        "highway.islands.shanghai.max-request-size",
                        "16MB",
                        "highway.islands.shanghai.timeout",
                        "30s"));
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long begun = threads.getCurrentThreadCpuTime();
        Deflater deflater = new Deflater();
        deflater.setInput(content);
        deflater.finish();
        assertThat(deflater.deflate(new byte[content.length])).isLessThan(content.length / 2);
        deflater.end();
        long toCompress = threads.getCurrentThreadCpuTime() - begun;

        shanghai.pack(content); // loads classes on the thread that is measured
        long before = threads.getCurrentThreadCpuTime();
        long bytes = bytesOf(() -> shanghai.pack(content));

        assertThat(bytes).isLessThan(content.length / 2);
        assertThat(threads.getCurrentThreadCpuTime() - before).isGreaterThan(toCompress / 2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "zstd"})
    void compressesTheRequestsOfGeneratedStubs_too(String compression) {
        shop(compression, Tunnel.TRIPLE);
        Echoes plain = star.consumer()
                .reference(Echoes.class, config -> config.setUrl("tri://" + star.star.shanghai.tripleAddress))
                .get();
        Echoes echoes = Highway.to("shanghai").bind(Echoes.class, plain);
        assertThat(echoes.echo(StringValue.of("tea"))).isEqualTo(StringValue.of("tea"));
        StringValue text = StringValue.of(TEXT);

        assertThat(bytesOf(() -> {
                    assertThat(echoes.echo(text)).isEqualTo(text);
                    return text;
                }))
                .isLessThan(TEXT.length() / 10);
        if (isDubbo33()) {
            assertThat(answerBytesOf(() -> echoes.echo(text))).isLessThan(TEXT.length() / 10);
        }
    }

    @Test
    void measuresARequestBeforeItIsCompressed() {
        Shop shanghai =
                to("shanghai", shop("zstd", Tunnel.TRIPLE, "highway.islands.shanghai.max-request-size", "64KB"));

        assertThat(TEXT.length()).isGreaterThan(64 * 1024);
        assertThatThrownBy(() -> shanghai.sell(TEXT)).hasMessageContaining("max-request-size");
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "zstd"})
    void ofABomb_isRefusedBeforeItRuns_andTheProviderServesOn(String compression) {
        Shop shanghai =
                to("shanghai", shop(compression, Tunnel.TRIPLE, "highway.islands.shanghai.max-request-size", "256MB"));
        star.shanghai().received.clear();

        Throwable refused = catchThrowable(() -> shanghai.pack(new byte[64 << 20])); // the provider's payload is 16 MB

        assertThat(refused)
                .isInstanceOf(HighwayException.class)
                .hasMessageContaining("RESOURCE_EXHAUSTED")
                .hasMessageContaining("dubbo.protocol.payload");
        assertThat(star.shanghai().received).isEmpty();
        assertThat(shanghai.sell("tea")).isEqualTo("shanghai:tea");
    }

    /** A provider whose answer says that it is compressed so, and is so many zero bytes when it is inflated. */
    private static void answerBomb(ChannelHandlerContext stream, String encoding) {
        byte[] compressed = MessageBombs.of(encoding, 64 << 20);
        RawTriplePeer.write(stream, RawTriplePeer.begin().set("grpc-encoding", encoding), false);
        stream.write(new DefaultHttp2DataFrame(
                Unpooled.buffer().writeByte(1).writeInt(compressed.length).writeBytes(compressed)));
        RawTriplePeer.write(stream, new DefaultHttp2Headers().set("grpc-status", "0"), true);
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "zstd"})
    void ofABomb_anAnswerIsRefused_andTheCallEndsAtOnce(String encoding) {
        try (RawTriplePeer peer = new RawTriplePeer("gateway.zhejiang.test")) {
            peer.answer = stream -> answerBomb(stream, encoding);
            Shop shop = star.shop(events, Tunnel.TRIPLE, FaultyStar.address(peer.port()), join(new String[] {
                "highway.defaults.compression", encoding, "highway.heartbeat.interval", "none"
            }));

            assertThatThrownBy(() -> shop.sell("tea"))
                    .isInstanceOfSatisfying(HighwayException.class, e -> {
                        assertThat(e.reason()).isEqualTo(Reason.SERIALIZATION);
                        assertThat(e.mayHaveRun()).isTrue();
                    })
                    .hasMessageContaining("payload");
        }
    }

    /** A provider of shanghai without the SDK behind a separate gateway, and home's gateway that leads there. */
    private Gateway gatewayToStock(String... more) {
        TestApplication stock = star.star.closing(new TestApplication("shanghai", Map.of()));
        String address = stock.listen("tri");
        stock.export(Shop.class, new ShopKeeper("stock"), service -> {}).start();
        List<String> providers =
                Stream.concat(Stream.of(address), Stream.of(more)).toList();
        Gateway there = star.star.closing(Gateway.start(GatewayConfig.builder()
                .island("shanghai")
                .listen("gateway.shanghai.test", 0)
                .providers("shanghai", "*", List.of(), providers)
                .build()));
        return star.star.closing(Gateway.start(GatewayConfig.builder()
                .island("zhejiang")
                .listen("gateway.zhejiang.test", 0)
                .next("shanghai", List.of("gateway.shanghai.test:" + there.port()))
                .build()));
    }

    @Test
    void zstdToAProviderWithoutIt_endsAsSerialization_withTheAdvice() {
        assumeTrue(isDubbo33(), "Dubbo 3.2 does not answer what it cannot read");
        Shop shop = star.shop(
                events, Tunnel.TRIPLE, FaultyStar.address(gatewayToStock().port()), join(new String[] {
                    "highway.defaults.compression", "zstd", "highway.heartbeat.interval", "none"
                }));

        assertThatThrownBy(() -> shop.sell(TEXT))
                .isInstanceOfSatisfying(HighwayException.class, e -> {
                    assertThat(e.reason()).as(e.getMessage()).isEqualTo(Reason.SERIALIZATION);
                    assertThat(e.mayHaveRun()).isTrue();
                })
                .hasMessageContaining("highway.islands.shanghai.compression");
    }

    @Test
    void gzipToAProviderOfDubbo33WithoutTheSdk_isNoExceptionOfTheService() {
        assumeTrue(isDubbo33(), "Dubbo 3.2 reads it");
        Shop shop = star.shop(
                events, Tunnel.TRIPLE, FaultyStar.address(gatewayToStock().port()), join(new String[] {
                    "highway.defaults.compression", "gzip", "highway.heartbeat.interval", "none"
                }));

        for (Throwable thrown : List.of(
                catchThrowable(() -> shop.sell(TEXT)),
                catchThrowable(() -> shop.sellLater(TEXT).join()).getCause())) {
            assertThat(thrown)
                    .isInstanceOfSatisfying(HighwayException.class, e -> {
                        assertThat(e.reason()).as(e.getMessage()).isEqualTo(Reason.SERIALIZATION);
                        assertThat(e.mayHaveRun()).isTrue();
                    })
                    .hasMessageContaining("highway.islands.shanghai.compression");
        }
    }

    @Test
    void zstdToAProviderWithoutIt_isSentAsItIs_forAMinuteAfterTheFirstAnswer() throws Exception {
        assumeTrue(isDubbo33(), "Dubbo 3.2 does not answer what it cannot read");
        try (CapturedLog log = new CapturedLog()) {
            Shop shop = star.shop(
                    events, Tunnel.TRIPLE, FaultyStar.address(gatewayToStock().port()), join(new String[] {
                        "highway.defaults.compression", "zstd", "highway.heartbeat.interval", "none"
                    }));
            assertThatThrownBy(() -> shop.sell(TEXT)).isInstanceOf(HighwayException.class);

            assertAnswered(shop);
            assertThat(log.lines("island shanghai: a provider of " + Shop.class.getName() + " cannot read zstd"))
                    .hasSize(1);

            passAMinute();
            assertThatThrownBy(() -> shop.sell(TEXT))
                    .isInstanceOfSatisfying(
                            HighwayException.class, e -> assertThat(e.reason()).isEqualTo(Reason.SERIALIZATION));
            assertAnswered(shop);
            assertThat(log.lines("cannot read zstd")).hasSize(2);
        }
    }

    /** Stock Dubbo 3.3 closes the connection that it has with its gateway, and with it the calls next to the refused one. */
    @Test
    void zstdToAProviderWithoutIt_losesNoCallMore_onceTheFirstConcurrentOnesHaveEnded() throws Exception {
        assumeTrue(isDubbo33(), "Dubbo 3.2 does not answer what it cannot read");
        try (CapturedLog log = new CapturedLog()) {
            Shop shop = star.shop(
                    events, Tunnel.TRIPLE, FaultyStar.address(gatewayToStock().port()), join(new String[] {
                        "highway.defaults.compression", "zstd", "highway.heartbeat.interval", "none"
                    }));

            List<CompletableFuture<String>> first =
                    IntStream.range(0, 40).mapToObj(i -> shop.sellLater(TEXT)).toList();
            List<Throwable> thrown = first.stream()
                    .map(call -> catchThrowable(() -> call.get(10, TimeUnit.SECONDS)))
                    .filter(Objects::nonNull)
                    .toList();

            assertThat(thrown).isNotEmpty().allSatisfy(e -> assertThat(e.getCause())
                    .isInstanceOfSatisfying(HighwayException.class, lost -> assertThat(lost.reason())
                            .as(lost.getMessage())
                            .isIn(Reason.SERIALIZATION, Reason.CONNECTION_LOST)));
            assertAnswered(shop);
            assertThat(log.lines("cannot read zstd")).hasSize(1);
        }
    }

    private static void assertAnswered(Shop shop) {
        List<CompletableFuture<String>> calls =
                IntStream.range(0, 40).mapToObj(i -> shop.sellLater(TEXT)).toList();
        assertThat(calls)
                .allSatisfy(call ->
                        assertThat(call).succeedsWithin(Duration.ofSeconds(10)).isEqualTo("stock:" + TEXT));
    }

    private PeerEncodings encodings() {
        return HighwayRuntime.of(star.consumer().model())
                .snapshot()
                .destinations()
                .of("shanghai")
                .encodings()
                .learning();
    }

    private void passAMinute() {
        AgedEncodings.age(encodings(), Duration.ofMinutes(1));
    }

    @Test
    void auto_startsPlain_andCompressesOnceAllAnswersOfAMinuteAdvertiseIt() {
        assumeTrue(isDubbo33(), "providers of Dubbo 3.2 advertise nothing");
        Shop shanghai = to("shanghai", shop("auto", Tunnel.TRIPLE));

        assertThat(bytesOf(() -> shanghai.sell(TEXT))).isGreaterThan(TEXT.length());
        assertThat(answerBytesOf(() -> shanghai.sell(TEXT))).isLessThan(TEXT.length() / 10);

        passAMinute();
        assertThat(bytesOf(() -> shanghai.sell(TEXT))).isLessThan(TEXT.length() / 10);
    }

    @Test
    void auto_staysPlain_whereOneOfTwoProvidersHasNoSdk_andNoCallFails() {
        link = star.link(gatewayToStock(star.star.shanghai.tripleAddress));
        Shop free = star.free(events, Tunnel.TRIPLE, FaultyStar.address(link.port()), join(new String[] {
            "highway.islands.shanghai.compression", "auto", "highway.heartbeat.interval", "none"
        }));
        Shop shanghai = to("shanghai", free);
        Set<String> answers = new HashSet<>();

        for (int i = 0; i < 60; i++) {
            assertThat(bytesOf(() -> answers.add(shanghai.sell(TEXT).replace(TEXT, ""))))
                    .isGreaterThan(TEXT.length());
            AgedEncodings.age(encodings(), Duration.ofSeconds(10));
        }

        assertThat(answers).containsExactlyInAnyOrder("stock:", "shanghai:");
    }

    @Test
    void auto_sendsARefusedRequestAgain_asItIs() {
        String text = TEXT.substring(0, 8000); // one frame: the peer answers the first
        try (RawTriplePeer peer = new RawTriplePeer("gateway.zhejiang.test")) {
            peer.answer = stream -> {
                RawTriplePeer.write(stream, RawTriplePeer.begin().set("grpc-accept-encoding", "gzip,zstd"), false);
                RawTriplePeer.message(stream, "tea");
                RawTriplePeer.write(stream, new DefaultHttp2Headers().set("grpc-status", "0"), true);
            };
            Consumer<ChannelHandlerContext> reads = peer.answer;
            link = star.link(peer.port());
            Shop shanghai = to(
                    "shanghai",
                    star.free(
                            events,
                            Tunnel.TRIPLE,
                            FaultyStar.address(link.port()),
                            "highway.defaults.compression",
                            "auto",
                            "highway.heartbeat.interval",
                            "none"));
            assertThat(shanghai.sell(text)).isEqualTo("tea");
            passAMinute();
            assertThat(bytesOf(() -> shanghai.sell(text))).isLessThan(text.length() / 10);
            AtomicInteger refused = new AtomicInteger();
            peer.answer = stream -> {
                if (refused.getAndIncrement() > 0) {
                    reads.accept(stream);
                    return;
                }
                RawTriplePeer.write(
                        stream,
                        RawTriplePeer.begin()
                                .set("grpc-status", "12")
                                .set("highway-refused", "shanghai;no-such-encoding; the provider reads gzip"),
                        true);
            };

            assertThat(bytesOf(() -> assertThat(shanghai.sell(text)).isEqualTo("tea")))
                    .isGreaterThan(text.length());

            assertThat(refused).hasValue(2);
            assertThat(bytesOf(() -> shanghai.sell(text))).isGreaterThan(text.length());
        }
    }

    @Test
    void zstd_isRefusedByAProviderThatStatesThatItDoesNotReadIt_andHasNotRun() {
        try (RawTriplePeer peer = new RawTriplePeer("gateway.zhejiang.test")) {
            peer.answer = stream -> RawTriplePeer.write(
                    stream,
                    RawTriplePeer.begin()
                            .set("grpc-status", "12")
                            .set("highway-refused", "shanghai;no-such-encoding; the provider reads gzip"),
                    true);
            Shop shop = star.shop(events, Tunnel.TRIPLE, FaultyStar.address(peer.port()), join(new String[] {
                "highway.defaults.compression", "zstd", "highway.heartbeat.interval", "none"
            }));

            assertThatThrownBy(() -> shop.sell(TEXT))
                    .isInstanceOfSatisfying(HighwayException.class, e -> {
                        assertThat(e.reason()).isEqualTo(Reason.SERIALIZATION);
                        assertThat(e.mayHaveRun()).isFalse();
                    })
                    .hasMessageContaining("highway.islands.shanghai.compression");
            assertThat(peer.executed).hasValue(1);
        }
    }

    private Feed feed() {
        return Highway.to("shanghai")
                .bind(
                        Feed.class,
                        star.consumer()
                                .reference(
                                        Feed.class,
                                        config -> config.setUrl("tri://" + star.star.shanghai.tripleAddress))
                                .get());
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "zstd"})
    void compressesTheMessagesOfStreams_bothWays(String compression) {
        shop(compression, Tunnel.TRIPLE);
        Feed feed = feed();
        Collected<String> answers = new Collected<>();
        byte[] noise = new byte[1000];
        new Random(1).nextBytes(noise);
        List<String> sent = List.of(TEXT, "tea", new String(noise, StandardCharsets.ISO_8859_1), TEXT + TEXT, "", TEXT);

        long answerBytes = answerBytesOf(() -> {
            assertThat(bytesOf(() -> {
                        StreamObserver<String> questions = feed.join(answers);
                        sent.forEach(questions::onNext);
                        questions.onCompleted();
                        return answers.done.orTimeout(20, TimeUnit.SECONDS).join();
                    }))
                    .isLessThan(TEXT.length() / 2);
            return sent;
        });

        assertThat(answers.values)
                .containsExactlyElementsOf(
                        sent.stream().map(text -> "shanghai:" + text).toList());
        if (isDubbo33()) {
            assertThat(answerBytes).isLessThan(TEXT.length() / 2);
        }
    }

    @Test
    void leavesAStreamToTheApplication_thatChoosesItsEncoding() {
        shop("zstd", Tunnel.TRIPLE);
        Feed feed = feed();
        Collected<String> answers = new Collected<>();

        StreamObserver<String> questions = feed.join(answers);
        ((ClientCallToObserverAdapter<?>) questions).setCompression("gzip");
        questions.onNext(TEXT);
        questions.onCompleted();

        assertThat(answers.done.orTimeout(20, TimeUnit.SECONDS).join()).containsExactly("shanghai:" + TEXT);
    }

    /** What the provider answers to these header fields. */
    private static String answerTo(String... fields) throws Exception {
        List<RawCaller.Field> all = new ArrayList<>();
        for (int i = 0; i < fields.length; i += 2) {
            all.add(new RawCaller.Field(fields[i], fields[i + 1]));
        }
        try (RawCaller caller = new RawCaller(star.star.shanghai.tripleAddress)) {
            return caller.sell(Tunnel.TRIPLE, "zhejiang-app", all);
        }
    }

    @Test
    void aProviderAdvertisesWhatItReads_onEveryAnswer() throws Exception {
        assumeTrue(isDubbo33(), "providers of Dubbo 3.2 advertise nothing");

        assertThat(answerTo()).contains("shanghai:tea").contains("grpc-accept-encoding: gzip,snappy,zstd");
        assertThat(answerTo("highway-island", "beijing"))
                .contains("grpc-status: 7")
                .contains("grpc-accept-encoding: gzip,snappy,zstd");
    }

    @Test
    void aProviderStatesThatItDoesNotReadAnEncoding_beforeAnythingRuns() throws Exception {
        star.shanghai().received.clear();

        assertThat(answerTo("highway-island", "shanghai", "grpc-encoding", "br"))
                .contains("grpc-status: 12")
                .contains(":status: 200")
                .contains("highway-refused: "
                        + TriRpcStatus.encodeMessage(
                                "shanghai;no-such-encoding; the provider" + " reads gzip,snappy,zstd and not br"))
                .contains("grpc-accept-encoding: gzip,snappy,zstd");
        try (RawCaller caller = new RawCaller(star.star.shanghai.tripleAddress)) {
            String path = "/" + Feed.class.getName() + "/join";
            List<RawCaller.Field> fields = List.of(
                    new RawCaller.Field("highway-island", "shanghai"), new RawCaller.Field("grpc-encoding", "br"));
            assertThat(caller.answerToHeaders(path, fields)).contains("highway-refused: shanghai%3Bno-such-encoding");
        }
        assertThat(answerTo("grpc-encoding", "br"))
                .contains("grpc-status: 12")
                .contains(":status: 200")
                .doesNotContain("highway-refused");

        assertThat(star.shanghai().received).isEmpty();
    }

    @Test
    void aProviderCompressesForThoseThatAskForIt() throws Exception {
        assumeTrue(isDubbo33(), "providers of Dubbo 3.2 compress no answer");

        assertThat(answerTo("highway-island", "shanghai", "grpc-accept-encoding", "gzip,zstd"))
                .doesNotContain("grpc-encoding");
        assertThat(answerTo("grpc-encoding", "identity", "grpc-accept-encoding", "gzip,zstd"))
                .doesNotContain("grpc-encoding");
        assertThat(answerTo("highway-island", "shanghai", "grpc-encoding", "identity"))
                .doesNotContain("grpc-encoding");
        assertThat(answerTo(
                        "highway-island",
                        "shanghai",
                        "grpc-encoding",
                        "identity",
                        "grpc-accept-encoding",
                        "gzip, zstd"))
                .contains("grpc-encoding: zstd")
                .contains("shanghai:tea"); // short
        assertThat(answerTo("highway-island", "shanghai", "grpc-encoding", "gzip", "grpc-accept-encoding", "gzip"))
                .contains("grpc-encoding: gzip");
    }
}
