// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.tunnel;

import java.util.Set;
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

    private final Set<DefaultFuture> inFlight = ConcurrentHashMap.newKeySet();

    GatewayClient(Client client) {
        super(client, true);
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // it only tidies up
    public CompletableFuture<Object> request(Object request, int timeout, ExecutorService executor)
            throws RemotingException {
        CompletableFuture<Object> response = super.request(request, timeout, executor);
        if (response instanceof DefaultFuture pending) {
            inFlight.add(pending);
            response.whenComplete((value, failure) -> inFlight.remove(pending));
        }
        return response;
    }

    /** Ends every call in flight as maybe executed. */
    void lost(Channel channel) {
        for (DefaultFuture pending : inFlight) {
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
}
