// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static io.highway.sdk.dubbo.internal.network.compression.TrainedDictionary.order;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.github.luben.zstd.ZstdCompressCtx;
import com.google.protobuf.StringValue;
import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.sdk.dubbo.internal.network.compression.AgedEncodings;
import io.highway.sdk.dubbo.internal.network.compression.TrainedDictionary;
import io.highway.tools.fixtures.faults.FaultyLink;
import io.highway.tools.gateway.Gateway;
import io.highway.tools.gateway.GatewayConfig;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.dubbo.common.Version;
import org.apache.dubbo.common.stream.StreamObserver;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Messages between home and shanghai, which have a dictionary, and some providers that do not have it. Orders of 1 KB
 * have about 400 bytes by zstd, and 200 with the dictionary.
 */
@Tag("network")
class ZstdDictionaryTest extends OnFaultyStar {

    private static final int WITH_HEADERS = 300;

    @TempDir
    private static Path folder;

    private static Path dictionary;
    private static TestIsland knowing;
    private FaultyLink link;
    private int number = 100_000;

    @BeforeAll
    static void train() {
        dictionary = TrainedDictionary.write(folder.resolve("orders.dict"), 0);
        knowing = star.star.closing(provider("zhejiang"));
    }

    @BeforeEach
    void requireDubbo33() {
        assumeTrue(Version.getVersion().startsWith("3.3"), "providers of Dubbo 3.2 advertise nothing");
    }

    /** Shanghai with the dictionary, for calls from this island. */
    private static TestIsland provider(String caller) {
        return new TestIsland(
                "shanghai",
                Map.of(
                        "highway.island",
                        "shanghai",
                        "highway.islands." + caller + ".compression",
                        "auto",
                        "highway.dictionaries.orders",
                        "file:" + dictionary,
                        "highway.islands." + caller + ".dictionary",
                        "orders"));
    }

    private static String encoding(Path file) throws Exception {
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
        return "zstd-" + HexFormat.of().formatHex(hash, 0, 16);
    }

    /** A gateway of home to these providers. */
    private static Gateway gatewayTo(TestIsland... providers) {
        Gateway there = star.star.closing(Gateway.start(GatewayConfig.builder()
                .island("shanghai")
                .listen("gateway.shanghai.test", 0)
                .providers(
                        "shanghai",
                        "*",
                        List.of(),
                        List.of(providers).stream()
                                .map(one -> one.tripleAddress)
                                .toList())
                .build()));
        return star.star.closing(Gateway.start(GatewayConfig.builder()
                .island("zhejiang")
                .listen("gateway.zhejiang.test", 0)
                .next("shanghai", List.of("gateway.shanghai.test:" + there.port()))
                .build()));
    }

    private Shop shop(String compression, TestIsland... providers) {
        return shop(compression, gatewayTo(providers).port());
    }

    private Shop shop(String compression, int port) {
        link = star.link(port);
        return Highway.to("shanghai")
                .bind(
                        Shop.class,
                        star.free(
                                events,
                                Tunnel.TRIPLE,
                                FaultyStar.address(link.port()),
                                "highway.islands.shanghai.compression",
                                compression,
                                "highway.dictionaries.orders",
                                "file:" + dictionary,
                                "highway.islands.shanghai.dictionary",
                                "orders",
                                "highway.heartbeat.interval",
                                "none"));
    }

    private String sell(Shop shop) {
        String order = order(number++);
        assertThat(shop.sell(order)).endsWith(":" + order);
        return order;
    }

    private static void passAMinute() {
        AgedEncodings.age(
                HighwayRuntime.of(star.consumer().model())
                        .snapshot()
                        .destinations()
                        .of("shanghai")
                        .encodings()
                        .learning(),
                Duration.ofMinutes(1));
    }

    /** Bytes that left home by it. */
    private long sentBy(Supplier<?> call) {
        long before = link.traffic().toTarget().sum();
        call.get();
        return link.traffic().toTarget().sum() - before;
    }

    /** Bytes that came home by it. */
    private long receivedBy(Supplier<?> call) {
        long before = link.traffic().toClients().sum();
        call.get();
        return link.traffic().toClients().sum() - before;
    }

    @ParameterizedTest
    @ValueSource(strings = {"zstd", "auto"})
    void compressesRequests_onceAllAnswersOfAMinuteAdvertiseIt(String compression) {
        Shop shop = shop(compression, knowing);

        sell(shop);
        sell(shop);
        long before = sentBy(() -> sell(shop));
        passAMinute();
        long then = sentBy(() -> sell(shop));

        assertThat(then).isLessThan(WITH_HEADERS).isLessThan(before - 80);
        assertThat(sentBy(() -> sell(shop))).isLessThan(WITH_HEADERS);
    }

    @Test
    void compressesAnswers_fromTheFirstCallOn() {
        Shop with = shop("zstd", knowing);
        sell(with);
        long known = receivedBy(() -> sell(with));
        Shop without = shop("zstd", star.star.shanghai);
        sell(without);

        assertThat(known).isLessThan(WITH_HEADERS).isLessThan(receivedBy(() -> sell(without)) - 80);
    }

    @Test
    void compressesGeneratedStubsAndStreams_too() {
        Shop shop = shop("zstd", knowing);
        sell(shop);
        passAMinute();
        Echoes.register();
        Echoes echoes = Highway.to("shanghai")
                .bind(
                        Echoes.class,
                        star.consumer()
                                .reference(Echoes.class, config -> {
                                    config.setUrl("tri://" + FaultyStar.address(link.port()));
                                    config.setProxy("nativestub");
                                })
                                .get());
        StringValue order = StringValue.of(order(number));
        assertThat(echoes.echo(order)).isEqualTo(order);

        passAMinute(); // the first answer of this service may have begun another minute
        assertThat(sentBy(() -> echoes.echo(order))).isLessThan(WITH_HEADERS);
        assertThat(receivedBy(() -> echoes.echo(order))).isLessThan(WITH_HEADERS);

        Feed feed = Highway.to("shanghai")
                .bind(
                        Feed.class,
                        star.consumer()
                                .reference(
                                        Feed.class, config -> config.setUrl("tri://" + FaultyStar.address(link.port())))
                                .get());
        Collected<String> answers = new Collected<>();
        StreamObserver<String> questions = feed.join(answers);
        List.of(1, 2, 3).forEach(one -> questions.onNext(order(one)));
        questions.onCompleted();
        assertThat(answers.done.orTimeout(20, TimeUnit.SECONDS).join())
                .containsExactly("shanghai:" + order(1), "shanghai:" + order(2), "shanghai:" + order(3));
    }

    @ParameterizedTest
    @ValueSource(strings = {"zstd", "auto"})
    void failsNoCall_andRunsNoneTwice_whereProvidersDoNotHaveIt(String compression) {
        TestIsland another = star.star.closing(TestIsland.start("shanghai"));
        Gateway gateway = gatewayTo(knowing, star.star.shanghai, another);
        Shop shop = shop(compression, gateway.port());
        knowing.shop.received.clear();
        star.star.shanghai.shop.received.clear();

        for (int i = 0; i < 40; i++) {
            sell(shop);
            passAMinute(); // the next call tries it again, if the last answer advertised it
        }

        assertThat(knowing.shop.received.size()
                        + star.star.shanghai.shop.received.size()
                        + another.shop.received.size())
                .isEqualTo(40);
        // the gateway avoids a provider for two seconds after a refusal
        assertThat(gateway.stats().forwarded()).as("with those sent again").isGreaterThan(40);
    }

    @ParameterizedTest
    @ValueSource(strings = {"zstd", "auto"})
    void sendsARefusedRequestAgainWithoutIt_andTheNextOnes(String compression) throws Exception {
        String encoding = encoding(dictionary);
        try (RawTriplePeer peer = new RawTriplePeer("gateway.zhejiang.test")) {
            peer.answer = stream -> {
                RawTriplePeer.write(
                        stream, RawTriplePeer.begin().set("grpc-accept-encoding", "gzip,zstd," + encoding), false);
                RawTriplePeer.message(stream, "tea");
                RawTriplePeer.write(stream, new DefaultHttp2Headers().set("grpc-status", "0"), true);
            };
            Consumer<ChannelHandlerContext> reads = peer.answer;
            Shop shop = shop(compression, peer.port());
            assertThat(shop.sell(order(1))).isEqualTo("tea");
            passAMinute();
            long with = sentBy(() -> shop.sell(order(2)));
            assertThat(with).isLessThan(WITH_HEADERS);
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
                                .set("highway-refused", "shanghai;no-such-encoding; the provider reads gzip,zstd"),
                        true);
            };

            assertThat(sentBy(() -> assertThat(shop.sell(order(3))).isEqualTo("tea")))
                    .isGreaterThan(2 * with);

            assertThat(refused).hasValue(2);
            assertThat(sentBy(() -> shop.sell(order(4)))).isGreaterThan(WITH_HEADERS);
            passAMinute();
            assertThat(sentBy(() -> shop.sell(order(5)))).isLessThan(WITH_HEADERS);
        }
    }

    /** Its providers may be others, such as those of Dubbo 3.2, which do not answer what they cannot read. */
    @Test
    void isNotUsedForAServiceThatHasNotAdvertisedIt() {
        Shop shop = shop("zstd", knowing);
        sell(shop);
        passAMinute();
        assertThat(sentBy(() -> sell(shop))).isLessThan(WITH_HEADERS);
        Echoes.register();
        Echoes echoes = Highway.to("shanghai")
                .bind(
                        Echoes.class,
                        star.consumer()
                                .reference(
                                        Echoes.class,
                                        config -> config.setUrl("tri://" + FaultyStar.address(link.port())))
                                .get());
        StringValue order = StringValue.of(order(number++));

        assertThat(sentBy(() -> echoes.echo(order))).isGreaterThan(WITH_HEADERS);
    }

    /** As gateways answer while providers are restarted. */
    @Test
    void isUsedOn_afterAnErrorOfAGateway() throws Exception {
        String encoding = encoding(dictionary);
        try (RawTriplePeer peer = new RawTriplePeer("gateway.zhejiang.test")) {
            Consumer<ChannelHandlerContext> reads = stream -> {
                RawTriplePeer.write(
                        stream, RawTriplePeer.begin().set("grpc-accept-encoding", "gzip,zstd," + encoding), false);
                RawTriplePeer.message(stream, "tea");
                RawTriplePeer.write(stream, new DefaultHttp2Headers().set("grpc-status", "0"), true);
            };
            peer.answer = reads;
            Shop shop = shop("zstd", peer.port());
            assertThat(shop.sell(order(1))).isEqualTo("tea");
            passAMinute();
            peer.answer = stream -> RawTriplePeer.write(
                    stream, RawTriplePeer.begin().set("grpc-status", "14").set("grpc-message", "no upstream"), true);
            assertThatThrownBy(() -> shop.sell(order(2))).isInstanceOf(HighwayException.class);
            peer.answer = reads;

            assertThat(sentBy(() -> shop.sell(order(3)))).isLessThan(WITH_HEADERS);
        }
    }

    @Test
    void isNotUsedForCallersOfAnotherIsland() {
        TestIsland forBeijing = star.star.closing(provider("beijing"));
        Shop shop = shop("zstd", forBeijing);
        sell(shop);
        long answered = receivedBy(() -> sell(shop));
        passAMinute();

        assertThat(sentBy(() -> sell(shop))).isGreaterThan(WITH_HEADERS);
        assertThat(answered).isGreaterThan(WITH_HEADERS);
    }

    /** As a hostile destination could make this process reveal another island's dictionary. */
    @Test
    void readsNoAnswer_thatNeedsTheDictionaryOfAnotherIsland() throws Exception {
        Path beijings = TrainedDictionary.write(folder.resolve("beijing.dict"), 50_000);
        byte[] frame;
        try (ZstdCompressCtx context = new ZstdCompressCtx().loadDict(Files.readAllBytes(beijings))) {
            frame = context.compress(order(1).getBytes(java.nio.charset.StandardCharsets.UTF_8));
        }
        try (RawTriplePeer peer = new RawTriplePeer("gateway.zhejiang.test")) {
            peer.answer = stream -> {
                RawTriplePeer.write(stream, RawTriplePeer.begin().set("grpc-encoding", "zstd"), false);
                stream.writeAndFlush(new DefaultHttp2DataFrame(
                        Unpooled.buffer().writeByte(1).writeInt(frame.length).writeBytes(frame)));
                RawTriplePeer.write(stream, new DefaultHttp2Headers().set("grpc-status", "0"), true);
            };
            link = star.link(peer.port());
            Shop shop = Highway.to("shanghai")
                    .bind(
                            Shop.class,
                            star.free(
                                    events,
                                    Tunnel.TRIPLE,
                                    FaultyStar.address(link.port()),
                                    "highway.defaults.compression",
                                    "zstd",
                                    "highway.dictionaries.orders",
                                    "file:" + dictionary,
                                    "highway.islands.shanghai.dictionary",
                                    "orders",
                                    "highway.dictionaries.beijings",
                                    "file:" + beijings,
                                    "highway.islands.beijing.dictionary",
                                    "beijings",
                                    "highway.heartbeat.interval",
                                    "none"));

            assertThatThrownBy(() -> shop.sell("tea"))
                    .isInstanceOfSatisfying(
                            HighwayException.class, e -> assertThat(e.reason()).isEqualTo(Reason.SERIALIZATION))
                    .hasMessageContaining("ictionary");
        }
    }
}
