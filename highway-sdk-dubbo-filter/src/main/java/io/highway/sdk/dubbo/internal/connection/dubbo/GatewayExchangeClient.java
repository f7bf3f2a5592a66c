// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.dubbo;

import io.highway.sdk.dubbo.internal.connection.channel.GatewayClient;
import io.highway.sdk.dubbo.internal.connection.channel.GatewayClients;
import io.highway.sdk.dubbo.internal.evidence.AttemptEvidence;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.dubbo.remoting.Channel;
import org.apache.dubbo.remoting.Constants;
import org.apache.dubbo.remoting.RemotingException;
import org.apache.dubbo.remoting.exchange.Request;
import org.apache.dubbo.remoting.exchange.support.DefaultFuture;
import org.apache.dubbo.remoting.exchange.support.header.HeaderExchangeClient;
import org.jspecify.annotations.Nullable;

/**
 * A Dubbo connection that tracks its calls in flight and fails them when it is lost. Dubbo alone waits up to ten
 * seconds for answers that cannot arrive.
 */
final class GatewayExchangeClient extends HeaderExchangeClient implements GatewayClient {

    /** By request id. */
    private final Map<Long, Call> calls = new ConcurrentHashMap<>();

    /** A call, from before it is written until it has ended. */
    private static final class Call {

        /** Null if it is not a call of the SDK. */
        private final @Nullable AttemptEvidence evidence;

        /** The local address of the connection that carries it: a renewed connection has another one. */
        private volatile @Nullable InetSocketAddress connection;

        /** That of a connection which was lost, perhaps while the call was being written to it. */
        private volatile @Nullable InetSocketAddress lost;

        /** Null while it is being written. */
        private volatile @Nullable DefaultFuture pending;

        /** Whether its answer has arrived, and waits for a thread: a disconnect must not fail it first. */
        private volatile boolean isAnswered;

        Call(@Nullable AttemptEvidence evidence, @Nullable InetSocketAddress connection) {
            this.evidence = evidence;
            this.connection = connection;
        }
    }

    /** The minimum time that a draining connection stays open, for calls that are being written. */
    private static final long LEAST_DRAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** The minimum time between reconnects to a gateway that drains each new connection at once. */
    private static final long LEAST_USE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Of a message that is no request; Dubbo writes such without this client. */
    private static final long NO_ID = -1;

    private final GatewayNettyClient client;
    private final GatewayClients connections;

    /** Connections that a new one has replaced, until their calls have ended. */
    private final Map<InetSocketAddress, Drained> drained = new ConcurrentHashMap<>();

    private volatile long replacedNanos = System.nanoTime() - LEAST_USE_NANOS;

    private record Drained(Channel connection, long sinceNanos) {}

    GatewayExchangeClient(GatewayNettyClient client, GatewayClients connections) {
        super(client, true);
        this.client = client;
        this.connections = connections;
        client.onAnswer(this::answered);
        client.onRequest(this::carried);
    }

    /** Whether a call over this client has this id, and has not ended. */
    boolean awaits(long id) {
        return calls.containsKey(id);
    }

    /** The evidence of the call that waits for an answer under this id; null if none does. */
    @Nullable
    AttemptEvidence evidence(long id) {
        Call call = calls.get(id);
        return call == null ? null : call.evidence;
    }

    private void answered(long id) {
        Call call = calls.get(id);
        if (call != null) { // otherwise no caller waits for it
            call.isAnswered = true;
        }
    }

    private void carried(InetSocketAddress connection, long id) {
        Call call = calls.get(id);
        if (call != null) {
            call.connection = connection;
        }
    }

    /** Whether the gateway sends nothing over the connection, in spite of a heartbeat every two seconds. */
    private boolean isUnresponsive() {
        return isConnected() && client.isSilent();
    }

    @Override
    public boolean isDraining() {
        return isConnected() && hasAttribute(Constants.CHANNEL_ATTRIBUTE_READONLY_KEY);
    }

    /** Whether it can carry a call. */
    private boolean isSound() {
        return isConnected() && !isDraining();
    }

    @Override
    public boolean needsRenewal() {
        return !isClosed()
                && (!isConnected()
                        || isUnresponsive()
                        || client.isOutdated()
                        || (isDraining() && System.nanoTime() - replacedNanos > LEAST_USE_NANOS));
    }

    /** A draining connection finishes its calls while the new one is in use. */
    @Override
    public synchronized void renew() throws RemotingException {
        if (!needsRenewal()) {
            return;
        }
        if (!isConnected() || isUnresponsive()) {
            reconnect();
            return;
        }
        replacedNanos = System.nanoTime();
        client.replace(old -> drained.put(old.getLocalAddress(), new Drained(old, System.nanoTime())));
    }

    @Override
    public void closeDrained() {
        drained.forEach((address, old) -> {
            boolean mayClose = System.nanoTime() - old.sinceNanos > LEAST_DRAIN_NANOS;
            if (mayClose && !carriesCalls(address)) {
                close(address);
            }
        });
    }

    private boolean carriesCalls(InetSocketAddress connection) {
        return calls.values().stream().anyMatch(call -> connection.equals(call.connection));
    }

    private void close(InetSocketAddress address) {
        Drained old = drained.remove(address);
        if (old != null) {
            old.connection.close();
        }
    }

    @Override
    public void close(int timeout) {
        super.close(timeout); // waits for all calls in flight
        drained.keySet().forEach(this::close);
    }

    @Override
    public synchronized void close() {
        super.close();
        drained.keySet().forEach(this::close);
    }

    /**
     * Dubbo uses the connections of an address round-robin, lost and draining ones too; these forward their calls to
     * another one.
     */
    @Override
    public CompletableFuture<Object> request(Object request, int timeout, ExecutorService executor)
            throws RemotingException {
        return (isSound() ? this : soundOrThis()).send(request, timeout, executor);
    }

    private GatewayExchangeClient soundOrThis() {
        for (GatewayClient other : connections.clients(GatewayClients.key(getUrl()))) {
            if (other instanceof GatewayExchangeClient client && client.isSound()) {
                return client;
            }
        }
        return this;
    }

    /** Sends a one-way request. */
    @Override
    public void send(Object message, boolean sent) throws RemotingException {
        (isSound() ? this : soundOrThis()).sendOneWay(message, sent);
    }

    /** Its frame cannot be identified, so only a failed hand-over to the connection is proof. */
    private void sendOneWay(Object message, boolean sent) throws RemotingException {
        AttemptEvidence evidence = CallRequests.entered(message, this);
        if (evidence != null && isDraining()) { // the gateway would refuse it, and cannot say so
            evidence.writeEnded();
            throw new RemotingException(this, "the gateway closes the connection");
        }
        long id = idOf(message);
        calls.put(id, new Call(evidence, getLocalAddress()));
        try {
            CallRequests.signOnce(message);
            super.send(message, sent);
        } catch (RemotingException e) {
            if (evidence != null && e.getCause() == null) { // closed before
                evidence.writeFailed(e);
            }
            throw e;
        } finally {
            calls.remove(id);
        }
    }

    private static long idOf(Object message) {
        return message instanceof Request known ? known.getId() : NO_ID;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it only cleans up
    private CompletableFuture<Object> send(Object message, int timeout, ExecutorService executor)
            throws RemotingException {
        AttemptEvidence evidence = CallRequests.entered(message, this);
        Request request = CallRequests.requestOf(message);
        Long id = request.getId();
        CallRequests.signOnce(request);
        Call call = new Call(evidence, getLocalAddress());
        DefaultFuture pending = DefaultFuture.newFuture(client, request, timeout, executor);
        calls.put(id, call);
        pending.whenComplete((value, failure) -> calls.remove(id));
        try {
            if (isClosed()) {
                throw new RemotingException(
                        this, "Failed to send request " + request + ", cause: The channel " + client + " is closed!");
            }
            client.send(request);
            call.pending = pending;
        } catch (RemotingException e) {
            throw unwritten(call, pending, e);
        } finally {
            if (call.pending == null) {
                calls.remove(id, call);
            }
        }
        InetSocketAddress lost = call.lost;
        if (lost != null && lost.equals(call.connection)) {
            end(id, call, this);
        }
        return pending;
    }

    /** Forgets a call whose write has failed. */
    private RemotingException unwritten(Call call, DefaultFuture pending, RemotingException failure) {
        AttemptEvidence evidence = call.evidence;
        if (!pending.completeExceptionally(failure)) { // the loss of the connection has ended it already
            if (evidence != null) {
                evidence.writeEnded();
            }
            return new RemotingException(this, "the connection was lost while writing", failure);
        }
        CallRequests.forget(pending, this);
        if (evidence != null && !(failure.getCause() instanceof InterruptedException)) {
            evidence.writeFailed(failure);
        }
        return failure;
    }

    @Override
    public boolean hasCallsInFlight() {
        return !calls.isEmpty();
    }

    @Override
    public void endCalls() {
        calls.forEach((id, call) -> end(id, call, this));
    }

    /** Ends every call in flight on this connection as maybe executed. */
    void lost(Channel channel) {
        InetSocketAddress connection = channel.getLocalAddress();
        if (connection != null) {
            drained.remove(connection);
        }
        calls.forEach((id, call) -> {
            if (connection == null || connection.equals(call.connection)) {
                call.lost = connection;
                end(id, call, channel);
            }
        });
    }

    private void end(Long id, Call call, Channel channel) {
        DefaultFuture pending = call.pending;
        if (pending != null && !call.isAnswered && calls.remove(id, call)) {
            CallRequests.end(pending, channel);
        }
    }
}
