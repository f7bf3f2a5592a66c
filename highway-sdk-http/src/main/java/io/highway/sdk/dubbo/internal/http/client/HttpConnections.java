// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.http.client;

import io.highway.sdk.dubbo.internal.memory.MemoryBudget;
import io.highway.sdk.dubbo.internal.network.compression.GrpcMessageCompression;
import io.highway.sdk.dubbo.internal.network.connection.ConnectionHandler;
import io.highway.sdk.dubbo.internal.network.connection.ConnectionOpener;
import io.highway.sdk.dubbo.internal.network.connection.GatewayClient;
import io.highway.sdk.dubbo.internal.network.frame.EncodedFrame;
import io.highway.sdk.dubbo.internal.network.frame.FrameCall;
import io.highway.sdk.dubbo.internal.network.frame.FrameTransport;
import io.highway.sdk.dubbo.internal.network.frame.RequestFrame;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpRequestEncoder;
import io.netty.handler.codec.http.HttpResponseDecoder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.jspecify.annotations.Nullable;

/**
 * A pool of connections of HTTP/1.1 to one gateway address, each with one call in flight. A call that finds none idle opens one more, up to
 * the bound, and takes the first that is free. Thread-safe.
 */
final class HttpConnections extends GatewayClient implements FrameTransport, FrameCall.Carrier, HttpConnection.Pool {

    /** Gateways close idle connections after a minute or more, and one that closes loses the call written to it. */
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(20);

    private static final int MOST_LINE_BYTES = 4 * 1024;
    private static final int MOST_HEADER_BYTES = 64 * 1024;
    private static final int PIECE_BYTES = 64 * 1024;

    private final MemoryBudget bytes;
    private final int max;
    private final String host;

    /** The open connections in use. */
    private final Set<HttpConnection> open = new HashSet<>();

    private final Deque<HttpConnection> idle = new ArrayDeque<>();
    private final Set<FrameCall> waiting = new LinkedHashSet<>();
    private int opening;
    private boolean isClosed;

    private volatile boolean isUp;
    private volatile boolean isSuspect;
    private volatile long provenNanos;
    private volatile InetSocketAddress local = new InetSocketAddress(0);

    /** @param max how many there may be */
    HttpConnections(FrameworkModel framework, ConnectionOpener opener, int max) {
        super(opener);
        this.bytes = MemoryBudget.of(framework);
        this.max = max;
        this.host = opener.gateway().address().hostAndPort();
    }

    @Override
    public FrameCall.Carrier queue() {
        return this;
    }

    @Override
    public EncodedFrame body(RequestFrame request, URL invoker) throws IOException {
        ByteBuf frame = request.write(invoker);
        int size = frame.readableBytes();
        String key = invoker.getParameter(GrpcMessageCompression.KEY);
        if (key == null) {
            return new EncodedFrame(frame);
        }
        try {
            GrpcMessageCompression compression = GrpcMessageCompression.of(key, invoker);
            byte[] smaller = compression.compress(ByteBufUtil.getBytes(frame));
            if (smaller == null) {
                return new EncodedFrame(frame, size, null, compression.acceptedOfFrame());
            }
            frame.clear().writeBytes(smaller);
            return new EncodedFrame(frame, size, compression.encoding(), compression.acceptedOfFrame());
        } catch (RuntimeException | Error e) {
            frame.release();
            throw e;
        }
    }

    /** Whether the gateway has answered, and no attempt to connect has failed since. */
    @Override
    public boolean isConnected() {
        return isUp && !isClosed();
    }

    /** Of the last connection. */
    @Override
    public InetSocketAddress localAddress() {
        return local;
    }

    /** Whether the gateway should be asked again: nothing proves that it still answers, or connections are outdated. */
    @Override
    public synchronized boolean needsRenewal() {
        return !isClosed && isToBeAsked();
    }

    private boolean isToBeAsked() {
        return !isUp
                || isSuspect
                || open.stream()
                        .filter(HttpConnection::isReusable)
                        .map(HttpConnection::channel)
                        .anyMatch(ConnectionHandler::isOutdated)
                || (open.isEmpty() && opening == 0 && System.nanoTime() - provenNanos > IDLE_NANOS);
    }

    @Override
    public synchronized boolean hasCallsInFlight() {
        return open.size() > idle.size() || waiting.stream().anyMatch(FrameCall::isQueued);
    }

    /**
     * Opens a connection, and waits until the gateway has answered a greeting; older ones take no new calls if they are
     * outdated.
     *
     * @throws IOException if it cannot be used
     */
    @Override
    protected void openNew() throws IOException {
        isSuspect = false;
        synchronized (this) {
            opening++;
        }
        try {
            connect();
            openForWaiting();
        } catch (IOException | RuntimeException e) {
            endOpening();
            failed(idle, e);
            throw e;
        }
    }

    private synchronized void endOpening() {
        opening--;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it closes in any case
    private void connect() throws IOException {
        Channel channel = opener().open(this::configure);
        HttpConnection connection = channel.pipeline().get(HttpConnection.class);
        boolean isReusable =
                connection != null && opener().await(connection.greeted(), channel); // else it answered, and closed
        provenNanos = System.nanoTime();
        retireOutdated();
        if (connection != null && isReusable && mayAdd()) {
            add(connection);
        } else {
            endOpening();
            channel.close();
        }
        isUp = true; // last: calls take it before they open others
    }

    private synchronized void retireOutdated() {
        for (HttpConnection one : List.copyOf(open)) {
            if (ConnectionHandler.isOutdated(one.channel())) {
                opener().drains(one.channel(), true);
                one.retire();
                if (idle.remove(one)) {
                    one.close();
                }
            }
        }
    }

    /** Over a connection that is idle, or will be. */
    @Override
    public void send(FrameCall call) {
        HttpConnection connection;
        boolean opens = false;
        synchronized (this) {
            connection = isClosed ? null : idle.pollLast();
            if (connection == null && !isClosed) {
                waiting.add(call);
                opens = beginOpening();
            }
        }
        if (connection != null) {
            connection.send(call);
        } else if (opens) {
            openAnother();
        } else if (isClosed()) {
            call.notWritten(new IOException("the connection is closed"));
        }
    }

    private synchronized boolean isClosed() {
        return isClosed;
    }

    /** Whether one more is to be opened for the calls that wait; {@link #endOpening} must follow. */
    private boolean beginOpening() {
        boolean opens = open.size() + opening < max && opening < waiting.size();
        opening += opens ? 1 : 0;
        return opens;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // both results are handled
    private void openAnother() {
        opener().openAnother(this::configure).whenComplete((channel, failure) -> {
            HttpConnection connection = failure == null ? channel.pipeline().get(HttpConnection.class) : null;
            if (connection == null) {
                notOpened(failure != null ? failure : new IOException("the gateway closed the connection"));
            } else {
                connection.greeted().complete(true);
                add(connection);
            }
        });
    }

    /** Counts a connection as open, and no longer as opening, in one step: else one more would be opened meanwhile. */
    private void add(HttpConnection connection) {
        if (connection.channel().localAddress() instanceof InetSocketAddress address) {
            local = address;
        }
        synchronized (this) {
            open.add(connection);
            opening--;
        }
        if (connection.isReusable()) {
            free(connection);
        } else { // its end may have been reported before
            closed(connection, false);
        }
        openForWaiting(); // after failed attempts, no call that waits opens another by itself
    }

    private void notOpened(Throwable failure) {
        endOpening();
        failed(open, failure);
    }

    /**
     * A connection could not be opened. The gateway is to be asked again, at the next of its addresses; unless others can
     * still carry calls, it is down, and what waits is not sent.
     */
    private void failed(Collection<HttpConnection> others, Throwable failure) {
        List<FrameCall> unsent;
        synchronized (this) {
            isSuspect = true;
            if (!others.isEmpty() || opening > 0) {
                return;
            }
            isUp = false;
            unsent = takeWaiting();
        }
        unsent.forEach(call -> call.notWritten(failure));
    }

    @Override
    public void free(HttpConnection connection) {
        FrameCall next = null;
        boolean isUsable;
        synchronized (this) {
            isUsable = connection.isReusable() && open.contains(connection) && !isClosed;
            if (isUsable) {
                next = nextWaiting();
                if (next == null) {
                    idle.addLast(connection);
                }
            }
        }
        if (next != null) {
            connection.send(next);
        } else if (!isUsable) {
            connection.close();
        }
    }

    private @Nullable FrameCall nextWaiting() {
        Iterator<FrameCall> calls = waiting.iterator();
        while (calls.hasNext()) {
            FrameCall next = calls.next();
            calls.remove();
            if (next.isQueued()) {
                return next;
            }
        }
        return null;
    }

    @Override
    public void closed(HttpConnection connection, boolean hadCall) {
        synchronized (this) {
            open.remove(connection);
            idle.remove(connection);
        }
        if (hadCall) {
            isSuspect = true;
        }
        openForWaiting();
    }

    private void openForWaiting() {
        boolean opens;
        synchronized (this) {
            waiting.removeIf(call -> !call.isQueued());
            opens = !isClosed && beginOpening();
        }
        if (opens) {
            openAnother();
        }
    }

    private synchronized boolean mayAdd() {
        return open.size() + opening <= max; // among which is this one
    }

    @Override
    public synchronized void abandon(FrameCall call) {
        waiting.remove(call);
    }

    /** Closes connections that have been idle for long. */
    @Override
    public void closeDrained() {
        List<HttpConnection> old = new ArrayList<>();
        synchronized (this) {
            while (!idle.isEmpty() && idle.peekFirst().idleNanos() > IDLE_NANOS) {
                old.add(idle.pollFirst());
            }
        }
        old.forEach(HttpConnection::close);
    }

    /** Ends the calls in flight, and those that wait. */
    @Override
    public void endCalls() {
        List<HttpConnection> all;
        synchronized (this) {
            all = List.copyOf(open);
        }
        endWaiting();
        all.forEach(HttpConnection::close);
    }

    private synchronized List<FrameCall> takeWaiting() {
        List<FrameCall> taken = List.copyOf(waiting);
        waiting.clear();
        return taken;
    }

    private void endWaiting() {
        takeWaiting().forEach(call -> call.notWritten(new IOException("the connection is closed")));
    }

    /** Closes what is idle now, and the rest once its calls have ended. */
    @Override
    public void close() {
        List<HttpConnection> unused;
        synchronized (this) {
            isClosed = true;
            unused = new ArrayList<>(idle);
            idle.clear();
        }
        endWaiting();
        unused.forEach(HttpConnection::close);
    }

    private void configure(Channel channel) {
        AnswerMemory counted = new AnswerMemory(bytes);
        channel.pipeline()
                .addLast(
                        new HttpRequestEncoder(),
                        new HttpResponseDecoder(MOST_LINE_BYTES, MOST_HEADER_BYTES, PIECE_BYTES),
                        counted,
                        new HttpObjectAggregator((int) Math.min(Integer.MAX_VALUE, bytes.limit())),
                        new HttpConnection(this, host, channel, counted));
    }
}
