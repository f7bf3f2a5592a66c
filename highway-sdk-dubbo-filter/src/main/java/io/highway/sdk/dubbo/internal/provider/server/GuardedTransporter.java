// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.server;

import io.netty.channel.ChannelHandlerContext;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.remoting.ChannelHandler;
import org.apache.dubbo.remoting.Client;
import org.apache.dubbo.remoting.RemotingException;
import org.apache.dubbo.remoting.RemotingServer;
import org.apache.dubbo.remoting.Transporter;
import org.apache.dubbo.remoting.transport.netty4.NettyServer;
import org.apache.dubbo.remoting.transport.netty4.NettyServerHandler;
import org.apache.dubbo.remoting.transport.netty4.NettyTransporter;

/**
 * Bounds what Dubbo's server for one protocol buffers ({@link ServerPipelineCustomizer}), and decodes only what the guard admits
 * ({@link GuardedCodec}, {@link AdmissionHandler}). Servers of other transporters are unchanged.
 *
 * @param transporter what Dubbo lets it wrap
 */
public record GuardedTransporter(Transporter transporter) implements Transporter {

    @Override
    public RemotingServer bind(URL url, ChannelHandler handler) throws RemotingException {
        return transporter instanceof NettyTransporter && ServerPipelineCustomizer.areWanted(url)
                ? new Bounded(GuardedCodec.on(url), new AdmissionHandler(url.getOrDefaultFrameworkModel(), handler))
                : transporter.bind(url, handler);
    }

    @Override
    public Client connect(URL url, ChannelHandler handler) throws RemotingException {
        return transporter.connect(url, handler);
    }

    private static final class Bounded extends NettyServer {

        Bounded(URL url, ChannelHandler handler) throws RemotingException {
            super(url, handler);
        }

        @Override
        protected NettyServerHandler createNettyServerHandler() {
            return new Installing(getUrl(), this);
        }
    }

    /** The last handler of each connection: when it is added, the others are there. */
    @io.netty.channel.ChannelHandler.Sharable
    private static final class Installing extends NettyServerHandler {

        private final URL url;

        Installing(URL url, ChannelHandler handler) {
            super(url, handler);
            this.url = url;
        }

        @Override
        public void handlerAdded(ChannelHandlerContext context) {
            ServerPipelineCustomizer.bound(context.pipeline(), url);
        }
    }
}
