// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.dubbo;

import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.internal.connection.channel.ConnectionUrls;
import io.highway.sdk.dubbo.internal.connection.channel.GatewayConnector;
import io.highway.sdk.dubbo.internal.connection.channel.GatewayTransport;
import io.highway.sdk.dubbo.internal.connection.channel.SharedClient;
import io.highway.sdk.dubbo.internal.evidence.NotWrittenException;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.handler.timeout.IdleStateHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.remoting.Constants;
import org.apache.dubbo.remoting.transport.netty4.NettyEventLoopFactory;
import org.jspecify.annotations.Nullable;

/**
 * The connections of the Dubbo protocol to one gateway address, which calls use in turn. One that is lost, silent or
 * outdated, or that the gateway drains, is replaced; its calls go on. Thread-safe.
 */
final class FrameConnections extends SharedClient implements FrameClient {

    /** The minimum time between reconnects to a gateway that drains each new connection at once. */
    private static final long LEAST_USE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final URL url;
    private final int connectMillis;

    /** Those in use; null before the first attempt. */
    private final AtomicReferenceArray<@Nullable FrameConnection> inUse;

    /** Also those that were replaced, until they are closed. */
    private final Set<FrameConnection> open = ConcurrentHashMap.newKeySet();

    private final AtomicInteger next = new AtomicInteger();
    private volatile long replacedNanos = System.nanoTime() - LEAST_USE_NANOS;
    private volatile boolean isClosed;

    private FrameConnections(URL url) {
        super(url);
        this.url = url;
        this.connectMillis = url.getPositiveParameter(Constants.CONNECT_TIMEOUT_KEY, Constants.DEFAULT_CONNECT_TIMEOUT);
        this.inUse = new AtomicReferenceArray<>(url.getParameter(ConnectionUrls.CONNECTIONS, 1));
    }

    /** Those of an address and class, for one more user. */
    static FrameConnections of(URL url) {
        return of(url, FrameConnections.class, FrameConnections::new);
    }

    private @Nullable FrameConnection sound() {
        int begin = inUse.length() == 1 ? 0 : next.getAndIncrement();
        for (int i = 0; i < inUse.length(); i++) {
            FrameConnection connection = inUse.get(Math.floorMod(begin + i, inUse.length()));
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

    @Override
    public FrameCall.Carrier queue() {
        FrameConnection connection = sound();
        if (connection == null) {
            throw new NotWrittenException(Reason.GATEWAY_DOWN, "not connected");
        }
        return connection;
    }

    @Override
    public @Nullable InetSocketAddress localAddress() {
        FrameConnection connection = sound();
        return connection == null
                ? null
                : (InetSocketAddress) connection.channel().localAddress();
    }

    @Override
    public FrameBody body(RequestFrame request, URL invoker) throws IOException {
        return new FrameBody(request.write(invoker));
    }

    @Override
    public boolean isClosed() {
        return isClosed;
    }

    @Override
    public boolean isDraining() {
        return slots().mapToObj(inUse::get).anyMatch(one -> one != null && one.isConnected() && one.isDraining());
    }

    private IntStream slots() {
        return IntStream.range(0, inUse.length());
    }

    @Override
    public boolean needsRenewal() {
        boolean mayReplace = mayReplaceDraining();
        return !isClosed && slots().mapToObj(inUse::get).anyMatch(one -> needsRenewal(one, mayReplace));
    }

    private boolean mayReplaceDraining() {
        return System.nanoTime() - replacedNanos > LEAST_USE_NANOS;
    }

    private static boolean needsRenewal(@Nullable FrameConnection connection, boolean mayReplaceDraining) {
        return connection == null
                || !connection.isConnected()
                || connection.isSilent()
                || connection.isOutdated()
                || (connection.isDraining() && mayReplaceDraining);
    }

    @Override
    protected void renew(GatewayTransport transport) throws IOException {
        boolean mayReplace = mayReplaceDraining();
        for (int slot = 0; slot < inUse.length() && !isClosed; slot++) {
            FrameConnection known = inUse.get(slot);
            if (needsRenewal(known, mayReplace)) {
                replace(slot, known, transport);
            }
        }
    }

    private void replace(int slot, @Nullable FrameConnection known, GatewayTransport transport) throws IOException {
        if (known != null && known.isSilent()) {
            GatewayConnector.abort(known.channel());
        }
        FrameConnection made = open(transport);
        inUse.set(slot, made);
        if (known != null && known.isConnected()) {
            replacedNanos = System.nanoTime();
            transport.drains(known.channel(), true);
            known.retire();
        }
        if (isClosed) { // meanwhile
            made.close();
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it only listens
    private FrameConnection open(GatewayTransport transport) throws IOException {
        Channel channel = transport.open(bootstrap(transport));
        FrameConnection connection = channel.pipeline().get(FrameConnection.class);
        if (connection == null) {
            throw new IOException("the gateway closed the connection");
        }
        boolean unused = GatewayConnector.await(connection.greeted(), channel, connectMillis);
        open.add(connection);
        channel.closeFuture().addListener(closed -> open.remove(connection));
        return connection;
    }

    private Bootstrap bootstrap(GatewayTransport transport) {
        return GatewayConnector.bootstrap(NettyEventLoopFactory.NIO_EVENT_LOOP_GROUP.get(), connectMillis, channel -> {
            channel.pipeline()
                    .addLast(
                            new IdleStateHandler(
                                    FrameConnection.HEARTBEAT_SECONDS, FrameConnection.HEARTBEAT_SECONDS, 0),
                            new BufferedFrames(url.getOrDefaultFrameworkModel(), null, Integer.MAX_VALUE),
                            new FrameConnection(channel));
            transport.secure(channel);
        });
    }

    @Override
    public void closeDrained() {
        // each closes itself
    }

    @Override
    public boolean hasCallsInFlight() {
        return open.stream().anyMatch(FrameConnection::hasCalls);
    }

    @Override
    public void endCalls() {
        open.forEach(one -> GatewayConnector.abort(one.channel()));
    }

    /** Calls in flight go on. */
    @Override
    public void close() {
        isClosed = true;
        open.forEach(FrameConnection::close);
    }
}
