// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.connection.dubbo;

import io.highway.sdk.dubbo.connection.channel.GatewayTransport;
import io.highway.sdk.dubbo.connection.channel.GatewayTransports;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.SocketChannel;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.Version;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.remoting.ChannelHandler;
import org.apache.dubbo.remoting.Codec2;
import org.apache.dubbo.remoting.Constants;
import org.apache.dubbo.remoting.RemotingException;
import org.apache.dubbo.remoting.exchange.Request;
import org.apache.dubbo.remoting.exchange.Response;
import org.apache.dubbo.remoting.exchange.support.MultiMessage;
import org.apache.dubbo.remoting.transport.netty4.NettyClient;
import org.apache.dubbo.remoting.transport.netty4.NettyClientHandler;
import org.jspecify.annotations.Nullable;

/**
 * Dubbo's client of its own protocol, with the TLS settings of the gateway address, which reads the statements of
 * gateways.
 */
final class GatewayNettyClient extends NettyClient {

    private static final String DECODER = "decoder";

    // no initial values: Dubbo's constructor connects and sets these, and initial values would overwrite them
    private @Nullable GatewayTransport transport;
    private volatile @Nullable Channel connecting;
    private volatile boolean securing;
    private volatile @Nullable LongConsumer onAnswer;

    /** Connects before it returns, unless the URL disables that. */
    GatewayNettyClient(URL url, ChannelHandler handler) throws RemotingException {
        super(url, handler);
    }

    /** Dubbo would replace a loopback address by that of a network card. */
    @Override
    public InetSocketAddress getConnectAddress() {
        return new InetSocketAddress(getUrl().getHost(), getUrl().getPort());
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
                    channel.pipeline()
                            .addBefore(DECODER, null, new BufferedFrames(getUrl().getOrDefaultFrameworkModel(), null));
                    channel.pipeline().addFirst(new FrameEvidence());
                    secured.secure(channel);
                    connecting = channel;
                }
            });
        }
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the connection has failed in any case
    protected void doConnect() throws Throwable {
        GatewayTransport secured = transport;
        securing = secured != null;
        super.doConnect();
        Channel channel = connecting;
        String problem = secured == null || channel == null ? null : secured.awaitSecured(channel);
        if (problem == null && secured != null && channel != null) {
            channel.writeAndFlush(heartbeat());
            problem = secured.awaitAnswer(channel);
        }
        if (problem != null && channel != null) {
            channel.close();
            throw new RemotingException(this, problem);
        }
        securing = false;
    }

    /** A heartbeat, which every Dubbo server answers: an accepted connection alone does not prove the protocol. */
    private static Request heartbeat() {
        Request heartbeat = new Request();
        heartbeat.setVersion(Version.getProtocolVersion());
        heartbeat.setTwoWay(true);
        heartbeat.setEvent(CommonConstants.HEARTBEAT_EVENT);
        return heartbeat;
    }

    /** Whether the gateway has sent nothing over the connection for five seconds. */
    boolean isSilent() {
        Channel channel = connecting;
        return channel != null && GatewayTransport.isSilent(channel);
    }

    /** Sets the listener that receives the id of each answer on the connection's thread, in the order of arrival. */
    void onAnswer(LongConsumer answered) {
        onAnswer = answered;
    }

    /** Records an answer before Dubbo passes it to other threads, where later messages may overtake it. */
    @Override
    public void received(org.apache.dubbo.remoting.Channel channel, Object message) throws RemotingException {
        if (message instanceof MultiMessage several) {
            for (Object one : several) {
                note(channel, one);
            }
        } else {
            note(channel, message);
        }
        super.received(channel, message);
    }

    private void note(org.apache.dubbo.remoting.Channel channel, Object message) {
        LongConsumer answered = onAnswer;
        if (message instanceof Request request
                && request.isEvent()
                && CommonConstants.READONLY_EVENT.equals(request.getData())) {
            channel.setAttribute(Constants.CHANNEL_ATTRIBUTE_READONLY_KEY, true);
        } else if (answered != null && message instanceof Response response && !response.isEvent()) {
            answered.accept(response.getId());
        }
    }

    /** A connection that a new one has replaced; its calls continue until it is closed. */
    record Replaced(InetSocketAddress address, Runnable closing) {

        /** Closes the replaced connection. */
        public void close() {
            closing.run();
        }
    }

    /**
     * Opens a new connection and leaves the existing one open.
     *
     * @param replaced receives the existing connection once another one has replaced it, even if that has failed since
     */
    void replace(Consumer<Replaced> replaced) throws RemotingException {
        Channel old = connecting;
        if (old == null || !(old.localAddress() instanceof InetSocketAddress address)) {
            return;
        }
        KeptOpen kept = new KeptOpen();
        old.pipeline().addLast(kept);
        try {
            doConnect();
        } catch (RemotingException e) {
            throw e;
        } catch (Throwable e) {
            throw new RemotingException(this, "cannot connect beside a connection that drains", e);
        } finally {
            if (isCurrent(address)) {
                old.pipeline().remove(kept);
                connecting = old;
                securing = false;
            } else if (old.isActive()) {
                replaced.accept(new Replaced(address, () -> kept.close(old)));
            }
        }
    }

    private boolean isCurrent(InetSocketAddress address) {
        org.apache.dubbo.remoting.Channel current = getChannel();
        return current != null && current.isConnected() && address.equals(current.getLocalAddress());
    }

    /** Prevents Dubbo from closing a connection as soon as it has opened its replacement. */
    private static final class KeptOpen extends ChannelOutboundHandlerAdapter {

        private volatile boolean ended;

        @Override
        @SuppressWarnings("FutureReturnValueIgnored") // the promise reports the result
        public void close(ChannelHandlerContext context, ChannelPromise promise) {
            if (ended) {
                context.close(promise);
            } else {
                promise.trySuccess();
            }
        }

        @SuppressWarnings("FutureReturnValueIgnored") // the connection has ended in any case
        void close(Channel channel) {
            ended = true;
            channel.close();
        }
    }

    @Override
    protected Codec2 getCodec() {
        return new GatewayCodec(getUrl().getOrDefaultFrameworkModel());
    }

    /**
     * False until the handshake is complete: otherwise calls would wait for it on a connection that may never come up.
     * Dubbo records a loss after it has reported it, so a call that is retried at once would be written to the lost
     * connection.
     */
    @Override
    public boolean isConnected() {
        Channel current = connecting;
        return !securing && (current == null || current.isActive()) && super.isConnected();
    }
}
