// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.tunnel;

import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import org.apache.dubbo.common.threadpool.ThreadlessExecutor;
import org.apache.dubbo.remoting.Channel;
import org.apache.dubbo.remoting.Client;
import org.apache.dubbo.remoting.RemotingException;
import org.apache.dubbo.remoting.exchange.Response;
import org.apache.dubbo.remoting.exchange.support.DefaultFuture;
import org.apache.dubbo.remoting.exchange.support.header.HeaderExchangeClient;

/**
 * A Dubbo connection that knows its calls in flight, so that they end when it is lost. Dubbo alone waits up to ten seconds
 * for answers that cannot come; and where it ends a synchronous call from outside, the caller may sleep on until its
 * timeout, because {@code ThreadlessExecutor#shutdownNow} wakes it before it says why. Here the caller ends its call itself.
 */
final class GatewayClient extends HeaderExchangeClient {

    /** By call, the local address of the connection that carries it: one that is renewed gets another. */
    private final Map<DefaultFuture, InetSocketAddress> inFlight = new ConcurrentHashMap<>();

    GatewayClient(Client client) {
        super(client, true);
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // it only tidies up
    public CompletableFuture<Object> request(Object request, int timeout, ExecutorService executor)
            throws RemotingException {
        InetSocketAddress connection = getLocalAddress();
        CompletableFuture<Object> response = super.request(request, timeout, executor);
        if (response instanceof DefaultFuture pending) {
            inFlight.put(pending, connection);
            response.whenComplete((value, failure) -> inFlight.remove(pending));
        }
        return response;
    }

    /** Ends every call in flight on this connection as maybe executed. */
    void lost(Channel channel) {
        InetSocketAddress connection = channel.getLocalAddress();
        inFlight.forEach((pending, carrier) -> {
            if (connection == null || connection.equals(carrier)) {
                end(pending, channel);
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
