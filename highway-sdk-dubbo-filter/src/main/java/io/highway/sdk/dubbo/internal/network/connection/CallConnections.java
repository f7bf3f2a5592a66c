// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.connection;

import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.internal.evidence.NotWrittenException;
import io.netty.channel.Channel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.jspecify.annotations.Nullable;

/** The connections to one gateway address and class, each with many calls. Thread-safe. */
public abstract class CallConnections<C extends CallConnection<?>> extends GatewayClient {

    private final FrameworkModel framework;
    private final Class<C> type;
    private final AtomicReferenceArray<@Nullable C> inUse;
    /** These, and those that have been replaced and still have calls. */
    private final Set<C> open = ConcurrentHashMap.newKeySet();

    private final AtomicInteger next = new AtomicInteger();
    private volatile boolean isClosed;

    /** @param count how many are in use */
    protected CallConnections(FrameworkModel framework, GatewayTransport transport, Class<C> type, int count) {
        super(transport);
        this.framework = framework;
        this.type = type;
        this.inUse = new AtomicReferenceArray<>(count);
    }

    /** The connection for the next call, or null if none can carry it. */
    protected final @Nullable C sound() {
        int begin = inUse.length() == 1 ? 0 : next.getAndIncrement();
        for (int i = 0; i < inUse.length(); i++) {
            C connection = inUse.get(Math.floorMod(begin + i, inUse.length()));
            if (connection != null && connection.isSound()) {
                return connection;
            }
        }
        return null;
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
    public @Nullable InetSocketAddress localAddress() {
        C connection = sound();
        return connection == null
                ? null
                : (InetSocketAddress) connection.channel().localAddress();
    }

    private Stream<C> allInUse() {
        return IntStream.range(0, inUse.length()).mapToObj(inUse::get).filter(Objects::nonNull);
    }

    @Override
    public boolean isDraining() {
        return allInUse().anyMatch(one -> one.isConnected() && one.isDraining());
    }

    @Override
    public boolean needsRenewal() {
        return !isClosed
                && IntStream.range(0, inUse.length()).mapToObj(inUse::get).anyMatch(this::needsRenewal);
    }

    private boolean needsRenewal(@Nullable C connection) {
        return connection == null
                || !connection.isConnected()
                || connection.isSilent()
                || connection.isOutdated()
                || isToBeReplaced(connection);
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
        int[] due = IntStream.range(0, inUse.length())
                .filter(slot -> needsRenewal(inUse.get(slot)))
                .toArray();
        for (int slot : due) {
            if (!isClosed) {
                replace(slot, inUse.get(slot));
            }
        }
    }

    private void replace(int slot, @Nullable C known) throws IOException {
        if (known != null && known.isSilent()) {
            GatewayConnector.abort(known.channel());
        }
        succeeds(null);
        C made = connect();
        inUse.set(slot, made);
        if (known != null && known.isConnected()) {
            transport().drains(known.channel(), true);
            known.retire();
        }
        succeeds(known);
        if (isClosed) { // meanwhile
            made.close();
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it only listens
    private C connect() throws IOException {
        Channel channel = transport().open(this::begin);
        C connection = channel.pipeline().get(type);
        if (connection == null) {
            throw new IOException("the gateway closed the connection");
        }
        boolean unused = transport().await(connection.ready(), channel);
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
        return open.stream().anyMatch(CallConnection::hasCalls);
    }

    @Override
    public void endCalls() {
        open.forEach(one -> GatewayConnector.abort(one.channel()));
    }

    @Override
    public void close() {
        isClosed = true;
        open.forEach(CallConnection::close);
    }
}
