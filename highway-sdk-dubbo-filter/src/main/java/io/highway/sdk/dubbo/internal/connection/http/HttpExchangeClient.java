// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.http;

import io.highway.sdk.dubbo.internal.compression.CompressedFrames;
import io.highway.sdk.dubbo.internal.connection.channel.GatewayClient;
import io.highway.sdk.dubbo.internal.connection.channel.GatewayTransport;
import io.highway.sdk.dubbo.internal.connection.dubbo.CallChannel;
import io.highway.sdk.dubbo.internal.connection.dubbo.CallRequests;
import io.highway.sdk.dubbo.internal.connection.dubbo.GatewayCodec;
import io.highway.sdk.dubbo.internal.evidence.AttemptEvidence;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import org.apache.dubbo.common.Parameters;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.remoting.ChannelHandler;
import org.apache.dubbo.remoting.RemotingException;
import org.apache.dubbo.remoting.exchange.ExchangeClient;
import org.apache.dubbo.remoting.exchange.ExchangeHandler;
import org.apache.dubbo.remoting.exchange.Request;
import org.apache.dubbo.remoting.exchange.support.DefaultFuture;
import org.apache.dubbo.remoting.transport.netty4.NettyBackedChannelBuffer;
import org.apache.dubbo.rpc.Invocation;
import org.jspecify.annotations.Nullable;

/** Dubbo's client of a gateway address by HTTP, whose connections are {@link HttpConnections}. Thread-safe. */
final class HttpExchangeClient extends CallChannel implements ExchangeClient, GatewayClient {

    private final ExchangeHandler handler;
    private final GatewayCodec codec;
    private final HttpConnections connections;
    private final InetSocketAddress remote;

    /**
     * Opens no connection before {@link #renew}.
     *
     * @param answered receives the answers
     */
    HttpExchangeClient(URL url, ExchangeHandler handler, ChannelHandler answered) {
        super(url, handler);
        this.handler = handler;
        this.codec = new GatewayCodec(url.getOrDefaultFrameworkModel());
        this.remote = InetSocketAddress.createUnresolved(url.getHost(), url.getPort());
        this.connections = new HttpConnections(url, new HttpAnswers(this, answered));
    }

    @Override
    public CompletableFuture<Object> request(Object message, int timeout, ExecutorService executor)
            throws RemotingException {
        return ask(message, timeout, executor);
    }

    private CompletableFuture<Object> ask(Object message, int timeout, @Nullable ExecutorService executor)
            throws RemotingException {
        AttemptEvidence evidence = entered(message);
        Request request = CallRequests.requestOf(message);
        CallRequests.signOnce(request);
        DefaultFuture pending = DefaultFuture.newFuture(this, request, timeout, executor);
        HttpCall call;
        try {
            call = call(request, evidence, pending, timeout);
        } catch (RemotingException | RuntimeException | Error e) {
            boolean unused = pending.completeExceptionally(e);
            CallRequests.forget(pending, this);
            throw e;
        }
        CompletableFuture<Object> unused = pending.whenComplete((answer, failure) -> {
            if (call.abandoned()) {
                connections.forget(call);
            }
        });
        connections.send(call);
        return pending;
    }

    private @Nullable AttemptEvidence entered(Object message) throws RemotingException {
        AttemptEvidence evidence = CallRequests.entered(message, this);
        if (evidence != null) {
            evidence.waitsForConnection();
        }
        return evidence;
    }

    private HttpCall call(
            Request request, @Nullable AttemptEvidence evidence, @Nullable DefaultFuture pending, int timeout)
            throws RemotingException {
        ByteBuf frame = PooledByteBufAllocator.DEFAULT.ioBuffer();
        try {
            if (!isConnected()) {
                throw new RemotingException(this, "the connection is closed");
            }
            codec.encode(this, new NettyBackedChannelBuffer(frame), request);
            CompressedFrames compression = CompressedFrames.of((Invocation) request.getData());
            boolean isCompressed = compression != null && compress(frame, compression);
            if (compression != null && isCompressed && evidence != null) {
                evidence.encodedIn(compression.encoding());
            }
            return new HttpCall(this, request, evidence, pending, frame, timeout, compression, isCompressed);
        } catch (IOException | RemotingException | RuntimeException | Error e) {
            frame.release();
            RemotingException failure = e instanceof RemotingException known
                    ? known
                    : new RemotingException(this, "the request cannot be written: " + e.getMessage(), e);
            if (evidence != null) {
                evidence.writeFailed(failure);
            }
            throw failure;
        }
    }

    /** On the calling thread; returns whether it is smaller then. */
    private static boolean compress(ByteBuf frame, CompressedFrames compression) {
        byte[] compressed = compression.compress(ByteBufUtil.getBytes(frame));
        if (compressed != null) {
            frame.clear().writeBytes(compressed);
        }
        return compressed != null;
    }

    /** A call without an answer. */
    @Override
    public void send(Object message, boolean sent) throws RemotingException {
        AttemptEvidence evidence = entered(message);
        Request request = CallRequests.requestOf(message);
        request.setTwoWay(false);
        CallRequests.signOnce(request);
        HttpCall call = call(request, evidence, null, timeout());
        GatewayTransport transport = HttpConnections.transport(getUrl());
        if (transport != null) {
            call.countIn(transport.bytesInFlight());
        }
        connections.send(call);
        if (sent) {
            call.awaitWritten();
        }
    }

    @Override
    @Deprecated
    @SuppressWarnings("InlineMeSuggester") // Dubbo's
    public CompletableFuture<Object> request(Object message) throws RemotingException {
        return ask(message, timeout(), null);
    }

    @Override
    @Deprecated
    @SuppressWarnings("InlineMeSuggester") // Dubbo's
    public CompletableFuture<Object> request(Object message, int timeout) throws RemotingException {
        return ask(message, timeout, null);
    }

    @Override
    public CompletableFuture<Object> request(Object message, ExecutorService executor) throws RemotingException {
        return ask(message, timeout(), executor);
    }

    private int timeout() {
        return getUrl().getPositiveParameter(CommonConstants.TIMEOUT_KEY, CommonConstants.DEFAULT_TIMEOUT);
    }

    @Override
    public boolean isConnected() {
        return !isClosed() && connections.isUp();
    }

    @Override
    public boolean isDraining() {
        return false; // a gateway ends each connection after an answer
    }

    @Override
    public boolean needsRenewal() {
        return !isClosed() && connections.needsRenewal();
    }

    @Override
    public synchronized void renew() throws RemotingException {
        GatewayTransport transport = HttpConnections.transport(getUrl());
        if (transport == null) {
            throw new RemotingException(this, "the address is not in use any more");
        }
        if (!needsRenewal()) {
            return;
        }
        try {
            connections.renew(transport);
        } catch (IOException e) {
            throw new RemotingException(this, String.valueOf(e.getMessage()), e);
        }
    }

    @Override
    public void closeDrained() {
        connections.closeIdle();
    }

    @Override
    public boolean hasCallsInFlight() {
        return connections.hasCalls();
    }

    @Override
    public void endCalls() {
        connections.endCalls();
    }

    /** Calls in flight go on. */
    @Override
    public void close() {
        super.close();
        connections.close();
    }

    @Override
    public void reconnect() {
        // renew does
    }

    @Override
    @Deprecated
    public void reset(Parameters parameters) {
        // nothing
    }

    @Override
    public void reset(URL other) {
        // nothing
    }

    @Override
    public ExchangeHandler getExchangeHandler() {
        return handler;
    }

    @Override
    public InetSocketAddress getLocalAddress() {
        return connections.localAddress();
    }

    @Override
    public InetSocketAddress getRemoteAddress() {
        return remote;
    }

    @Override
    public String toString() {
        return "HTTP " + getUrl().getAddress();
    }
}
