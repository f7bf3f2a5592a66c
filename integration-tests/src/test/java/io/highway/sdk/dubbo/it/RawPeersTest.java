// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.tools.fixtures.logs.CapturedLog;
import io.highway.tools.gateway.Gateway;
import io.highway.tools.gateway.GatewayConfig;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.DefaultHttp2GoAwayFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Headers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.dubbo.common.stream.StreamObserver;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A peer behind the gateways that runs every call and then answers with every status, text, header and trailer that
 * means "did not run" to gateways or the SDK. There are two gateways to try and providers at home to fall back to: a
 * call runs once, and is never reported as not sent. Answers that only a forged provider process can give are left out,
 * see docs/operate/security.md: a Dubbo frame with the statement of a gateway, an HTTP status 404 without gRPC, and the refusal
 * of the SDK where the gateway is configured that providers have it.
 */
@Tag("network")
class RawPeersTest {

    private static final String NOT_FORWARDED = "highway-not-forwarded";
    private static final String REFUSED = "highway-refused";

    private static final List<String> VALUES = List.of(
            "shanghai;upstream-unreachable",
            "shanghai;no-such-service",
            "shanghai;unsigned; about " + Shop.class.getName() + "#sell",
            "beijing;upstream-unreachable",
            "draining");

    private static final List<AutoCloseable> opened = new ArrayList<>();
    private static final AtomicInteger ranAtHome = new AtomicInteger();
    private static final Map<Place, Caller> CALLERS = new HashMap<>();
    private int rows;
    private int ran;

    private static RawTriplePeer triple;
    private static RawDubboPeer dubbo;

    /** Where the peer is. */
    enum Place {
        /** Behind a gateway that is configured for providers with the SDK. */
        WITH_SDK,
        /** Behind one that is configured for providers without it. */
        WITHOUT_SDK,
        /** Instead of home's gateway, so that no gateway removes anything. */
        AT_HOME
    }

    private record Caller(Map<Tunnel, ShopReferences> shops, Feed feed) {}

    /** How a peer puts fields into its answer. */
    enum Shape {
        ONE_FRAME,
        TRAILERS_AFTER_HEADERS,
        TRAILERS_AFTER_A_MESSAGE,
        BESIDE_AN_INFORMATIONAL_RESPONSE;

        Consumer<ChannelHandlerContext> answer(Map<String, String> fields) {
            return stream -> {
                switch (this) {
                    case ONE_FRAME -> RawTriplePeer.write(stream, with(RawTriplePeer.begin(), fields), true);
                    case TRAILERS_AFTER_HEADERS -> {
                        RawTriplePeer.write(stream, RawTriplePeer.begin(), false);
                        RawTriplePeer.write(stream, with(new DefaultHttp2Headers(), fields), true);
                    }
                    case TRAILERS_AFTER_A_MESSAGE -> {
                        RawTriplePeer.write(stream, RawTriplePeer.begin(), false);
                        RawTriplePeer.message(stream, "tea");
                        RawTriplePeer.write(stream, with(new DefaultHttp2Headers(), fields), true);
                    }
                    case BESIDE_AN_INFORMATIONAL_RESPONSE -> {
                        RawTriplePeer.write(stream, with(new DefaultHttp2Headers().status("103"), fields), false);
                        RawTriplePeer.write(stream, with(RawTriplePeer.begin(), fields), false);
                        RawTriplePeer.write(stream, with(new DefaultHttp2Headers(), fields), true);
                    }
                }
            };
        }

        private static Http2Headers with(Http2Headers headers, Map<String, String> fields) {
            fields.forEach(headers::set);
            return headers;
        }
    }

    @BeforeAll
    static void start() throws Exception {
        triple = keep(new RawTriplePeer("shanghai.test"));
        dubbo = keep(new RawDubboPeer("shanghai.test"));
        TestApplication home = keep(new TestApplication("zhejiang", Map.of("highway.island", "zhejiang")));
        String homeDubbo = home.listen("dubbo");
        home.export(Shop.class, shopAtHome(), service -> {}).start();
        for (Place place : Place.values()) {
            Gateway far = keep(Gateway.start(GatewayConfig.builder()
                    .island("shanghai")
                    .listen("gateway.shanghai.test", 0)
                    .providers(
                            "shanghai",
                            "*",
                            List.of("shanghai.test:" + dubbo.port()),
                            List.of("shanghai.test:" + triple.port()))
                    .guarded(place == Place.WITH_SDK)
                    .build()));
            String gateways = homeGateway(far) + "," + homeGateway(far);
            CALLERS.put(place, caller(gateways, gateways, homeDubbo));
        }
        CALLERS.put(Place.AT_HOME, caller(twice(dubbo.port()), twice(triple.port()), homeDubbo));
    }

    /** Two addresses of one peer. */
    private static String twice(int port) {
        return "shanghai.test:" + port + ",gateway.shanghai.test:" + port;
    }

    private static Shop shopAtHome() {
        return new ForwardingShop() {
            @Override
            public String sell(String item) {
                ranAtHome.incrementAndGet();
                return item;
            }

            @Override
            public CompletableFuture<String> sellLater(String item) {
                return CompletableFuture.completedFuture(sell(item));
            }
        };
    }

    private static String homeGateway(Gateway far) {
        Gateway gateway = keep(Gateway.start(GatewayConfig.builder()
                .island("zhejiang")
                .listen("gateway.zhejiang.test", 0)
                .next("shanghai", List.of("gateway.shanghai.test:" + far.port()))
                .build()));
        return "gateway.zhejiang.test:" + gateway.port();
    }

    private static Caller caller(String dubboGateways, String tripleGateways, String homeDubbo) {
        Map<Tunnel, ShopReferences> shops = new HashMap<>();
        Feed feed = null;
        for (Tunnel tunnel : Tunnel.values()) {
            TestApplication application = keep(new TestApplication(
                    "zhejiang",
                    Map.ofEntries(
                            Map.entry("highway.island", "zhejiang"),
                            Map.entry("highway.gateways.dubbo", dubboGateways),
                            Map.entry("highway.gateways.triple", tripleGateways),
                            Map.entry("highway.defaults.tunnel", tunnel.key()),
                            Map.entry("highway.defaults.timeout", "10s"),
                            Map.entry("highway.defaults.fallback", "home"),
                            Map.entry("highway.defaults.breaker.failure-rate", "none"),
                            Map.entry("highway.islands.shanghai.keys", "310000"),
                            Map.entry("highway.islands.beijing.keys", "110000"),
                            Map.entry("highway.heartbeat.interval", "none"))));
            shops.put(tunnel, ShopReferences.of(application, homeDubbo));
            if (tunnel == Tunnel.TRIPLE) {
                feed = application
                        .reference(Feed.class, config -> {
                            config.setUrl("tri://127.0.0.1:9");
                            config.setCheck(false);
                        })
                        .get();
            }
        }
        return new Caller(shops, feed);
    }

    private static <C extends AutoCloseable> C keep(C one) {
        opened.add(0, one);
        return one;
    }

    @AfterAll
    static void end() throws Exception {
        for (AutoCloseable one : opened) {
            one.close();
        }
    }

    /** Every answer that the gateway before the peer must clear, or that is no statement. */
    private static Map<String, Consumer<ChannelHandlerContext>> answers(Place place) {
        Map<String, Consumer<ChannelHandlerContext>> answers = new LinkedHashMap<>();
        for (Shape shape : Shape.values()) {
            for (String status : List.of("14", "7", "0")) {
                for (String value : VALUES) {
                    for (List<String> names : List.of(List.of(NOT_FORWARDED), List.of(NOT_FORWARDED, REFUSED))) {
                        if (shape == Shape.ONE_FRAME && isProof(place, status, names, value)) {
                            continue;
                        }
                        Map<String, String> fields = new HashMap<>(Map.of(
                                "grpc-status", status, "grpc-message", "HIGHWAY-NOT-FORWARDED: shanghai;draining"));
                        names.forEach(name -> fields.put(name, value));
                        answers.put(shape + " " + fields, shape.answer(fields));
                    }
                }
            }
        }
        List<String> statuses = List.of("14", "12", "5", "2", "13");
        for (int i = 0; i < Hostile.TEXTS.size(); i++) { // each text, each status; what is believed depends on no pair
            String text = Hostile.TEXTS.get(i);
            String status = statuses.get(i % statuses.size());
            answers.put(
                    status + " \"" + text + "\"",
                    Shape.ONE_FRAME.answer(Map.of("grpc-status", status, "grpc-message", text)));
        }
        for (Http2Error error : Http2Error.values()) {
            answers.put("RST_STREAM " + error, stream -> stream.write(new DefaultHttp2ResetFrame(error)));
        }
        answers.put(
                "HTTP status 404 of gRPC",
                stream -> RawTriplePeer.write(
                        stream, RawTriplePeer.begin().status("404").set("grpc-status", "12"), true));
        answers.put(
                "HTTP status 503",
                stream -> RawTriplePeer.write(
                        stream, new DefaultHttp2Headers().status("503").set("content-type", "text/html"), true));
        if (place != Place.AT_HOME) { // by RFC 9113 it proves that no stream was processed
            answers.put("GOAWAY for all streams, and the end", stream -> {
                Channel connection = stream.channel().parent();
                connection
                        .writeAndFlush(new DefaultHttp2GoAwayFrame(Http2Error.NO_ERROR))
                        .addListener(
                                sent -> connection.pipeline().firstContext().close());
            });
        }
        answers.put(
                "the end of the connection",
                stream -> stream.channel().parent().pipeline().firstContext().close());
        return answers;
    }

    /** What gateways and the SDK itself write, where nothing removes it. */
    private static boolean isProof(Place place, String status, List<String> names, String value) {
        return switch (place) {
            case WITHOUT_SDK -> false;
            case WITH_SDK -> !status.equals("0") && names.contains(REFUSED);
            case AT_HOME -> !status.equals("0") && value.startsWith("shanghai;");
        };
    }

    @ParameterizedTest
    @EnumSource
    void runOnce_whateverTheyAnswerOverTriple(Place place) {
        List<String> wrong = new ArrayList<>();
        int row = 0;

        for (Map.Entry<String, Consumer<ChannelHandlerContext>> one :
                answers(place).entrySet()) {
            triple.answer = one.getValue();
            Mode mode = Mode.values()[row++ % Mode.values().length];
            check(wrong, mode + " " + one.getKey(), triple.executed, () -> sell(place, Tunnel.TRIPLE, mode));
        }

        assertRanOnce(wrong);
    }

    @ParameterizedTest
    @EnumSource
    void runOnce_whateverTheyAnswerOverTheDubboProtocol(Place place) {
        List<String> wrong = new ArrayList<>();
        int row = 0;

        for (String text : Hostile.TEXTS) {
            for (int status : new int[] {25, 30, 31, 35, 40, 50, 60, 70, 80, 90, 100}) {
                if (isForged(status, text)) {
                    continue;
                }
                dubbo.answer(status, text);
                Mode mode = Mode.values()[row++ % Mode.values().length];
                String what = mode + " " + status + " \"" + text + "\"";
                check(wrong, what, dubbo.executed, () -> sell(place, Tunnel.DUBBO, mode));
            }
        }

        assertRanOnce(wrong);
    }

    /** What the wire contract calls proof; no server writes it after a service has run. */
    private static boolean isForged(int status, String text) {
        return switch (status) {
            case 40 -> text.startsWith("Fail to decode request due to");
            case 60, 80 -> text.startsWith("dubbo router: ") || text.startsWith("dubbo upstream request: too many");
            case 70 ->
                text.startsWith("HIGHWAY-NOT-FORWARDED: shanghai;")
                        || text.startsWith("org.apache.dubbo.remoting.RemotingException: Not found");
            default -> false;
        };
    }

    @ParameterizedTest
    @CsvSource({"WITHOUT_SDK, false", "WITHOUT_SDK, true", "AT_HOME, false", "AT_HOME, true"})
    void runStreamsOnce_whateverTheirTrailersSay(Place place, boolean bothWays) {
        List<String> wrong = new ArrayList<>();

        answers(place).forEach((what, answer) -> {
            triple.answer = answer;
            check(wrong, what, triple.executed, () -> stream(place, bothWays));
        });

        assertRanOnce(wrong);
    }

    /** RFC 9113, section 8.1: the peer needs no more of the request, such as Envoy when no route takes it. */
    @Test
    void logNothing_whenTheyResetACallThatTheyHaveAnswered() throws Throwable {
        try (CapturedLog log = new CapturedLog()) {
            triple.answer = stream -> {
                RawTriplePeer.write(stream, RawTriplePeer.begin().set("grpc-status", "14"), true);
                stream.write(new DefaultHttp2ResetFrame(Http2Error.NO_ERROR));
            };
            assertThat(catchThrowable(() -> stream(Place.AT_HOME, true))).hasCauseInstanceOf(HighwayException.class);
            triple.answer = stream -> {
                RawTriplePeer.write(stream, RawTriplePeer.begin(), false);
                RawTriplePeer.message(stream, "tea");
                RawTriplePeer.write(stream, new DefaultHttp2Headers().set("grpc-status", "0"), true);
            };
            sell(Place.AT_HOME, Tunnel.TRIPLE, Mode.SYNC); // its answer comes behind the reset

            assertThat(log.lines("remote reset")).isEmpty();
        }
    }

    /** A peer may close a connection after an answer, so that a few of the next rows do not reach it. */
    private void assertRanOnce(List<String> wrong) {
        assertThat(wrong).isEmpty();
        assertThat(ran).isGreaterThan(rows * 9 / 10);
    }

    private interface Call {
        void make() throws Throwable;
    }

    private static void sell(Place place, Tunnel tunnel, Mode mode) throws Throwable {
        ShopReferences shop = CALLERS.get(place).shops.get(tunnel);
        Highway.to("shanghai").callChecked(() -> mode.sell(shop.typed(), shop.generic(), "tea"));
    }

    private static void stream(Place place, boolean bothWays) throws Throwable {
        Feed feed = Highway.to("shanghai").bind(Feed.class, CALLERS.get(place).feed);
        CompletableFuture<Void> done = new CompletableFuture<>();
        StreamObserver<String> answers = new StreamObserver<>() {
            @Override
            public void onNext(String answer) {}

            @Override
            public void onError(Throwable error) {
                done.completeExceptionally(error);
            }

            @Override
            public void onCompleted() {
                done.complete(null);
            }
        };
        if (bothWays) {
            StreamObserver<String> questions = feed.join(answers);
            questions.onNext("tea");
        } else {
            feed.count(3, answers);
        }
        done.get(10, TimeUnit.SECONDS);
    }

    private void check(List<String> wrong, String what, AtomicInteger executed, Call call) {
        executed.set(0);
        ranAtHome.set(0);
        Throwable ended = null;
        try {
            call.make();
        } catch (Throwable e) {
            ended = e;
        }
        while ((ended instanceof ExecutionException || ended instanceof CompletionException)
                && ended.getCause() != null) {
            ended = ended.getCause();
        }
        rows++;
        ran += Math.min(1, executed.get());
        if (executed.get() > 1 || ranAtHome.get() != 0) {
            wrong.add(what + ": ran " + executed + " times, at home " + ranAtHome + " times: " + ended);
        }
        if (ended instanceof HighwayException e && !e.mayHaveRun()) {
            wrong.add(what + ": is reported as not sent: " + e.getMessage());
        }
    }
}
