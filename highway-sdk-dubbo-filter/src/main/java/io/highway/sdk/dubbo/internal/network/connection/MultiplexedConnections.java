// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.connection;

import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.internal.evidence.NotWrittenException;
import io.netty.channel.Channel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.jspecify.annotations.Nullable;

/**
 * Connections that carry many calls each: one in use, and those that drain, to one gateway address for one class.
 * Thread-safe.
 */
public abstract class MultiplexedConnections<C extends MultiplexedConnection<?>> extends GatewayClient {

    private final FrameworkModel framework;
    private final Class<C> type;
    private volatile @Nullable C inUse;
    /** It, and those that have been replaced and still have calls. */
    private final Set<C> open = ConcurrentHashMap.newKeySet();

    private volatile boolean isClosed;

    protected MultiplexedConnections(FrameworkModel framework, ConnectionOpener opener, Class<C> type) {
        super(opener);
        this.framework = framework;
        this.type = type;
    }

    /** The connection for the next call, or null if none can carry it. */
    protected final @Nullable C sound() {
        C connection = inUse;
        return connection != null && connection.isSound() ? connection : null;
    }

    @Override
    public boolean isConnected() {
        return !isClosed && sound() != null;
    }

    /**
     * The connection for the next call.
     *
     * @throws NotWrittenException if none can carry it
     */
    public final C connection() {
        C connection = sound();
        if (connection == null) {
            throw new NotWrittenException(Reason.GATEWAY_DOWN, "not connected");
        }
        return connection;
    }

    @Override
    public boolean isOverdue() {
        C connection = sound();
        return connection != null && SilenceDetector.isOverdue(connection.channel());
    }

    @Override
    public @Nullable InetSocketAddress localAddress() {
        C connection = sound();
        return connection == null
                ? null
                : (InetSocketAddress) connection.channel().localAddress();
    }

    @Override
    public boolean isDraining() {
        C connection = inUse;
        return connection != null && connection.isConnected() && connection.isDraining();
    }

    @Override
    public boolean needsRenewal() {
        C connection = inUse;
        boolean isGood = connection != null
                && connection.isConnected()
                && !connection.isSilent()
                && !connection.isOutdated()
                && !isToBeReplaced(connection);
        return !isClosed && !isGood;
    }

    /** Whether a connection that is up should be replaced now, since it drains. */
    protected abstract boolean isToBeReplaced(C connection);

    /**
     * A connection was opened, or is about to be.
     *
     * @param before what was in its place, perhaps lost; null if there was none, and before it is opened
     */
    protected abstract void succeeds(@Nullable C before);

    @Override
    protected void openNew() throws IOException {
        C known = inUse;
        if (known != null && known.isSilent()) {
            TcpConnector.abort(known.channel());
        }
        succeeds(null);
        C made = connect();
        inUse = made;
        if (known != null && known.isConnected()) {
            opener().drains(known.channel(), true);
            known.retire();
        }
        succeeds(known);
        if (isClosed) { // meanwhile
            made.close();
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it only listens
    private C connect() throws IOException {
        Channel channel = opener().open(this::begin);
        C connection = channel.pipeline().get(type);
        if (connection == null) {
            throw new IOException("the gateway closed the connection");
        }
        boolean unused = opener().await(connection.ready(), channel);
        open.add(connection);
        channel.closeFuture().addListener(closed -> open.remove(connection));
        return connection;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it closes in any case
    private void begin(Channel channel) {
        if (framework.isDestroyed()) { // meanwhile, with what the handlers need
            channel.close();
        } else {
            configure(channel);
        }
    }

    protected final FrameworkModel framework() {
        return framework;
    }

    /** Adds the handlers of a new connection; the last one is the connection. */
    protected abstract void configure(Channel channel);

    protected final Set<C> open() {
        return open;
    }

    @Override
    public boolean hasCallsInFlight() {
        return open.stream().anyMatch(MultiplexedConnection::hasCalls);
    }

    @Override
    public void endCalls() {
        open.forEach(one -> TcpConnector.abort(one.channel()));
    }

    @Override
    public void close() {
        isClosed = true;
        open.forEach(MultiplexedConnection::close);
    }
}
