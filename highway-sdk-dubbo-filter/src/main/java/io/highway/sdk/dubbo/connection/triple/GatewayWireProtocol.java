// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.connection.triple;

import io.highway.sdk.dubbo.connection.channel.ConnectionUrls;
import io.highway.sdk.dubbo.connection.channel.GatewayTransport;
import io.highway.sdk.dubbo.connection.channel.GatewayTransports;
import io.netty.channel.ChannelHandlerAdapter;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http2.Http2FrameCodec;
import java.util.List;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.remoting.api.ProtocolDetector;
import org.apache.dubbo.remoting.api.WireProtocol;
import org.apache.dubbo.remoting.api.pu.ChannelHandlerPretender;
import org.apache.dubbo.remoting.api.pu.ChannelOperator;
import org.apache.dubbo.remoting.api.ssl.ContextOperator;
import org.jspecify.annotations.Nullable;

/** Triple over a connection to a gateway: Dubbo's own set-up, with the TLS settings of the gateway address. */
public final class GatewayWireProtocol implements WireProtocol {

    /** The extension's name, as the protocol of a connection's URL. */
    static final String NAME = "highway-triple";

    private static final String TRIPLE = "tri";

    @Override
    public void configClientPipeline(URL dialled, ChannelOperator operator, ContextOperator contextOperator) {
        URL url = ConnectionUrls.asConfigured(dialled);
        url.getOrDefaultFrameworkModel()
                .getExtensionLoader(WireProtocol.class)
                .getExtension(TRIPLE)
                .configClientPipeline(url.setProtocol(TRIPLE), operator, contextOperator);
        operator.configChannelHandler(List.of(new ChannelHandlerPretender(new Securing(
                url,
                GatewayTransports.of(url).get(TRIPLE, url),
                TripleServerCompatibility.of(url.getOrDefaultFrameworkModel()).serveGateways()))));
    }

    /** Added to the pipeline to get the channel; removes itself. */
    private static final class Securing extends ChannelHandlerAdapter {

        private final URL url;

        /** Null once the address is no longer in use, when Dubbo may still reconnect. */
        private final @Nullable GatewayTransport transport;

        /** Whether the process serves, too, so that its windows are those of a server. */
        private final boolean isServer;

        Securing(URL url, @Nullable GatewayTransport transport, boolean isServer) {
            this.url = url;
            this.transport = transport;
            this.isServer = isServer;
        }

        @Override
        @SuppressWarnings("FutureReturnValueIgnored") // the channel is unusable in any case
        public void handlerAdded(ChannelHandlerContext context) {
            if (transport == null) {
                context.channel().close();
            } else {
                transport.secure(context.channel());
                transport.streams(StreamQueue.addTo(context, transport.bytesInFlight()));
                transport.count(context.pipeline()); // below the queue
                CompressedRequests.addTo(context);
                StreamEvidence.addTo(context, transport);
                AnswerMessages.addTo(context, url);
                NoReconnect.addTo(context);
                if (isServer) {
                    ChannelPipeline pipeline = context.pipeline();
                    pipeline.addAfter(pipeline.context(Http2FrameCodec.class).name(), null, new Widening());
                }
            }
            context.pipeline().remove(this);
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

    /** Never called: servers only use active extensions. */
    @Override
    public ProtocolDetector detector() {
        throw new UnsupportedOperationException("only for clients");
    }

    /** Never called, as {@link #detector}. */
    @Override
    public void configServerProtocolHandler(URL url, ChannelOperator operator) {
        throw new UnsupportedOperationException("only for clients");
    }

    @Override
    public void close() {
        // nothing to release
    }
}
