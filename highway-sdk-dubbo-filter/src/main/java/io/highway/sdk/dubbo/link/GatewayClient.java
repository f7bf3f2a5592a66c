// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.link;

import io.highway.sdk.dubbo.transport.AttemptEvidence;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.dubbo.common.threadpool.ThreadlessExecutor;
import org.apache.dubbo.remoting.Channel;
import org.apache.dubbo.remoting.Client;
import org.apache.dubbo.remoting.Constants;
import org.apache.dubbo.remoting.RemotingException;
import org.apache.dubbo.remoting.exchange.Response;
import org.apache.dubbo.remoting.exchange.support.DefaultFuture;
import org.apache.dubbo.remoting.exchange.support.header.HeaderExchangeClient;
import org.apache.dubbo.remoting.exchange.support.header.HeartbeatHandler;
import org.jspecify.annotations.Nullable;

/**
 * A Dubbo connection that knows its calls in flight, so that they end when it is lost. Dubbo alone waits up to ten seconds
 * for answers that cannot come; and where it ends a synchronous call from outside, the caller may sleep on until its
 * timeout, because {@code ThreadlessExecutor#shutdownNow} wakes it before it says why. Here the caller ends its call itself.
 */
final class GatewayClient extends HeaderExchangeClient {

    /** So long nothing may come over a connection before it is made again. */
    static final long SILENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(2 * GatewayLink.HEARTBEAT + 1000);

    /** By the request's id. */
    private final Map<Long, InFlight> inFlight = new ConcurrentHashMap<>();

    /** A call, and the local address of the connection that carries it: one that is renewed gets another. */
    private record InFlight(DefaultFuture pending, @Nullable InetSocketAddress connection) {}

    private final GatewayConnections connections;
    private @Nullable Object heard;
    private long heardNanos = System.nanoTime();

    GatewayClient(Client client, GatewayConnections connections) {
        super(client, true);
        this.connections = connections;
    }

    /** Whether nothing has come for so long that the other side, asked every two seconds, must be gone. */
    synchronized boolean isDeaf() {
        Object now = getAttribute(HeartbeatHandler.KEY_READ_TIMESTAMP);
        if (!Objects.equals(now, heard)) { // that clock may jump, so it only tells that something came
            heard = now;
            heardNanos = System.nanoTime();
        }
        return isConnected() && System.nanoTime() - heardNanos > SILENCE_NANOS;
    }

    /** Whether the gateway has asked to send nothing new. */
    boolean isDraining() {
        return hasAttribute(Constants.CHANNEL_ATTRIBUTE_READONLY_KEY);
    }

    /** Dubbo takes the connections of an address in turn, lost ones too; a lost one hands its call to another. */
    @Override
    public CompletableFuture<Object> request(Object request, int timeout, ExecutorService executor)
            throws RemotingException {
        GatewayClient sound = isConnected() ? null : connections.beside(this, getUrl().getAddress());
        return sound == null ? send(request, timeout, executor) : sound.send(request, timeout, executor);
    }

    /** A request that nobody answers; its frame cannot be told from others, so only one that is not written is proof. */
    @Override
    public void send(Object message, boolean sent) throws RemotingException {
        AttemptEvidence evidence = AttemptEvidence.ofMessage(message);
        if (evidence != null) {
            evidence.enter(message);
        }
        try {
            super.send(message, sent);
        } catch (RemotingException e) {
            if (evidence != null && e.getCause() == null) { // closed before
                evidence.writeEnded();
            }
            throw e;
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it only tidies up
    private CompletableFuture<Object> send(Object request, int timeout, ExecutorService executor)
            throws RemotingException {
        InetSocketAddress connection = getLocalAddress();
        AttemptEvidence evidence = AttemptEvidence.ofMessage(request);
        if (evidence != null) {
            evidence.enter(request);
        }
        CompletableFuture<Object> response;
        try {
            response = super.request(request, timeout, executor);
        } catch (RemotingException e) {
            if (evidence != null && !(e.getCause() instanceof InterruptedException)) {
                evidence.writeEnded();
            }
            throw e;
        } catch (NullPointerException e) {
            // from DefaultFuture#cancel after a failed write, where the loss has ended the call already
            if (evidence != null) {
                evidence.writeEnded();
            }
            throw new RemotingException(this, "the connection was lost while writing", e);
        }
        if (response instanceof DefaultFuture pending) {
            Long id = pending.getRequest().getId();
            inFlight.put(id, new InFlight(pending, connection));
            response.whenComplete((value, failure) -> inFlight.remove(id));
        }
        return response;
    }

    /** Ends every call in flight as maybe executed. */
    void endCalls() {
        inFlight.values().forEach(call -> end(call.pending, this));
    }

    /** Ends every call in flight on this connection as maybe executed. */
    void lost(Channel channel) {
        InetSocketAddress connection = channel.getLocalAddress();
        inFlight.forEach((id, call) -> {
            if (connection == null || connection.equals(call.connection)) {
                end(call.pending, channel);
            }
        });
    }

    private static void end(DefaultFuture pending, Channel channel) {
        Response response = new Response(pending.getRequest().getId());
        response.setStatus(Response.CHANNEL_INACTIVE);
        response.setErrorMessage("Channel " + channel + " is inactive");
        Runnable end = () -> DefaultFuture.received(channel, response);
        if (pending.getExecutor() instanceof ThreadlessExecutor caller) {
            try {
                caller.execute(end);
            } catch (RejectedExecutionException e) {
                end.run(); // the caller has gone
            }
        } else {
            end.run();
        }
    }
}
