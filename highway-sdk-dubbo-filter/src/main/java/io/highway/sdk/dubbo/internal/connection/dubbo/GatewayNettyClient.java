// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.dubbo;

import io.highway.sdk.dubbo.internal.connection.channel.Freshness;
import io.highway.sdk.dubbo.internal.connection.channel.GatewayConnector;
import io.highway.sdk.dubbo.internal.connection.channel.GatewayTransport;
import io.highway.sdk.dubbo.internal.connection.channel.GatewayTransports;
import io.highway.sdk.dubbo.internal.connection.channel.SilenceDetector;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.socket.SocketChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.ObjLongConsumer;
import org.apache.dubbo.common.URL;
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

    private final @Nullable GatewayTransport transport;
    private final boolean isConstructed;
    private volatile @Nullable Channel connecting;
    private volatile @Nullable CompletableFuture<org.apache.dubbo.remoting.Channel> opened;
    private volatile @Nullable Channel connection;
    private volatile org.apache.dubbo.remoting.@Nullable Channel current;
    private volatile @Nullable LongConsumer onAnswer;
    private volatile @Nullable ObjLongConsumer<InetSocketAddress> onRequest;

    /** Tries to connect before it returns; {@link GatewayTransport#unanswered} has the cause of a failure. */
    GatewayNettyClient(URL url, ChannelHandler handler) throws RemotingException {
        super(url, handler); // calls initBootstrap and connect before the fields are set
        transport = GatewayTransports.of(url).get("dubbo", url);
        isConstructed = true;
        try {
            connect();
        } catch (RemotingException e) {
            // Dubbo's constructor would log it with its stack trace
        }
    }

    /** For messages only. Dubbo's own would resolve the name, which only a forward proxy may know. */
    @Override
    public InetSocketAddress getConnectAddress() {
        return InetSocketAddress.createUnresolved(getUrl().getHost(), getUrl().getPort());
    }

    @Override
    public InetSocketAddress getRemoteAddress() {
        org.apache.dubbo.remoting.Channel channel = current;
        return channel == null ? getConnectAddress() : channel.getRemoteAddress();
    }

    @Override
    protected void initBootstrap(NettyClientHandler handler) {
        super.initBootstrap(handler);
        io.netty.channel.ChannelHandler ofDubbo =
                Objects.requireNonNull(getBootstrap().config().handler());
        getBootstrap().handler(new ChannelInitializer<SocketChannel>() {
            @Override
            protected void initChannel(SocketChannel channel) {
                GatewayTransport secured = Objects.requireNonNull(transport);
                channel.pipeline().addLast(ofDubbo);
                channel.pipeline()
                        .addBefore(
                                DECODER,
                                null,
                                new BufferedFrames(getUrl().getOrDefaultFrameworkModel(), null, Integer.MAX_VALUE));
                channel.pipeline().addFirst(new FrameEvidence());
                secured.secure(channel);
                secured.hideUntilAnswered(channel, "handler");
                opened = new CompletableFuture<>();
                connecting = channel;
            }
        });
    }

    @Override
    protected void connect() throws RemotingException {
        if (isConstructed) {
            super.connect();
        }
    }

    /** Dubbo's own would log each failure with its stack trace, and use a connection before the gateway has answered. */
    @Override
    protected void doConnect() throws RemotingException {
        GatewayTransport secured = transport;
        if (secured == null) {
            throw new RemotingException(this, "the address is not in use any more");
        }
        try {
            use(secured.open(getBootstrap()));
        } catch (IOException e) {
            throw new RemotingException(this, String.valueOf(e.getMessage()), e);
        }
    }

    private void use(Channel channel) throws RemotingException {
        try {
            CompletableFuture<org.apache.dubbo.remoting.Channel> answered = Objects.requireNonNull(opened);
            current = answered.get(getConnectTimeout(), TimeUnit.MILLISECONDS);
            connection = channel;
        } catch (InterruptedException e) {
            GatewayConnector.abort(channel);
            Thread.currentThread().interrupt();
            throw new RemotingException(this, "interrupted while connecting", e);
        } catch (ExecutionException | TimeoutException e) {
            GatewayConnector.abort(channel);
            throw new RemotingException(this, "the gateway's first answer is incomplete", e);
        }
    }

    /** Called once the gateway has answered, on the connection's thread. */
    @Override
    public void connected(org.apache.dubbo.remoting.Channel channel) throws RemotingException {
        Channel awaited = connecting;
        CompletableFuture<org.apache.dubbo.remoting.Channel> answered = opened;
        if (awaited != null && answered != null && channel.getLocalAddress().equals(awaited.localAddress())) {
            answered.complete(channel);
        }
        super.connected(channel);
    }

    @Override
    protected org.apache.dubbo.remoting.@Nullable Channel getChannel() {
        return current;
    }

    /** Whether a new connection would have other certificates, or another address. */
    boolean isOutdated() {
        Channel channel = connection;
        return channel != null && Freshness.isOutdated(channel);
    }

    /** Whether the gateway has sent nothing over the connection for five seconds. */
    boolean isSilent() {
        Channel channel = connection;
        return channel != null && SilenceDetector.isSilent(channel);
    }

    /** Sets the listener that receives the id of each answer on the connection's thread, in the order of arrival. */
    void onAnswer(LongConsumer answered) {
        onAnswer = answered;
    }

    /** Sets the listener that receives the id of each request, and the local address of the connection it is written to. */
    void onRequest(ObjLongConsumer<InetSocketAddress> carried) {
        onRequest = carried;
    }

    /** Dubbo's own, which says which connection carries a request before that is serialised: it may be replaced meanwhile. */
    @Override
    public void send(Object message, boolean sent) throws RemotingException {
        org.apache.dubbo.remoting.Channel carrier = current;
        ObjLongConsumer<InetSocketAddress> carried = onRequest;
        if (carrier == null || !carrier.isConnected()) {
            throw new RemotingException(this, "the connection is closed");
        }
        if (carried != null && message instanceof Request request) {
            carried.accept(carrier.getLocalAddress(), request.getId());
        }
        carrier.send(message, sent);
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

    /**
     * Opens a new connection and leaves the existing one open.
     *
     * @param replaced receives the existing connection once another one has replaced it, even if that has failed since
     */
    void replace(Consumer<org.apache.dubbo.remoting.Channel> replaced) throws RemotingException {
        org.apache.dubbo.remoting.Channel old = current;
        Channel before = connection;
        GatewayTransport known = transport;
        if (old != null && before != null && known != null) {
            doConnect();
            known.drains(before, true);
            if (old.isConnected()) {
                replaced.accept(old);
            }
        }
    }

    @Override
    protected Codec2 getCodec() {
        return new GatewayCodec(getUrl().getOrDefaultFrameworkModel());
    }

    /**
     * Dubbo records a loss after it has reported it, so a call that is retried at once would be written to the lost
     * connection.
     */
    @Override
    public boolean isConnected() {
        Channel used = connection;
        return used != null && used.isActive() && super.isConnected();
    }
}
