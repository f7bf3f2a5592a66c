// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.server;

import io.highway.sdk.dubbo.internal.call.CallAttributes;
import io.highway.sdk.dubbo.internal.evidence.NotSentStatements;
import io.highway.sdk.dubbo.internal.memory.MemoryBudget;
import io.highway.sdk.dubbo.internal.provider.server.PreDecodeCheck.Refusal;
import io.highway.sdk.dubbo.internal.provider.server.PreDecodeCheck.ServiceName;
import java.net.InetSocketAddress;
import java.util.Objects;
import org.apache.dubbo.remoting.Channel;
import org.apache.dubbo.remoting.ChannelHandler;
import org.apache.dubbo.remoting.RemotingException;
import org.apache.dubbo.remoting.exchange.Request;
import org.apache.dubbo.remoting.exchange.Response;
import org.apache.dubbo.remoting.transport.AbstractChannelHandlerDelegate;
import org.apache.dubbo.rpc.AppResponse;
import org.apache.dubbo.rpc.Constants;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.jspecify.annotations.Nullable;

/**
 * Passes on the calls that the guard admits, and answers the others. Behind Dubbo's dispatcher, on the service's thread,
 * and in front of the decoder.
 */
public class AdmissionHandler extends AbstractChannelHandlerDelegate {

    private static final String PROTOCOL_VERSION = "2.0.2";

    private final FrameworkModel framework;

    /** With Dubbo's handler that decodes. */
    public AdmissionHandler(FrameworkModel framework, ChannelHandler decoding) {
        super(decoding);
        this.framework = framework;
    }

    @Override
    public void received(Channel channel, Object message) throws RemotingException {
        if (!(message instanceof Request request)
                || !(request.getData() instanceof UndecodedCall call)
                || !call.isRead()) {
            handler.received(channel, message);
            return;
        }
        PreDecodeCheck guard = Objects.requireNonNull(PreDecodeCheck.of(framework)); // it was read for this guard
        Refusal refusal = call.problem() == null
                ? guard.admit(channel.getRemoteAddress(), service(channel, call), call)
                : guard.malformed(channel.getRemoteAddress(), call.problem());
        if (refusal != null) {
            refuse(channel, request, call, refusal);
            return;
        }
        try {
            handler.received(channel, message);
        } finally {
            guard.ended(call);
        }
    }

    /** The service that a call names. */
    protected ServiceName service(Channel channel, UndecodedCall call) {
        return call.service(channel.getLocalAddress().getPort());
    }

    /** Answers a call that has not run. */
    protected void refuse(Channel channel, Request request, UndecodedCall call, Refusal refusal)
            throws RemotingException {
        MemoryBudget.Body body = CallAttributes.get(call, MemoryBudget.Body.class);
        if (body != null) { // without an answer nothing else releases it
            body.release();
        }
        if (request.isTwoWay()) {
            channel.send(answer(request.getId(), call, refusal));
        }
    }

    /**
     * The answer to a request for which the thread pool of its service had no thread, as the guard refuses calls; null if
     * it has no route headers, or they are not known: a request is not decoded for this.
     */
    static @Nullable Response withoutThread(
            Request request, io.netty.channel.Channel connection, FrameworkModel framework) {
        PreDecodeCheck guard = PreDecodeCheck.of(framework);
        if (guard == null || !(request.getData() instanceof Invocation call) || call.getMethodName() == null) {
            return null;
        }
        ServiceName service = UndecodedCall.serviceOf(call, ((InetSocketAddress) connection.localAddress()).getPort());
        Refusal refusal = guard.withoutThread(
                (InetSocketAddress) connection.remoteAddress(), service, call.getMethodName(), call::getAttachment);
        return refusal == null ? null : answer(request.getId(), call, refusal);
    }

    private static Response answer(long id, Invocation call, Refusal refusal) {
        return answer(id, call, NotSentStatements.refusal(refusal.message()), refusal.statement());
    }

    /**
     * The answer to a call that has not run.
     *
     * @param statement the value of {@code highway-refused}, or null
     */
    static Response answer(long id, Invocation call, RpcException refusal, @Nullable String statement) {
        AppResponse refused = new AppResponse(refusal);
        if (statement != null) {
            refused.setAttachment(NotSentStatements.REFUSED, statement);
        }
        refused.setAttribute(Constants.INVOCATION_KEY, call); // names the serialization
        Response answer = new Response(id, PROTOCOL_VERSION);
        answer.setResult(refused);
        return answer;
    }
}
