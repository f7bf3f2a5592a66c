// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.triple;

import io.highway.sdk.dubbo.internal.connection.channel.ConnectionMarks;
import io.highway.sdk.dubbo.internal.connection.channel.Freshness;
import io.highway.sdk.dubbo.internal.connection.channel.GatewayClient;
import io.highway.sdk.dubbo.internal.connection.channel.GatewayConnector;
import io.highway.sdk.dubbo.internal.connection.channel.GatewayTransport;
import io.highway.sdk.dubbo.internal.connection.channel.GatewayTransports;
import io.highway.sdk.dubbo.internal.connection.channel.SilenceDetector;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.remoting.ChannelHandler;
import org.apache.dubbo.remoting.RemotingException;
import org.apache.dubbo.remoting.api.connection.AbstractConnectionClient;
import org.apache.dubbo.remoting.transport.netty4.NettyEventLoopFactory;
import org.jspecify.annotations.Nullable;

/**
 * Dubbo's client of one gateway address over Triple. Dubbo asks it for the connection of each call, so invokers outlive
 * connections. All connections are on one event loop: Dubbo writes the frames of an invoker in batches on the event loop
 * of one of them, and opens a stream in the same step.
 */
@SuppressWarnings("unchecked") // getChannel has a type parameter in 3.3, and none in 3.2
final class GatewayConnectionClient extends AbstractConnectionClient implements GatewayClient {

    /**
     * After this time a connection that followed one that drains is replaced once more. At a reload nginx's worker
     * processes are told to end one after the other. A worker that accepts a connection just before it is told sends no
     * GOAWAY on it, and cuts its calls when the worker's time is over.
     */
    private static final long SUCCESSOR_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final EventLoop loop =
            NettyEventLoopFactory.NIO_EVENT_LOOP_GROUP.get().next();
    private final Set<Channel> open = ConcurrentHashMap.newKeySet();
    private final List<Runnable> closeListeners = new CopyOnWriteArrayList<>();

    /** The newest connection that was ready, perhaps lost since. */
    private volatile @Nullable Channel newest;

    /** When it followed one that drains; 0 if it did not, or has been replaced once. */
    private volatile long succeededNanos;

    /** Opens no connection yet. */
    GatewayConnectionClient(URL url, ChannelHandler handler) throws RemotingException {
        super(url, handler);
    }

    @Override
    public boolean isConnected() {
        Channel current = newest;
        return current != null && current.isActive() && !ConnectionMarks.isDraining(current);
    }

    @Override
    public boolean isAvailable() {
        return isConnected();
    }

    /** The channel of Netty. Dubbo asks for it while connected, so it is not null. */
    @Override
    public @Nullable Object getChannel(Boolean generalizable) {
        return newest;
    }

    @Override
    public boolean isDraining() {
        return open.stream().anyMatch(ConnectionMarks::isDraining);
    }

    @Override
    public boolean needsRenewal() {
        Channel last = newest;
        return !isClosed()
                && (last == null
                        || !isConnected()
                        || SilenceDetector.isSilent(last)
                        || Freshness.isOutdated(last)
                        || isDueAgain());
    }

    private boolean isDueAgain() {
        long since = succeededNanos;
        return since != 0 && System.nanoTime() - since > SUCCESSOR_NANOS;
    }

    private @Nullable GatewayTransport transport() {
        return GatewayTransports.of(getUrl()).get(getUrl().getProtocol(), getUrl());
    }

    /** Resolves the name each time, and reads renewed certificates. */
    @Override
    public synchronized void renew() throws RemotingException {
        if (!needsRenewal()) {
            return;
        }
        GatewayTransport transport = transport();
        if (transport == null) {
            throw new RemotingException(this, "the address is not in use any more");
        }
        Channel last = newest;
        if (last != null && SilenceDetector.isSilent(last)) { // one that drains goes on
            GatewayConnector.abort(last);
        }
        boolean isSuccessor = last != null && ConnectionMarks.isDraining(last);
        succeededNanos = 0;
        try {
            newest = transport.open(bootstrap(transport));
            succeededNanos = isSuccessor ? System.nanoTime() : 0;
        } catch (IOException e) {
            throw new RemotingException(this, String.valueOf(e.getMessage()), e);
        }
        if (last != null && last.isActive() && !ConnectionMarks.isDraining(last)) {
            transport.drains(last, true);
            onGoaway(last);
        }
        if (isClosed()) { // meanwhile
            doClose();
        }
    }

    private Bootstrap bootstrap(GatewayTransport transport) {
        return GatewayConnector.bootstrap(loop, getConnectTimeout(), channel -> {
            open.add(channel);
            channel.closeFuture().addListener(closed -> open.remove(channel));
            GatewayPipeline.configure(channel, getUrl(), transport, this::onGoaway);
        });
    }

    /** Netty closes it once its streams have ended. */
    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // it closes in any case
    public void onGoaway(Object channel) {
        Channel draining = (Channel) channel;
        draining.close();
    }

    @Override
    public void closeDrained() {
        for (Channel channel : open) {
            if (ConnectionMarks.isDraining(channel) && SilenceDetector.isSilent(channel)) {
                GatewayConnector.abort(channel);
            }
        }
    }

    @Override
    public boolean hasCallsInFlight() {
        GatewayTransport transport = transport();
        return transport != null && transport.hasCallsInFlight();
    }

    @Override
    public void endCalls() {
        open.forEach(GatewayConnector::abort);
    }

    @Override
    public void addCloseListener(Runnable listener) {
        closeListeners.add(listener);
    }

    @Override
    public void destroy() {
        close();
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // it closes in any case
    protected void doClose() {
        for (Channel channel : open) {
            GatewayPipeline.limitClosing(channel);
            channel.close();
        }
        closeListeners.forEach(Runnable::run);
        closeListeners.clear();
    }

    /** Called per call, for the context of its caller. */
    @Override
    public InetSocketAddress getLocalAddress() {
        Channel current = newest;
        return current != null && current.localAddress() instanceof InetSocketAddress local
                ? local
                : super.getLocalAddress();
    }

    @Override
    public InetSocketAddress getRemoteAddress() {
        Channel current = newest;
        return current != null && current.remoteAddress() instanceof InetSocketAddress remote ? remote : address();
    }

    /** {@link #renew} connects. */
    @Override
    protected void connect() {
        // nothing
    }

    @Override
    protected void doOpen() {
        initConnectionClient();
    }

    @Override
    protected void initConnectionClient() {
        remote = address();
        increase();
    }

    /** Dubbo's own would resolve the name, which only a forward proxy may know. */
    private InetSocketAddress address() {
        return InetSocketAddress.createUnresolved(getUrl().getHost(), getUrl().getPort());
    }

    @Override
    protected void doConnect() {
        // never called
    }

    @Override
    protected void doDisConnect() {
        // nothing
    }

    /** Dubbo's own wrapper of a connection, which no call uses. */
    @Override
    protected org.apache.dubbo.remoting.@Nullable Channel getChannel() {
        return null;
    }

    @Override
    public void onConnected(Object channel) {
        // nothing
    }

    /** Of Dubbo 3.2. */
    @SuppressWarnings("MissingOverride")
    public void createConnectingPromise() {
        // nothing
    }

    /** Of Dubbo 3.3. */
    @SuppressWarnings("MissingOverride")
    public void addConnectedListener(Runnable listener) {
        // no caller waits for it
    }

    /** Of Dubbo 3.3. */
    @SuppressWarnings("MissingOverride")
    public void addDisconnectedListener(Runnable listener) {
        // no caller waits for it
    }
}
