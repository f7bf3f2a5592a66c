// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.dubbo;

import io.highway.sdk.HighwayAttachments;
import io.highway.sdk.dubbo.internal.evidence.AttemptEvidence;
import java.util.concurrent.RejectedExecutionException;
import org.apache.dubbo.common.Version;
import org.apache.dubbo.common.threadpool.ThreadlessExecutor;
import org.apache.dubbo.remoting.Channel;
import org.apache.dubbo.remoting.RemotingException;
import org.apache.dubbo.remoting.exchange.Request;
import org.apache.dubbo.remoting.exchange.Response;
import org.apache.dubbo.remoting.exchange.support.DefaultFuture;
import org.apache.dubbo.rpc.RpcInvocation;
import org.jspecify.annotations.Nullable;

/** The requests of calls, from Dubbo's invoker up to the connection, and their ends. */
public final class CallRequests {

    private CallRequests() {}

    /** As Dubbo's exchange makes it. */
    public static Request requestOf(Object message) {
        if (message instanceof Request known) {
            return known;
        }
        Request request = new Request();
        request.setVersion(Version.getProtocolVersion());
        request.setTwoWay(true);
        request.setData(message);
        return request;
    }

    /**
     * A request reaches a client; returns its evidence, or null if it is not a call of the SDK.
     *
     * @throws RemotingException if the call was abandoned
     */
    public static @Nullable AttemptEvidence entered(Object message, Channel client) throws RemotingException {
        AttemptEvidence evidence = AttemptEvidence.ofMessage(message);
        if (evidence != null && !evidence.enter(message)) {
            throw new RemotingException(client, "the call was abandoned", evidence.unwritten());
        }
        return evidence;
    }

    /**
     * A signed call is written from a copy of its invocation, perhaps later on the event loop: the signature is that of
     * one attempt, and Dubbo logs the attachments of slow calls.
     */
    public static void signOnce(Object message) {
        if (message instanceof Request request
                && request.getData() instanceof RpcInvocation call
                && call.getObjectAttachments().containsKey(HighwayAttachments.SIGN)) {
            request.setData(new RpcInvocation(call));
            call.getObjectAttachments().remove(HighwayAttachments.SIGN);
        }
    }

    /**
     * Ends a call whose connection is lost as maybe executed. If Dubbo ends a synchronous call from another thread, its
     * caller may block until the timeout, because {@code ThreadlessExecutor#shutdownNow} wakes it before it sets the result.
     * Here the calling thread ends its call itself.
     */
    public static void end(DefaultFuture pending, Channel channel) {
        Response response = inactive(pending.getRequest().getId(), channel);
        Runnable end = () -> DefaultFuture.received(channel, response);
        if (pending.getExecutor() instanceof ThreadlessExecutor caller) {
            try {
                caller.execute(end);
            } catch (RejectedExecutionException e) {
                end.run(); // the caller no longer waits
            }
        } else {
            end.run();
        }
    }

    /** Removes a call that was not written from Dubbo's table of calls. */
    public static void forget(DefaultFuture pending, Channel channel) {
        DefaultFuture.received(channel, inactive(pending.getRequest().getId(), channel));
    }

    private static Response inactive(long id, Channel channel) {
        Response response = new Response(id);
        response.setStatus(Response.CHANNEL_INACTIVE);
        response.setErrorMessage("Channel " + channel + " is inactive");
        return response;
    }
}
