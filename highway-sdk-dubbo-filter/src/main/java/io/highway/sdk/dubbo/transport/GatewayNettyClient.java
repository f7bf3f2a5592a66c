// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.transport;

import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.socket.SocketChannel;
import java.util.Objects;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.remoting.ChannelHandler;
import org.apache.dubbo.remoting.Codec2;
import org.apache.dubbo.remoting.RemotingException;
import org.apache.dubbo.remoting.transport.netty4.NettyClient;
import org.apache.dubbo.remoting.transport.netty4.NettyClientHandler;
import org.jspecify.annotations.Nullable;

/** Dubbo's client of its own protocol, secured as the gateway's address says, which understands what gateways say. */
public final class GatewayNettyClient extends NettyClient {

    // Dubbo's constructor connects, so these must not have initial values, which would be set after it
    private @Nullable GatewayTransport transport;
    private volatile @Nullable Channel connecting;
    private volatile boolean securing;

    /** Connects, if the URL does not say otherwise, before it returns. */
    public GatewayNettyClient(URL url, ChannelHandler handler) throws RemotingException {
        super(url, handler);
    }

    @Override
    protected void initBootstrap(NettyClientHandler handler) {
        super.initBootstrap(handler);
        GatewayTransport secured = GatewayTransports.of(getUrl()).get("dubbo", getUrl());
        transport = secured;
        if (secured != null) {
            io.netty.channel.ChannelHandler ofDubbo =
                    Objects.requireNonNull(getBootstrap().config().handler());
            getBootstrap().handler(new ChannelInitializer<SocketChannel>() {
                @Override
                protected void initChannel(SocketChannel channel) {
                    channel.pipeline().addLast(ofDubbo);
                    channel.pipeline().addFirst(new FrameEvidence());
                    secured.secure(channel);
                    connecting = channel;
                }
            });
        }
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // nobody waits for the end of what failed
    protected void doConnect() throws Throwable {
        GatewayTransport secured = transport;
        securing = secured != null;
        super.doConnect();
        Channel channel = connecting;
        String problem = secured == null || channel == null ? null : secured.awaitSecured(channel);
        if (problem != null && channel != null) {
            channel.close();
            throw new RemotingException(this, problem);
        }
        securing = false;
    }

    @Override
    protected Codec2 getCodec() {
        return new GatewayCodec(getUrl().getOrDefaultFrameworkModel());
    }

    /** Not before the handshake is over, lest calls wait for it on a connection that may never come up. */
    @Override
    public boolean isConnected() {
        return !securing && super.isConnected();
    }
}
