// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.server;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpServerUpgradeHandler;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.remoting.Constants;
import org.apache.dubbo.rpc.model.FrameworkModel;

/**
 * Adds to Dubbo's own handlers {@link TripleRequestHandler} and {@link InboundFrameLimiter}, which bound what a connection of a
 * server buffers, {@link Http1RequestRejector} and {@link CancelOnDisconnect}. Without the SDK's settings in any application of the
 * process servers are unchanged.
 */
final class ServerPipelineCustomizer {

    private static final String DECODER = "decoder";
    private static final String DECODER_OF_SEVERAL = "NettyCodecAdapter$InternalDecoder";

    private ServerPipelineCustomizer() {}

    static boolean areWanted(URL server) {
        return ServerContext.of(server.getOrDefaultFrameworkModel()).isServing();
    }

    /** Adds what fits the protocol, once Dubbo's own handlers are there. */
    static void bound(ChannelPipeline pipeline, URL server) {
        FrameworkModel framework = server.getOrDefaultFrameworkModel();
        ChannelHandlerContext streams = pipeline.context(Http2MultiplexHandler.class);
        if (streams != null) {
            pipeline.addBefore(streams.name(), null, new TripleRequestHandler(server));
            pipeline.addBefore(streams.name(), null, new CancelOnDisconnect());
        } else if (pipeline.get(HttpServerUpgradeHandler.class) != null) {
            pipeline.addBefore(
                    pipeline.context(HttpServerUpgradeHandler.class).name(), null, new Http1RequestRejector(framework));
            pipeline.addLast(new Upgraded(server));
        } else {
            pipeline.names().stream()
                    .filter(name -> name.equals(DECODER) || name.startsWith(DECODER_OF_SEVERAL))
                    .findFirst()
                    .ifPresent(decoder -> {
                        InboundFrameLimiter frames = new InboundFrameLimiter(
                                framework,
                                ServerContext.of(framework).home(),
                                server.getParameter(Constants.PAYLOAD_KEY, Constants.DEFAULT_PAYLOAD));
                        pipeline.addBefore(decoder, null, frames);
                        pipeline.addAfter(decoder, null, frames.afterDecoder());
                    });
        }
    }

    /** An HTTP/1.1 connection becomes one of HTTP/2. */
    private static final class Upgraded extends ChannelInboundHandlerAdapter {

        private final URL server;

        Upgraded(URL server) {
            this.server = server;
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (event instanceof HttpServerUpgradeHandler.UpgradeEvent) {
                context.pipeline().remove(Http1RequestRejector.class);
                bound(context.pipeline(), server);
                context.pipeline().remove(this);
            }
            context.fireUserEventTriggered(event);
        }
    }
}
