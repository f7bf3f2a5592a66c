// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway;

import io.highway.tools.gateway.dubbo.DubboFrameDecoder;
import io.highway.tools.gateway.dubbo.OwnFrames;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http2.DefaultHttp2LocalFlowController;
import io.netty.handler.codec.http2.DefaultHttp2PingFrame;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.flush.FlushConsolidationHandler;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** What handles the bytes of a connection: by protocol, on the side of clients and on the side of upstreams. */
@SuppressWarnings("FutureReturnValueIgnored") // Netty reports a failed write by closing the channel
final class Pipelines {
    /**
     * As in Dubbo. Netty opens the connection's window to twice this, which is moderate on purpose: Dubbo's Triple server
     * starts one byte over the standard window, so an update up to the maximum, as other proxies send, overflows it.
     */
    private static final int STREAM_WINDOW = 8 << 20;
    /**
     * As in Dubbo, so that frames keep their boundaries. Dubbo's server (3.3.6) frees a DATA frame once it has looked at
     * it, with the half message at its end: a streamed message cut into several frames arrives damaged.
     */
    private static final int MAX_FRAME = 8 << 20;

    /** Netty cuts a DATA frame where the connection would become unwritable: not before a whole one fits. */
    private static final WriteBufferWaterMark WHOLE_FRAMES = new WriteBufferWaterMark(MAX_FRAME, 2 * MAX_FRAME);

    private static final int UNLIMITED = 0;
    private static final int MAX_HEADERS = 64 << 10;
    private static final int MAX_CHUNK = 64 << 10;
    private static final int MAX_FLUSHES_HELD_BACK = 256;

    private Pipelines() {}

    static void dubboClient(Channel channel, long maxFrame, Forwarder forwarder) {
        dubbo(channel, maxFrame, new DubboClient(channel, forwarder), "dubbo client");
    }

    /** Calls may use it as soon as it is open. */
    static CompletableFuture<?> dubboUpstream(Channel channel, long maxFrame, Consumer<Channel> retire) {
        channel.pipeline().addLast(new KeepAlive(context -> OwnFrames.heartbeat(context.alloc())));
        dubbo(channel, maxFrame, new DubboUpstream(channel, retire), "dubbo upstream");
        return CompletableFuture.completedFuture(null);
    }

    private static void dubbo(Channel channel, long maxFrame, ChannelHandler handler, String peer) {
        channel.config().setWriteBufferWaterMark(Flow.WATER_MARK);
        channel.pipeline()
                .addLast(new FlushConsolidationHandler(MAX_FLUSHES_HELD_BACK, true))
                .addLast(new DubboFrameDecoder(maxFrame))
                .addLast(handler)
                .addLast(new ClosesOnFailure(peer));
    }

    static void httpClient(Channel channel, long maxBody, Forwarder forwarder) {
        http(
                channel,
                new HttpServerCodec(MAX_HEADERS, MAX_HEADERS, MAX_CHUNK),
                maxBody,
                new HttpClient(channel, forwarder),
                "http client");
    }

    /** Calls may use it as soon as it is open. */
    static CompletableFuture<?> httpUpstream(Channel channel, long maxBody) {
        HttpClientCodec codec = new HttpClientCodec(MAX_HEADERS, MAX_HEADERS, MAX_CHUNK);
        http(channel, codec, maxBody, new HttpUpstream(channel), "http upstream");
        return CompletableFuture.completedFuture(null);
    }

    private static void http(Channel channel, ChannelHandler codec, long maxBody, ChannelHandler handler, String peer) {
        channel.config().setWriteBufferWaterMark(Flow.WATER_MARK);
        channel.pipeline()
                .addLast(codec)
                .addLast(new HttpObjectAggregator((int) maxBody, true))
                .addLast(handler)
                .addLast(new ClosesOnFailure(peer));
    }

    static void tripleClient(Channel channel, Forwarder forwarder) {
        ChannelInitializer<Channel> streams = new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel stream) {
                stream.pipeline().addLast(new TripleClientStream(forwarder));
            }
        };
        // Netty would end a connection with more than 200 resets in 30 s, and all its calls. Dubbo's client resets each
        // call
        // that is answered before it has been sent whole, as a refusal is, and each one whose time is over.
        Http2FrameCodecBuilder server =
                Http2FrameCodecBuilder.forServer().decoderEnforceMaxRstFramesPerWindow(UNLIMITED, UNLIMITED);
        allowResets(server);
        triple(channel, server, Http2Settings.defaultSettings(), streams);
    }

    /** The limit of resets that the encoder writes; Netty before 4.1.124 and 4.2.4 has none. */
    private static void allowResets(Http2FrameCodecBuilder server) {
        try {
            Http2FrameCodecBuilder.class
                    .getMethod("encoderEnforceMaxRstFramesPerWindow", int.class, int.class)
                    .invoke(server, UNLIMITED, UNLIMITED);
        } catch (NoSuchMethodException e) {
            // no limit either
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The answer completes once the peer's settings are known, and with them how much it takes. */
    static CompletableFuture<?> tripleUpstream(Channel channel, Consumer<Channel> retire) {
        ChannelHandler noPush = new ChannelInboundHandlerAdapter();
        channel.pipeline().addLast(new KeepAlive(context -> new DefaultHttp2PingFrame(1)));
        Http2FrameCodecBuilder client = Http2FrameCodecBuilder.forClient()
                .encoderEnforceMaxConcurrentStreams(true)
                .gracefulShutdownTimeoutMillis(-1);
        triple(channel, client, Http2Settings.defaultSettings().pushEnabled(false), noPush);
        TripleUpstream upstream = new TripleUpstream(retire);
        channel.pipeline().addLast(upstream);
        return upstream.settled();
    }

    private static void triple(
            Channel channel, Http2FrameCodecBuilder builder, Http2Settings settings, ChannelHandler streams) {
        Http2FrameCodec codec = builder.initialSettings(settings.initialWindowSize(STREAM_WINDOW)
                        .maxFrameSize(MAX_FRAME)
                        .maxHeaderListSize(MAX_HEADERS))
                .build();
        refillConnectionWindow(codec);
        channel.config().setWriteBufferWaterMark(WHOLE_FRAMES);
        ChannelPipeline pipeline = channel.pipeline();
        pipeline.addLast(codec).addLast(new Http2MultiplexHandler(streams));
    }

    /** The connection's window is refilled on arrival: a stream that is not read blocks itself, not its neighbours. */
    private static void refillConnectionWindow(Http2FrameCodec codec) {
        Http2Connection connection = codec.connection();
        DefaultHttp2LocalFlowController refilling = new DefaultHttp2LocalFlowController(
                connection, DefaultHttp2LocalFlowController.DEFAULT_WINDOW_UPDATE_RATIO, true);
        refilling.frameWriter(codec.encoder().frameWriter());
        connection.local().flowController(refilling);
    }
}
