// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.http2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.highway.sdk.dubbo.internal.evidence.AttemptEvidence;
import io.highway.sdk.dubbo.internal.evidence.LostConnectionException;
import io.highway.sdk.dubbo.internal.memory.MemoryBudget;
import io.highway.sdk.dubbo.internal.network.compression.GrpcMessageCompression;
import io.highway.sdk.dubbo.internal.network.connection.ConnectionOpener;
import io.highway.sdk.dubbo.internal.network.connection.Transports;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultEventLoopGroup;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.local.LocalAddress;
import io.netty.channel.local.LocalChannel;
import io.netty.channel.local.LocalServerChannel;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2GoAwayFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.TriRpcStatus;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.apache.dubbo.rpc.model.PackableMethod;
import org.apache.dubbo.rpc.model.ServiceModel;
import org.apache.dubbo.rpc.protocol.tri.call.ClientCall;
import org.apache.dubbo.rpc.protocol.tri.compressor.Identity;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A raw HTTP/2 peer that answers calls, and what counts as proof of them. */
@Tag("network")
class GrpcConnectionTest {

    private static EventLoopGroup loop;

    private final ConnectionOpener opener = Transports.triple();
    private final List<Channel> opened = new ArrayList<>();

    /** Of requests, as they arrive. */
    private final List<Integer> dataFrames = new CopyOnWriteArrayList<>();

    @BeforeAll
    @SuppressWarnings("deprecation") // its successor is not in Netty 4.1
    static void start() {
        loop = new DefaultEventLoopGroup(2);
    }

    @AfterAll
    static void stop() {
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    @AfterEach
    void close() {
        opened.forEach(Channel::close);
    }

    private AttemptEvidence evidence() {
        RpcInvocation call =
                new RpcInvocation((ServiceModel) null, "send", "com.foo.Sms", "", new Class<?>[0], new Object[0]);
        AttemptEvidence evidence = AttemptEvidence.begin(call, "shanghai", "com.foo.Sms", "send", null);
        evidence.passToInvoker();
        return evidence;
    }

    /** Connects to a peer that answers each call so, and allows so many at once. */
    private GrpcConnection connect(int maxStreams, Consumer<ChannelHandlerContext> answer) throws Exception {
        return connect(maxStreams, answer, new Cut(), new Cut());
    }

    /** Connects to a peer whose answers, or the requests to it, are cut. */
    private GrpcConnection connect(
            int maxStreams, Consumer<ChannelHandlerContext> answer, Cut ofAnswers, Cut ofRequests) throws Exception {
        LocalAddress address = new LocalAddress("peer-" + System.identityHashCode(answer));
        opened.add(new ServerBootstrap()
                .group(loop)
                .channel(LocalServerChannel.class)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline()
                                .addLast(ofAnswers)
                                .addLast(Http2FrameCodecBuilder.forServer()
                                        .initialSettings(
                                                Http2Settings.defaultSettings().maxConcurrentStreams(maxStreams))
                                        .build())
                                .addLast(new Http2MultiplexHandler(new Peer(answer, dataFrames)));
                    }
                })
                .bind(address)
                .sync()
                .channel());
        CompletableFuture<GrpcConnection> made = new CompletableFuture<>();
        opened.add(new Bootstrap()
                .group(loop)
                .channel(LocalChannel.class)
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(ofRequests);
                        made.complete(new GrpcConnection(channel, FrameworkModel.defaultModel(), opener));
                        opener.secure(channel);
                    }
                })
                .connect(address)
                .sync()
                .channel());
        GrpcConnection connection = made.get(10, TimeUnit.SECONDS);
        await().until(() -> connection.streams().http2().local().maxActiveStreams() == maxStreams);
        return connection;
    }

    /** Lets so many bytes pass from its beginning on, and closes the connection within the next write. */
    private static final class Cut extends ChannelDuplexHandler {

        private volatile int left = Integer.MAX_VALUE;

        void begin(int bytes) {
            left = bytes;
        }

        @Override
        public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
            ByteBuf bytes = (ByteBuf) message;
            if (bytes.readableBytes() <= left) {
                left -= left == Integer.MAX_VALUE ? 0 : bytes.readableBytes();
                context.write(bytes, promise);
                return;
            }
            context.writeAndFlush(bytes.readSlice(left));
            promise.setFailure(new IOException("Broken pipe"));
            context.close();
        }
    }

    @Sharable
    private static final class Peer extends ChannelInboundHandlerAdapter {

        private final Consumer<ChannelHandlerContext> answer;
        private final List<Integer> dataFrames;

        Peer(Consumer<ChannelHandlerContext> answer, List<Integer> dataFrames) {
            this.answer = answer;
            this.dataFrames = dataFrames;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (message instanceof Http2HeadersFrame) {
                answer.accept(context);
            }
            if (message instanceof Http2DataFrame data) {
                dataFrames.add(data.content().readableBytes());
            }
            ReferenceCountUtil.release(message);
        }
    }

    private static Http2Headers request() {
        return new DefaultHttp2Headers()
                .method("POST")
                .scheme("http")
                .path("/com.foo.Sms/send")
                .authority("gateway");
    }

    private static GrpcCall call(GrpcConnection connection, AttemptEvidence evidence, int timeoutMillis) {
        return call(connection, evidence, timeoutMillis, new byte[8]);
    }

    private static GrpcCall call(
            GrpcConnection connection, AttemptEvidence evidence, int timeoutMillis, byte[] message) {
        return call(connection, evidence, timeoutMillis, message, Runnable::run);
    }

    private static GrpcCall call(
            GrpcConnection connection, AttemptEvidence evidence, int timeoutMillis, byte[] message, Executor executor) {
        GrpcRequest request = new GrpcRequest(
                request(),
                null,
                mock(PackableMethod.class),
                Identity.IDENTITY,
                GrpcMessageCompression.of(null, URL.valueOf("tri://gateway:50051")));
        GrpcCall call =
                new UnaryCall(connection, request, new GrpcMessage(message, false), executor, evidence, timeoutMillis);
        assertThat(evidence.sends(call)).isTrue();
        return call;
    }

    /** Sends one call. */
    private static GrpcCall send(GrpcConnection connection, AttemptEvidence evidence) {
        GrpcCall call = call(connection, evidence, 60_000);
        connection.send(call);
        return call;
    }

    private static void awaitEnd(GrpcCall call) {
        await().atMost(Duration.ofSeconds(10)).until(() -> call.answer().isDone());
    }

    private static Http2Headers headers(String status, String type, String... more) {
        Http2Headers headers = new DefaultHttp2Headers();
        if (!status.isEmpty()) {
            headers.status(status);
        }
        if (!type.isEmpty()) {
            headers.set("content-type", type);
        }
        for (int i = 0; i < more.length; i += 2) {
            headers.add(more[i], more[i + 1]);
        }
        return headers;
    }

    private static Consumer<ChannelHandlerContext> whole(Http2Headers headers) {
        return context -> context.writeAndFlush(new DefaultHttp2HeadersFrame(headers, true));
    }

    private static Consumer<ChannelHandlerContext> begun(Http2Headers trailers) {
        return context -> {
            context.write(new DefaultHttp2HeadersFrame(headers("200", GRPC), false));
            context.writeAndFlush(new DefaultHttp2HeadersFrame(trailers, true));
        };
    }

    private static final String GRPC = "application/grpc+proto";
    private static final String GATEWAY = "highway-not-forwarded";
    private static final String GUARD = "highway-refused";

    static Stream<Arguments> proofs() {
        return Stream.of(
                Arguments.of(
                        whole(headers("200", GRPC, "grpc-status", "14", GATEWAY, "shanghai;no-route")),
                        AttemptEvidence.Kind.NOT_FORWARDED),
                Arguments.of(
                        whole(headers("200", GRPC, "grpc-status", "7", GUARD, "shanghai;unsigned")),
                        AttemptEvidence.Kind.REFUSED),
                Arguments.of(
                        whole(headers("200", GRPC, "grpc-status", "12", GUARD, "shanghai;no-such-service")),
                        AttemptEvidence.Kind.NO_SUCH_SERVICE),
                Arguments.of(whole(headers("404", "text/html")), AttemptEvidence.Kind.NO_SUCH_SERVICE),
                Arguments.of(whole(headers("404", "")), AttemptEvidence.Kind.NO_SUCH_SERVICE));
    }

    @ParameterizedTest
    @MethodSource("proofs")
    void believesWhatTheContractNames(Consumer<ChannelHandlerContext> answer, AttemptEvidence.Kind kind)
            throws Exception {
        AttemptEvidence evidence = evidence();

        awaitEnd(send(connect(100, answer), evidence));

        assertThat(evidence.statement()).isNotNull();
        assertThat(evidence.statement().kind()).isEqualTo(kind);
    }

    static Stream<Consumer<ChannelHandlerContext>> noProofs() {
        return Stream.of(
                whole(headers("200", GRPC, "grpc-status", "14", GATEWAY, "no-route")),
                whole(headers("200", GRPC, "grpc-status", "14", GATEWAY, "beijing;no-route")),
                whole(headers("200", GRPC, "grpc-status", "14", GATEWAY, "shanghai")),
                whole(headers("200", GRPC, "grpc-status", "14", GATEWAY, "shanghai;a", GATEWAY, "shanghai;b")),
                whole(headers("200", GRPC, "grpc-status", "13", GATEWAY, "shanghai;no-route")),
                whole(headers("200", GRPC, GATEWAY, "shanghai;no-route")),
                whole(headers("500", GRPC, "grpc-status", "14", GATEWAY, "shanghai;no-route")),
                whole(headers("503", "text/html", "grpc-status", "14", GATEWAY, "shanghai;no-route")),
                whole(headers("200", GRPC, "grpc-status", "14", "grpc-message", "HIGHWAY-NOT-FORWARDED: shanghai;x")),
                whole(headers(
                        "200", GRPC, "grpc-status", "14", "grpc-message", "upstream gateway:50051 is unavailable")),
                whole(headers("200", GRPC, "grpc-status", "7", "grpc-message", "HIGHWAY-REFUSED:unsigned")),
                whole(headers("200", GRPC, "grpc-status", "0", GUARD, "shanghai;unsigned")),
                whole(headers("200", GRPC, "grpc-status", "7", GUARD, "beijing;unsigned")),
                whole(headers("200", GRPC, "grpc-status", "7", GUARD, "shanghai;unsigned; about com.foo.Mms#send")),
                whole(headers("200", GRPC, "grpc-status", "12")),
                whole(headers("200", GRPC, "grpc-status", "5")),
                whole(headers("404", GRPC, "grpc-status", "5")),
                begun(headers("", "", "grpc-status", "14", GATEWAY, "shanghai;no-route")),
                begun(headers("", "", "grpc-status", "7", GUARD, "shanghai;unsigned")),
                context -> {
                    context.write(new DefaultHttp2HeadersFrame(
                            headers("200", GRPC, "grpc-status", "14", GATEWAY, "shanghai;no-route"), false));
                    context.writeAndFlush(new DefaultHttp2DataFrame(true));
                },
                context -> context.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.REFUSED_STREAM)),
                context -> context.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.CANCEL)));
    }

    @ParameterizedTest
    @MethodSource("noProofs")
    void believesNothingElse(Consumer<ChannelHandlerContext> answer) throws Exception {
        AttemptEvidence evidence = evidence();

        awaitEnd(send(connect(100, answer), evidence));

        assertThat(evidence.statement()).isNull();
        assertThat(evidence.unwritten()).isNull();
        assertThat(evidence.neverLeft()).isFalse();
    }

    @Test
    void provesThatACallOverThePeersLimitWasNotSent() throws Exception {
        GrpcConnection connection = connect(1, context -> {});
        AttemptEvidence sent = evidence();
        GrpcCall unanswered = send(connection, sent);
        AttemptEvidence refused = evidence();

        GrpcCall waiting = call(connection, refused, 300);
        connection.send(waiting);

        awaitEnd(waiting);
        assertThat(refused.unwritten()).hasMessageContaining("SETTINGS_MAX_CONCURRENT_STREAMS");
        assertThat(sent.unwritten()).isNull();
        assertThat(unanswered.answer()).isNotDone();
    }

    @Test
    void provesThatAStreamAboveTheLastOneOfAGoAwayWasNotProcessed() throws Exception {
        GrpcConnection connection = connect(
                100,
                context -> context.channel().parent().writeAndFlush(new DefaultHttp2GoAwayFrame(Http2Error.NO_ERROR)));
        AttemptEvidence last = evidence();
        AttemptEvidence above = evidence();

        send(connection, last);
        send(connection, above); // before the GOAWAY arrives, or after it

        await().until(() -> above.unwritten() != null || above.neverLeft());
        assertThat(last.unwritten()).isNull();
        assertThat(last.neverLeft()).isFalse();
    }

    @Test
    void provesThatACallHasNotLeft_andKeepsItFromLeavingLater() throws Exception {
        AtomicInteger arrived = new AtomicInteger();
        GrpcConnection connection = connect(100, context -> {
            arrived.incrementAndGet();
            whole(headers("200", GRPC, "grpc-status", "0")).accept(context);
        });
        AttemptEvidence evidence = evidence();
        GrpcCall late = call(connection, evidence, 60_000);

        assertThat(evidence.neverLeft()).isTrue();
        connection.send(late);
        awaitEnd(send(connection, evidence()));

        assertThat(evidence.neverLeft()).isTrue();
        assertThat(late.answer()).isCompletedExceptionally();
        assertThat(arrived).hasValue(1);
    }

    @Test
    void losesItsCalls_whenItIsLost() throws Exception {
        GrpcConnection connection =
                connect(100, context -> context.channel().parent().close());
        AttemptEvidence evidence = evidence();

        GrpcCall lost = send(connection, evidence);

        awaitEnd(lost);
        assertThat(lost.answer().handle((answer, failure) -> failure).join())
                .isInstanceOf(LostConnectionException.class);
        assertThat(evidence.neverLeft()).isFalse();
        AttemptEvidence later = evidence();
        awaitEnd(send(connection, later));
        assertThat(later.unwritten()).isNotNull();
    }

    /** A frame of 1 KB costs as much as one of 16 KB. */
    @Test
    void takeTurnsByWholeFrames_whileManyWrite() throws Exception {
        int calls = 20;
        int bytes = 80 * 1024;
        GrpcConnection connection = connect(100, context -> {});
        List<GrpcCall> large = Stream.generate(() -> call(connection, evidence(), 60_000, new byte[bytes]))
                .limit(calls)
                .toList();

        connection.channel().eventLoop().execute(() -> large.forEach(connection::send)); // in one turn

        await().until(() -> dataFrames.stream().mapToInt(Integer::intValue).sum() >= calls * bytes);
        assertThat(dataFrames).hasSizeLessThan(calls * bytes / (8 * 1024));
    }

    /** Gateways write texts as they are. */
    @ParameterizedTest
    @ValueSource(strings = {"grpc-message", "highway-not-forwarded", "highway-refused", "grpc-status-details-bin"})
    void anAnswerThatCannotBeRead_endsNoOtherCall(String header) throws Exception {
        AtomicInteger calls = new AtomicInteger();
        GrpcConnection connection = connect(100, context -> {
            if (calls.incrementAndGet() == 2) {
                whole(headers("200", GRPC, "grpc-status", "14", header, "50% done"))
                        .accept(context);
            }
        });
        GrpcCall neighbour = send(connection, evidence());
        AttemptEvidence evidence = evidence();

        GrpcCall answered = send(connection, evidence);

        awaitEnd(answered);
        assertThat(answered.answer().join().getException()).hasMessageContaining("UNAVAILABLE");
        assertThat(evidence.statement()).isNull();
        assertThat(neighbour.answer()).isNotDone();
        assertThat(connection.isSound()).isTrue();
    }

    @Test
    void aGoAwayProvesNothing_onceTheAnswerHasBegun() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        GrpcConnection connection = connect(100, context -> {
            context.writeAndFlush(new DefaultHttp2HeadersFrame(headers("200", GRPC), false));
            if (calls.incrementAndGet() == 2) {
                ByteBuf lastIsZero = Unpooled.buffer().writeInt(0).writeInt(0);
                ChannelHandlerContext codec =
                        context.channel().parent().pipeline().context(Http2FrameCodec.class);
                codec.writeAndFlush(Unpooled.buffer() // the frame codec writes no last id below what it has seen
                        .writeMedium(8)
                        .writeByte(7)
                        .writeByte(0)
                        .writeInt(0)
                        .writeBytes(lastIsZero));
            }
        });
        AttemptEvidence first = evidence();
        GrpcCall begun = send(connection, first);
        await().until(begun::isBeingAnswered);

        GrpcCall second = send(connection, evidence());

        awaitEnd(begun);
        awaitEnd(second);
        assertThat(first.unwritten()).isNull();
        assertThat(first.neverLeft()).isFalse();
    }

    /** It needs no more of the request, and a reset of each would end the connection. */
    @Test
    void aStreamThatIsAnsweredEarly_isClosed() throws Exception {
        GrpcConnection connection = connect(1, whole(headers("200", GRPC, "grpc-status", "8")));
        for (int i = 0; i < 20; i++) { // more than are reset in a second
            CompletableFuture<TriRpcStatus> end = new CompletableFuture<>();
            StreamCall stream = stream(connection, Runnable::run, end);

            stream.sendMessage("one");

            assertThat(end.get(10, TimeUnit.SECONDS).code).isEqualTo(TriRpcStatus.Code.RESOURCE_EXHAUSTED);
            stream.sendMessage("more"); // is not needed any more
        }
    }

    private static StreamCall stream(GrpcConnection connection, Executor executor, CompletableFuture<TriRpcStatus> end)
            throws Exception {
        PackableMethod method = mock(PackableMethod.class);
        when(method.packRequest(any())).thenReturn(new byte[8]);
        GrpcRequest request = new GrpcRequest(
                request(),
                null,
                method,
                Identity.IDENTITY,
                GrpcMessageCompression.of(null, URL.valueOf("tri://gateway:50051")));
        StreamCall stream = new StreamCall(connection, request, executor, null);
        stream.start(new ClientCall.Listener() {
            @Override
            public void onMessage(Object message, int length) {
                throw new AssertionError("an error of the application");
            }

            @Override
            public void onStart(ClientCall call) {
                call.request(1);
                call.request(Integer.MAX_VALUE);
            }

            @Override
            public void onClose(TriRpcStatus status, Map<String, Object> trailers, boolean isException) {
                end.complete(status);
            }
        });
        return stream;
    }

    private static Consumer<ChannelHandlerContext> message() {
        return context -> {
            context.write(new DefaultHttp2HeadersFrame(headers("200", GRPC), false));
            context.writeAndFlush(new DefaultHttp2DataFrame(Unpooled.wrappedBuffer(new byte[5])));
        };
    }

    /** Of a pool that is full, and of one that has ended. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aStreamGoesOn_withoutThreads(boolean hasEnded) throws Exception {
        ExecutorService full = new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new SynchronousQueue<>());
        CountDownLatch busy = new CountDownLatch(1);
        try {
            full.execute(() -> {
                try {
                    busy.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            if (hasEnded) {
                full.shutdown();
            }
            CompletableFuture<TriRpcStatus> end = new CompletableFuture<>();
            GrpcConnection connection = connect(100, message());
            GrpcCall neighbour = call(connection, evidence(), 60_000);

            stream(connection, full, end).sendMessage("one");

            assertThat(end.get(10, TimeUnit.SECONDS).cause).isInstanceOf(AssertionError.class);
            assertThat(neighbour.answer()).isNotDone();
            assertThat(connection.isSound()).isTrue();
        } finally {
            busy.countDown();
            full.shutdown();
        }
    }

    private static void answerWithAMessage(ChannelHandlerContext context) {
        message().accept(context);
        context.writeAndFlush(new DefaultHttp2HeadersFrame(headers("", "", "grpc-status", "0"), true));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void aWholeAnswer_countsUntilItIsDecoded(int messages) throws Exception { // of several the last one is read
        int length = 2 * MemoryBudget.STEP;
        Queue<Runnable> ofCallers = new ConcurrentLinkedQueue<>();
        GrpcConnection connection = connect(100, context -> {
            byte[] prefix = {0, 0, 2, 0, 0};
            context.write(new DefaultHttp2HeadersFrame(headers("200", GRPC), false));
            for (int i = 0; i < messages; i++) {
                context.write(new DefaultHttp2DataFrame(Unpooled.wrappedBuffer(prefix, new byte[length])));
            }
            context.writeAndFlush(new DefaultHttp2HeadersFrame(headers("", "", "grpc-status", "0"), true));
        });
        MemoryBudget memory = MemoryBudget.of(FrameworkModel.defaultModel());
        GrpcCall call = call(connection, evidence(), 60_000, new byte[8], ofCallers::add);

        connection.send(call);
        await().until(() -> !ofCallers.isEmpty());
        await().until(() -> connection.streams().http2().numActiveStreams() == 0);
        assertThat(memory.bytes()).isEqualTo(length);
        ofCallers.remove().run();

        awaitEnd(call);
        assertThat(memory.bytes()).isZero();
    }

    @Test
    void anAnswerThatIsCutAtAnyByte_endsItsCallAsMaybeRun() throws Exception {
        boolean isWhole = false;
        for (int bytes = 0; !isWhole; bytes++) {
            int passed = bytes;
            Cut answers = new Cut();
            GrpcConnection connection = connect(
                    100,
                    context -> {
                        answers.begin(passed);
                        answerWithAMessage(context);
                    },
                    answers,
                    new Cut());
            AttemptEvidence evidence = evidence();

            GrpcCall call = send(connection, evidence);

            awaitEnd(call);
            isWhole = !call.answer().isCompletedExceptionally();
            assertThat(evidence.unwritten()).isNull();
            assertThat(evidence.neverLeft()).isFalse();
            assertThat(bytes).as("an answer has fewer").isLessThan(200);
        }
    }

    @Test
    void aRequestThatIsCutAtAnyByte_isNotSent_onlyIfItHasNotArrived() throws Exception {
        int arrived = 0;
        for (int bytes = 0; arrived < 2; bytes++) {
            AtomicBoolean hasRun = new AtomicBoolean();
            Cut requests = new Cut();
            GrpcConnection connection = connect(
                    100,
                    context -> {
                        hasRun.set(true);
                        answerWithAMessage(context);
                    },
                    new Cut(),
                    requests);
            AttemptEvidence evidence = evidence();
            requests.begin(bytes);

            GrpcCall call = send(connection, evidence);

            awaitEnd(call);
            boolean isNotSent = evidence.unwritten() != null || evidence.neverLeft();
            if (hasRun.get()) { // what has headers may run
                arrived++;
                assertThat(isNotSent).as("with %d bytes", bytes).isFalse();
            }
            assertThat(bytes).as("a request has fewer").isLessThan(500);
        }
    }
}
