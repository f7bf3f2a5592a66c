// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.HighwayAttachments;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.DefaultHttp2FrameWriter;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2FrameWriter;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersEncoder;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2Settings;
import java.util.ArrayList;
import java.util.List;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TripleRequestHandlerTest {

    private static final int FRAMES = 5_000;
    private static final int BUFFER = 64 * 1024;
    private static final int STREAM = 3;

    private final FrameworkModel framework = new FrameworkModel();
    private final EmbeddedChannel client = new EmbeddedChannel(new ChannelInboundHandlerAdapter());
    private final Http2FrameWriter frames = new DefaultHttp2FrameWriter();

    /** What is passed on, which its service does not read until the end. */
    private final List<Http2DataFrame> passedOn = new ArrayList<>();

    private EmbeddedChannel server;

    /** What a peer sends in frames of a few bytes. */
    private enum Body {

        /** No gRPC: a byte each. */
        JSON("application/json", new byte[1]),

        /** A byte each of one message of a MB. */
        PARTS("application/grpc", new byte[] {0}),

        /** A message each. */
        MESSAGES("application/grpc", new byte[] {0, 0, 0, 0, 1, 7});

        private final String type;
        private final byte[] frame;

        Body(String type, byte[] frame) {
            this.type = type;
            this.frame = frame;
        }

        private Http2Headers headers() {
            return new DefaultHttp2Headers()
                    .method("POST")
                    .path("/shop/sell")
                    .scheme("http")
                    .set(HighwayAttachments.ISLAND, "shanghai")
                    .set("content-type", type);
        }
    }

    @BeforeEach
    void connect() {
        URL url = URL.valueOf("tri://127.0.0.1:0").setScopeModel(framework);
        server = new EmbeddedChannel(
                Http2FrameCodecBuilder.forServer().build(),
                new TripleRequestHandler(url),
                new ChannelInboundHandlerAdapter() {
                    @Override
                    public void channelRead(ChannelHandlerContext context, Object message) {
                        if (message instanceof Http2DataFrame data) {
                            passedOn.add(data);
                        } else {
                            context.fireChannelRead(message);
                        }
                    }
                });
        server.writeInbound(Http2CodecUtil.connectionPrefaceBuf());
        write(to -> frames.writeSettings(to, new Http2Settings(), to.newPromise()));
    }

    @AfterEach
    void close() {
        passedOn.forEach(Http2DataFrame::release);
        client.finishAndReleaseAll();
        server.finishAndReleaseAll();
        framework.destroy();
    }

    private interface Writing {
        void to(ChannelHandlerContext context);
    }

    private void write(Writing frame) {
        server.writeInbound(bytesOf(frame));
    }

    private ByteBuf bytesOf(Writing frame) {
        frame.to(client.pipeline().firstContext());
        client.flush();
        ByteBuf bytes = Unpooled.buffer();
        for (ByteBuf part = client.readOutbound(); part != null; part = client.readOutbound()) {
            bytes.writeBytes(part);
            part.release();
        }
        return bytes;
    }

    /** Netty would keep up to 4 GB of what it writes. */
    @Test
    void keepFewHeaders_whateverThePeerAllows() throws Exception {
        Http2HeadersEncoder.Configuration written = server.pipeline()
                .get(Http2FrameCodec.class)
                .encoder()
                .configuration()
                .headersConfiguration();
        write(to -> frames.writeSettings(to, new Http2Settings().headerTableSize(1L << 30), to.newPromise()));
        assertThat(written.maxHeaderTableSize()).isEqualTo(1L << 30);

        write(to -> frames.writeHeaders(to, STREAM, Body.PARTS.headers(), 0, false, to.newPromise()));

        assertThat(written.maxHeaderTableSize()).isEqualTo(Http2CodecUtil.DEFAULT_HEADER_TABLE_SIZE);
    }

    /** Dubbo 3.3 ends an exception that it cannot write twice; Netty would close the connection with all calls on it. */
    @Test
    void writeOneEndOfAnAnswer_withATextThatProxiesPassOn() {
        Http2HeadersFrame request = request();
        Http2Headers end =
                new DefaultHttp2Headers(false).set("grpc-message", "first line\nsecond line " + "x".repeat(9_000));

        server.write(new DefaultHttp2HeadersFrame(new DefaultHttp2Headers().status("200")).stream(request.stream()));
        server.write(new DefaultHttp2HeadersFrame(end, true).stream(request.stream()));
        ChannelFuture second =
                server.write(new DefaultHttp2HeadersFrame(new DefaultHttp2Headers(), true).stream(request.stream()));
        server.flush();

        assertThat(second.isDone()).isTrue();
        assertThat(second.isSuccess()).isFalse();
        assertThat(server.isActive()).isTrue();
        assertThat(String.valueOf(end.get("grpc-message")))
                .startsWith("first%20line%0Asecond%20line")
                .hasSizeLessThan(1_000);
    }

    private Http2HeadersFrame request() {
        List<Http2HeadersFrame> requests = new ArrayList<>();
        server.pipeline().addLast(new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext context, Object message) {
                if (message instanceof Http2HeadersFrame headers) {
                    requests.add(headers);
                }
            }
        });
        write(to -> frames.writeHeaders(to, STREAM, Body.MESSAGES.headers(), 0, false, to.newPromise()));
        write(to ->
                frames.writeData(to, STREAM, Unpooled.wrappedBuffer(Body.MESSAGES.frame), 0, true, to.newPromise()));
        return requests.get(0);
    }

    /** Dubbo keeps every name for ever, and inflates bzip2 without a limit. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void passOnNoEncodingThatCannotBeRead(boolean hasBody) {
        List<Http2HeadersFrame> headers = new ArrayList<>();
        server.pipeline().addLast(new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext context, Object message) {
                if (message instanceof Http2HeadersFrame frame) {
                    headers.add(frame);
                }
            }
        });

        write(to -> frames.writeHeaders(
                to, STREAM, Body.PARTS.headers().set("grpc-encoding", "bzip2"), 0, !hasBody, to.newPromise()));

        assertThat(headers).hasSize(hasBody ? 0 : 1);
        assertThat(headers).noneMatch(frame -> frame.headers().contains("grpc-encoding"));
    }

    /** Each frame arrives in a separate buffer, of which it is a small part, as behind padding or other streams. */
    @ParameterizedTest
    @EnumSource
    void keepNoBufferOfSmallFrames(Body body) {
        write(to -> frames.writeHeaders(to, STREAM, body.headers(), 0, false, to.newPromise()));
        int kept = 0;

        for (int i = 0; i < FRAMES; i++) {
            byte[] content = body == Body.PARTS && i == 2 ? new byte[] {16} : body.frame; // its length: 1 MB
            ByteBuf frame = bytesOf(
                    to -> frames.writeData(to, STREAM, Unpooled.wrappedBuffer(content), 0, false, to.newPromise()));
            ByteBuf buffer = Unpooled.buffer(BUFFER).writeBytes(frame).writerIndex(BUFFER);
            frame.release();
            server.writeInbound(buffer.readRetainedSlice(Http2CodecUtil.FRAME_HEADER_LENGTH + content.length));
            buffer.release();
            kept += buffer.refCnt() > 0 ? 1 : 0;
        }

        assertThat(kept).isLessThanOrEqualTo(1);
        assertThat(passedOn).hasSizeLessThanOrEqualTo(FRAMES);
        assertThat(passedOn.isEmpty()).isEqualTo(body == Body.PARTS || body == Body.JSON);
    }
}
