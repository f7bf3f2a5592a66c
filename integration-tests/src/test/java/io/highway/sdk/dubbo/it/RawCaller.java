// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.alibaba.com.caucho.hessian.io.Hessian2Output;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2PingFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2PingFrame;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.Http2StreamChannelBootstrap;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A caller without Dubbo, which can write the same attachment or header field more than once. */
final class RawCaller implements AutoCloseable {

    private static final int MAGIC = 0xdabb;
    private static final int TWO_WAY_REQUEST_IN_HESSIAN = 0xc2;
    private static final int TIMEOUT_MILLIS = 10_000;

    @SuppressWarnings("deprecation") // its successor is not in Netty 4.1
    private final NioEventLoopGroup loop = new NioEventLoopGroup(1, new DefaultThreadFactory("raw-caller", true));

    private final String host;
    private final int port;

    /** An attachment or a header field; a null value is written as Hessian's null. */
    record Field(String name, String value) {}

    RawCaller(String address) {
        this.host = address.substring(0, address.lastIndexOf(':'));
        this.port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }

    /** Calls {@code Shop#sell} as an application, and returns the answer as text: error, or what was sold. */
    String sell(Tunnel tunnel, String application, List<Field> fields) throws Exception {
        return tunnel == Tunnel.DUBBO ? sellOverDubbo(application, fields) : sellOverTriple(application, fields);
    }

    private String sellOverDubbo(String application, List<Field> fields) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        Hessian2Output out = new Hessian2Output(body);
        for (String text : List.of("2.0.2", Shop.class.getName(), "0.0.0", "sell", "Ljava/lang/String;", "tea")) {
            out.writeString(text);
        }
        out.writeMapBegin(null);
        for (Field own : List.of(
                new Field("path", Shop.class.getName()),
                new Field("interface", Shop.class.getName()),
                new Field("remote.application", application))) {
            out.writeString(own.name);
            out.writeString(own.value);
        }
        for (Field field : fields) {
            out.writeString(field.name);
            out.writeString(field.value);
        }
        out.writeMapEnd();
        out.flush();
        try (Socket socket = new Socket(host, port);
                DataInputStream in = new DataInputStream(socket.getInputStream());
                DataOutputStream frame = new DataOutputStream(socket.getOutputStream())) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            DataOutputStream head = new DataOutputStream(bytes);
            head.writeShort(MAGIC);
            head.writeByte(TWO_WAY_REQUEST_IN_HESSIAN);
            head.writeByte(0);
            head.writeLong(1);
            head.writeInt(body.size());
            head.write(body.toByteArray());
            frame.write(bytes.toByteArray());
            in.skipNBytes(12);
            byte[] answer = new byte[in.readInt()];
            in.readFully(answer);
            return new String(answer, StandardCharsets.UTF_8);
        }
    }

    private String sellOverTriple(String application, List<Field> fields) throws Exception {
        try (Held call = hold(Shop.class.getName(), application, fields)) {
            return call.finish();
        }
    }

    /** The answer to the headers alone. */
    String answerToHeaders(String path, List<Field> fields) throws Exception {
        try (Held call = headers(path, "zhejiang-app", fields)) {
            return call.answer.get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    /** Sends the headers of a call of {@code sell} over Triple; returns once the provider has them. */
    Held hold(String service, String application, List<Field> fields) throws Exception {
        return headers("/" + service + "/sell", application, fields);
    }

    private Held headers(String path, String application, List<Field> fields) throws Exception {
        Http2Headers headers = new DefaultHttp2Headers(false)
                .method("POST")
                .scheme("http")
                .authority(host)
                .path(path)
                .add("content-type", "application/grpc+proto")
                .add("te", "trailers")
                .add("tri-consumer-appname", application);
        fields.forEach(field -> headers.add(field.name, field.value));
        Held call = new Held();
        call.write(stream -> RawTriplePeer.write(stream, headers, false));
        call.awaitRead();
        return call;
    }

    /** A call on a separate connection, whose body is not sent yet. */
    final class Held implements AutoCloseable {

        private final CompletableFuture<String> answer = new CompletableFuture<>();
        private final BlockingQueue<Boolean> pings = new LinkedBlockingQueue<>();
        private final Channel connection;
        private final Channel stream;

        private Held() throws Exception {
            connection = new Bootstrap()
                    .group(loop)
                    .channel(NioSocketChannel.class)
                    .handler(new ChannelInitializer<>() {
                        @Override
                        protected void initChannel(Channel client) {
                            client.pipeline()
                                    .addLast(Http2FrameCodecBuilder.forClient().build())
                                    .addLast(new Http2MultiplexHandler(new ChannelInboundHandlerAdapter()))
                                    .addLast(new Pings(pings));
                        }
                    })
                    .connect(host, port)
                    .sync()
                    .channel();
            stream = new Http2StreamChannelBootstrap(connection)
                    .handler(new Answer(answer))
                    .open()
                    .sync()
                    .getNow();
        }

        private void write(Consumer<ChannelHandlerContext> frames) throws InterruptedException {
            stream.eventLoop()
                    .submit(() -> {
                        frames.accept(stream.pipeline().lastContext());
                        stream.pipeline().lastContext().flush();
                    })
                    .sync();
        }

        /** Until the provider has read all frames, or has closed the connection. */
        void awaitRead() throws InterruptedException {
            connection.writeAndFlush(new DefaultHttp2PingFrame(0)).await();
            assertThat(pings.poll(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)).isNotNull();
        }

        /** Sends the body; returns the answer as text. */
        String finish() throws Exception {
            send();
            return answer.get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
        }

        /** Sends the body. */
        void send() throws InterruptedException {
            write(context -> {
                RawTriplePeer.message(context, "tea");
                RawTriplePeer.end(context);
            });
        }

        /** Gives up the call; returns once the provider knows. */
        void cancel() throws InterruptedException {
            stream.close().sync();
            awaitRead();
        }

        @Override
        public void close() {
            connection.close().syncUninterruptibly();
        }
    }

    private static final class Pings extends ChannelInboundHandlerAdapter {

        private final BlockingQueue<Boolean> answered;

        Pings(BlockingQueue<Boolean> answered) {
            this.answered = answered;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (message instanceof Http2PingFrame ping && ping.ack()) {
                answered.add(true);
            }
            ReferenceCountUtil.release(message);
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            answered.add(false);
        }
    }

    /** The headers and data of an answer as text, with how it ended. */
    static final class Answer extends ChannelInboundHandlerAdapter {

        private final CompletableFuture<String> answer;
        private final StringBuilder text = new StringBuilder();

        Answer(CompletableFuture<String> answer) {
            this.answer = answer;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            boolean ended = message instanceof Http2ResetFrame;
            if (message instanceof Http2HeadersFrame headers) {
                text.append(headers.headers());
                ended = headers.isEndStream();
            } else if (message instanceof Http2DataFrame data) {
                text.append(data.content().toString(StandardCharsets.UTF_8));
                ended = data.isEndStream();
            }
            ReferenceCountUtil.release(message);
            if (ended) {
                answer.complete(text.toString());
            }
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (event instanceof Http2ResetFrame reset) {
                answer.complete(text + " RST_STREAM " + reset.errorCode());
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            answer.complete(text + " closed");
        }
    }

    @Override
    public void close() {
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
}
