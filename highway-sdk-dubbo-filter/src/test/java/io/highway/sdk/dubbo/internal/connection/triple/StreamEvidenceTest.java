// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.triple;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.dubbo.internal.connection.channel.GatewayTransport;
import io.highway.sdk.dubbo.internal.connection.channel.Greeting;
import io.highway.sdk.dubbo.internal.evidence.AttemptEvidence;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
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
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2SettingsFrame;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.handler.codec.http2.Http2StreamChannelBootstrap;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.model.ServiceModel;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A raw HTTP/2 peer that answers one call, and what counts as proof of it. */
@Tag("network")
class StreamEvidenceTest {

    private static EventLoopGroup loop;

    private final GatewayTransport transport = new GatewayTransport(null, null, "gateway", 50051, Greeting.HTTP2, 1000);
    private final List<Channel> opened = new ArrayList<>();

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

    private AttemptEvidence evidence(Http2Headers headers) {
        RpcInvocation call =
                new RpcInvocation((ServiceModel) null, "send", "com.foo.Sms", "", new Class<?>[0], new Object[0]);
        AttemptEvidence evidence = AttemptEvidence.begin(call, transport, "shanghai", "com.foo.Sms", "send", null);
        evidence.passToInvoker(call, true);
        headers.set(AttemptEvidence.ATTACHMENT, (String) call.getObjectAttachment(AttemptEvidence.ATTACHMENT));
        return evidence;
    }

    /** Connects to a peer that answers each call so, and allows so many at once. */
    private Channel connect(int maxStreams, Consumer<ChannelHandlerContext> answer) throws Exception {
        LocalAddress address = new LocalAddress("peer-" + System.identityHashCode(answer));
        opened.add(new ServerBootstrap()
                .group(loop)
                .channel(LocalServerChannel.class)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline()
                                .addLast(Http2FrameCodecBuilder.forServer()
                                        .initialSettings(
                                                Http2Settings.defaultSettings().maxConcurrentStreams(maxStreams))
                                        .build())
                                .addLast(new Http2MultiplexHandler(new Peer(answer)));
                    }
                })
                .bind(address)
                .sync()
                .channel());
        CompletableFuture<Void> settled = new CompletableFuture<>();
        Channel channel = new Bootstrap()
                .group(loop)
                .channel(LocalChannel.class)
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline()
                                .addLast(Http2FrameCodecBuilder.forClient().build())
                                .addLast(new Http2MultiplexHandler(new ChannelInboundHandlerAdapter()))
                                .addLast(new ChannelInboundHandlerAdapter() {
                                    @Override
                                    public void channelRead(ChannelHandlerContext context, Object message) {
                                        if (message instanceof Http2SettingsFrame) {
                                            settled.complete(null);
                                        }
                                        ReferenceCountUtil.release(message);
                                    }
                                });
                        transport.secure(channel);
                        StreamEvidence.addTo(channel.pipeline().firstContext(), transport, new CarriedHeaders());
                    }
                })
                .connect(address)
                .sync()
                .channel();
        opened.add(channel);
        settled.get(10, TimeUnit.SECONDS);
        return channel;
    }

    @Sharable
    private static final class Peer extends ChannelInboundHandlerAdapter {

        private final Consumer<ChannelHandlerContext> answer;

        Peer(Consumer<ChannelHandlerContext> answer) {
            this.answer = answer;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (message instanceof Http2HeadersFrame headers) {
                assertThat(headers.headers().contains(AttemptEvidence.ATTACHMENT))
                        .isFalse();
                answer.accept(context);
            }
            ReferenceCountUtil.release(message);
        }
    }

    /** Sends one call and waits until its stream has ended. */
    private static Http2StreamChannel send(Channel connection, Http2Headers request) throws Exception {
        Http2StreamChannel stream = new Http2StreamChannelBootstrap(connection)
                .handler(new ChannelInboundHandlerAdapter() {
                    @Override
                    public void channelRead(ChannelHandlerContext context, Object message) {
                        ReferenceCountUtil.release(message);
                    }
                })
                .open()
                .sync()
                .getNow();
        request.method("POST").scheme("http").path("/com.foo.Sms/send").authority("gateway");
        stream.writeAndFlush(new DefaultHttp2HeadersFrame(request, true)).await(10, TimeUnit.SECONDS);
        return stream;
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
        Channel connection = connect(100, answer);
        Http2Headers request = new DefaultHttp2Headers();
        AttemptEvidence evidence = evidence(request);

        Http2StreamChannel stream = send(connection, request);

        assertThat(stream.closeFuture().await(10, TimeUnit.SECONDS)).isTrue();
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
        Channel connection = connect(100, answer);
        Http2Headers request = new DefaultHttp2Headers();
        AttemptEvidence evidence = evidence(request);

        Http2StreamChannel stream = send(connection, request);

        assertThat(stream.closeFuture().await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(evidence.statement()).isNull();
        assertThat(evidence.unwritten()).isNull();
        assertThat(evidence.neverLeft()).isFalse();
    }

    @Test
    void provesThatAStreamOverThePeersLimitWasNotSent() throws Exception {
        Channel connection = connect(1, context -> {});
        Http2Headers first = new DefaultHttp2Headers();
        AttemptEvidence sent = evidence(first);
        Http2StreamChannel unanswered = send(connection, first);
        Http2Headers second = new DefaultHttp2Headers();
        AttemptEvidence refused = evidence(second);

        send(connection, second);

        await().until(() -> refused.unwritten() != null);
        assertThat(refused.unwritten()).hasMessageContaining("Maximum active streams violated");
        assertThat(sent.unwritten()).isNull();
        unanswered.close();
    }

    @Test
    void provesThatAStreamAboveTheLastOneOfAGoAwayWasNotProcessed() throws Exception {
        Channel connection = connect(
                100,
                context -> context.channel().parent().writeAndFlush(new DefaultHttp2GoAwayFrame(Http2Error.NO_ERROR)));
        Http2Headers first = new DefaultHttp2Headers();
        AttemptEvidence last = evidence(first);
        Http2Headers second = new DefaultHttp2Headers();
        AttemptEvidence above = evidence(second);

        send(connection, first);
        send(connection, second); // before the GOAWAY arrives, or after it

        await().until(() -> above.unwritten() != null);
        assertThat(last.unwritten()).isNull();
    }

    @Test
    void provesThatACallHasNotLeft_andKeepsItFromLeavingLater() throws Exception {
        AtomicInteger arrived = new AtomicInteger();
        Channel connection = connect(100, context -> arrived.incrementAndGet());
        Http2Headers request = new DefaultHttp2Headers();
        AttemptEvidence evidence = evidence(request);

        boolean neverLeft = evidence.neverLeft();
        Http2StreamChannel late = send(connection, request);

        assertThat(neverLeft).isTrue();
        assertThat(late.closeFuture().await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(evidence.neverLeft()).isTrue();
        assertThat(arrived).hasValue(0);
    }
}
