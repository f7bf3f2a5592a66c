// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.triple;

import io.highway.sdk.dubbo.internal.compression.CompressedRequests;
import io.highway.sdk.dubbo.internal.connection.channel.ConnectionMarks;
import io.highway.sdk.dubbo.internal.connection.channel.GatewayTransport;
import io.highway.sdk.dubbo.internal.connection.channel.StreamTraffic;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameStreamEvent;
import io.netty.handler.codec.http2.Http2GoAwayFrame;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.handler.timeout.IdleStateHandler;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.remoting.ChannelHandler;
import org.apache.dubbo.remoting.Constants;
import org.apache.dubbo.remoting.api.ProtocolDetector;
import org.apache.dubbo.remoting.api.WireProtocol;
import org.apache.dubbo.remoting.api.connection.ConnectionHandler;
import org.apache.dubbo.remoting.api.pu.ChannelHandlerPretender;
import org.apache.dubbo.remoting.api.pu.ChannelOperator;
import org.apache.dubbo.remoting.transport.netty4.NettySslContextOperator;
import org.apache.dubbo.remoting.utils.UrlUtils;

/** The handlers of a Triple connection to a gateway: Dubbo's own, with the SDK's around and between them. */
final class GatewayPipeline {

    private static final long NO_LIMIT = -1;
    private static final long CLOSE_MILLIS = 10_000;

    private GatewayPipeline() {}

    /** Adds the handlers before the channel connects. */
    static void configure(Channel channel, URL url, GatewayTransport transport, Consumer<Object> onGoAway) {
        ChannelPipeline pipeline = channel.pipeline();
        pipeline.addLast(new IdleStateHandler(UrlUtils.getHeartbeat(url), 0, 0, TimeUnit.MILLISECONDS));
        pipeline.addLast(Constants.CONNECTION_HANDLER_NAME, new Draining(onGoAway));
        url.getOrDefaultFrameworkModel()
                .getExtensionLoader(WireProtocol.class)
                .getExtension(url.getProtocol())
                .configClientPipeline(url, new Adding(pipeline), new NettySslContextOperator());
        transport.secure(channel);
        ChannelHandlerContext codec = pipeline.context(Http2FrameCodec.class);
        ((Http2FrameCodec) codec.handler()).gracefulShutdownTimeoutMillis(NO_LIMIT); // calls have their deadlines
        ConnectionMarks.streams(channel, StreamQueue.addTo(codec, transport.bytesInFlight()));
        TripleServerCompatibility servers = TripleServerCompatibility.of(url.getOrDefaultFrameworkModel());
        StreamEvidence.addTo(codec, transport, servers.carried());
        AnswerMessages.addTo(codec, url);
        pipeline.addAfter(codec.name(), null, new AtCodec(transport, transport.count(codec)));
        if (servers.serveGateways()) {
            pipeline.addAfter(codec.name(), null, new Widening()); // the windows are those of a server
        }
    }

    /** Limits the time in which the calls in flight of a closing connection end. */
    static void limitClosing(Channel channel) {
        Http2FrameCodec codec = channel.pipeline().get(Http2FrameCodec.class);
        if (codec != null) {
            codec.gracefulShutdownTimeoutMillis(CLOSE_MILLIS);
        }
    }

    /** Adds Dubbo's handlers. */
    private record Adding(ChannelPipeline pipeline) implements ChannelOperator {

        @Override
        public void configChannelHandler(List<ChannelHandler> handlers) {
            for (ChannelHandler handler : handlers) {
                if (handler instanceof ChannelHandlerPretender carrier
                        && carrier.getRealHandler() instanceof io.netty.channel.ChannelHandler real) {
                    pipeline.addLast(real);
                }
            }
        }

        /** Dubbo 3.3 has this method; it is for servers. */
        @SuppressWarnings("MissingOverride")
        public ProtocolDetector.Result detectResult() {
            throw new UnsupportedOperationException("only for clients");
        }
    }

    /** Dubbo's handler of GOAWAY looks it up by its name. */
    private static final class Draining extends ChannelInboundHandlerAdapter implements ConnectionHandler {

        private final Consumer<Object> onGoAway;

        Draining(Consumer<Object> onGoAway) {
            this.onGoAway = onGoAway;
        }

        @Override
        public void onGoAway(Object channel) {
            onGoAway.accept(channel);
        }

        @Override
        public void reconnect(Object channel) {
            // the SDK does
        }
    }

    /**
     * What is done with frames between the queue and the codec, by one handler, since each costs time per frame. It flushes,
     * too: Dubbo writes the frames of all calls of an invoker in one batch, and flushes the connection of the last only.
     */
    private static final class AtCodec extends ChannelDuplexHandler {

        private final GatewayTransport transport;
        private final StreamTraffic traffic;
        private final CompressedRequests compression = new CompressedRequests();
        private boolean willFlush;

        AtCodec(GatewayTransport transport, StreamTraffic traffic) {
            this.transport = transport;
            this.traffic = traffic;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (message instanceof Http2GoAwayFrame goAway) {
                // a graceful one says first that it processes every stream, whether there is any or not
                transport.drains(
                        context.channel(), goAway.lastStreamId() > 0 && ConnectionMarks.isUsed(context.channel()));
            } else if (message instanceof Http2HeadersFrame headers) {
                CompressedRequests.read(headers);
            }
            context.fireChannelRead(message);
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (event instanceof Http2FrameStreamEvent change && change.stream().state() == Http2Stream.State.CLOSED) {
                traffic.closed(change.stream());
            }
            context.fireUserEventTriggered(event);
        }

        @Override
        public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
            compression.write(message);
            traffic.write(context, message, promise);
            if (!willFlush && transport.hasSeveral()) {
                willFlush = true;
                context.executor().execute(() -> {
                    willFlush = false;
                    context.flush();
                });
            }
        }
    }

    /** Behind the codec, which has sent its settings when the connection becomes active. */
    private static final class Widening extends ChannelInboundHandlerAdapter {

        @Override
        public void channelActive(ChannelHandlerContext context) {
            TripleServerCompatibility.widen(context);
            context.fireChannelActive();
        }
    }
}
