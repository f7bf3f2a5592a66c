// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.http.server;

import io.highway.sdk.dubbo.internal.background.BackgroundTasks;
import io.highway.sdk.dubbo.internal.call.CallAttributes;
import io.highway.sdk.dubbo.internal.call.InboundHttpTunnelCall;
import io.highway.sdk.dubbo.internal.evidence.NotSentStatements;
import io.highway.sdk.dubbo.internal.limits.LogLimit;
import io.highway.sdk.dubbo.internal.memory.MemoryBudget;
import io.highway.sdk.dubbo.internal.network.frame.FrameHeader;
import io.highway.sdk.dubbo.internal.network.http2.RequestInflater;
import io.highway.sdk.dubbo.internal.provider.server.AdmissionHandler;
import io.highway.sdk.dubbo.internal.provider.server.PreDecodeCheck;
import io.highway.sdk.dubbo.internal.provider.server.PreDecodeCheck.Refusal;
import io.highway.sdk.dubbo.internal.provider.server.PreDecodeCheck.ServiceName;
import io.highway.sdk.dubbo.internal.provider.server.UndecodedCall;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.deploy.ApplicationDeployer;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.apache.dubbo.remoting.Channel;
import org.apache.dubbo.remoting.ChannelHandler;
import org.apache.dubbo.remoting.Codec2;
import org.apache.dubbo.remoting.Constants;
import org.apache.dubbo.remoting.RemotingException;
import org.apache.dubbo.remoting.exchange.ExchangeChannel;
import org.apache.dubbo.remoting.exchange.Request;
import org.apache.dubbo.remoting.exchange.support.ExchangeHandlerAdapter;
import org.apache.dubbo.remoting.exchange.support.header.HeaderExchangeHandler;
import org.apache.dubbo.remoting.transport.DecodeHandler;
import org.apache.dubbo.remoting.transport.dispatcher.ChannelHandlers;
import org.apache.dubbo.rpc.AppResponse;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.apache.dubbo.rpc.model.ServiceModel;
import org.apache.dubbo.rpc.protocol.dubbo.DubboCodec;
import org.jspecify.annotations.Nullable;

/**
 * Serves the calls of one server's port: Dubbo's dispatcher, thread pool and exchange layer, as for the Dubbo
 * protocol, and instead of {@code DubboProtocol} the services of {@link HttpServices}. Thread-safe.
 */
final class CallDispatcher {

    private static final Logger log = LoggerFactory.getLogger(CallDispatcher.class);

    private static final String NOT_EXPORTED =
            NotSentStatements.NO_SUCH_SERVICE + "; it is not exported on this port in this group and version";

    private final URL url;
    private final FrameworkModel framework;
    private final HttpServices services;
    private final ChannelHandler handler;
    private final Codec2 codec;
    private final LogLimit logLimit = new LogLimit();

    CallDispatcher(URL url) {
        this.url = url;
        this.framework = url.getOrDefaultFrameworkModel();
        this.services = HttpServices.of(framework);
        this.codec = new DubboCodec(framework);
        this.handler =
                ChannelHandlers.wrap(new Admission(new DecodeHandler(new HeaderExchangeHandler(new Calls()))), url);
    }

    /** For the compressed requests of a connection. */
    RequestInflater.Connection inflating(ChannelHandlerContext connection) {
        return new Inflating(connection, framework, (int) payload(), BackgroundTasks.threadsOfDubbo(framework));
    }

    private record Inflating(ChannelHandlerContext context, FrameworkModel framework, int payload, Executor inflating)
            implements RequestInflater.Connection {}

    /** Of the port, with the settings of the protocol of a service. */
    URL url() {
        return url;
    }

    /**
     * Serves a request, on another thread unless the dispatcher is configured otherwise.
     *
     * @param frame what is kept of it is copied
     * @param answers receives the answer, on any thread
     */
    void serve(ChannelHandlerContext connection, HttpCallHeaders request, ByteBuf frame, Consumer<HttpAnswer> answers)
            throws RequestRejectedException {
        if (!FrameHeader.isWhole(frame, true)) {
            throw new RequestRejectedException("its body is not exactly one Dubbo frame with a call");
        }
        int start = frame.readerIndex();
        boolean isOneWay = !FrameHeader.isTwoWay(frame, start);
        DubboChannelAdapter exchange =
                new DubboChannelAdapter(url, handler, codec, connection, request, isOneWay, answers);
        int header = FrameHeader.HEADER_BYTES;
        byte[] body = ByteBufUtil.getBytes(frame, start + header, frame.readableBytes() - header);
        PreDecodeCheck guard = PreDecodeCheck.of(framework);
        boolean isClosed = guard != null && guard.isClosedTo(exchange.getRemoteAddress());
        Request call = new Request(FrameHeader.id(frame, start)); // with an answer in any case: a refusal must be seen
        call.setPayload(body.length);
        byte serialization = FrameHeader.serialization(frame, start);
        HttpInvocation received = new HttpInvocation(framework, exchange, call, body, serialization, isClosed);
        Invoker<?> service = services.find(request.service());
        if (service != null) { // Dubbo chooses the thread pool by it before it decodes
            received.setServiceModel(service.getUrl().getServiceModel());
        }
        if (isClosed) {
            exchange.checkedFirst();
            CallAttributes.put(received, InboundHttpTunnelCall.class, request.arrival(received, exchange::refuse));
        }
        call.setData(received);
        try {
            handler.received(exchange, call);
        } catch (RemotingException | RuntimeException e) { // no thread, and no answer of Dubbo's
            exchange.refuse(request.refusal(NotSentStatements.BUSY + "; " + e.getMessage(), true));
        }
    }

    /** Why its body cannot be read, or why the guard refuses it by its head alone, or null. On the event loop. */
    @Nullable
    Refusal refusalByHead(HttpCallHeaders request, ChannelHandlerContext connection, boolean isGuarded) {
        String unreadable = request.encodings().refusal();
        if (unreadable != null) {
            return new Refusal(unreadable, unreadable, request.path().island() + ";" + unreadable);
        }
        PreDecodeCheck guard = PreDecodeCheck.of(framework);
        return guard == null || !isGuarded
                ? null
                : guard.refusalByHeaders(
                        (InetSocketAddress) connection.channel().remoteAddress(),
                        services.exported(request.service()),
                        request.path().method(),
                        request::routeHeader);
    }

    /** The largest frame without its header. */
    private long payload() {
        int payload = url.getParameter(Constants.PAYLOAD_KEY, Constants.DEFAULT_PAYLOAD);
        return payload > 0 ? payload : Integer.MAX_VALUE - FrameHeader.HEADER_BYTES;
    }

    void requireFits(long body) throws RequestRejectedException {
        if (body > payload() + FrameHeader.HEADER_BYTES) {
            throw new RequestRejectedException(
                    HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE,
                    "its body has more than the payload (dubbo.protocol.payload), " + payload() + " bytes");
        }
    }

    /** Whether the application stops: gateways should choose another provider. */
    boolean isDraining() {
        ApplicationDeployer deployer = url.getOrDefaultApplicationModel().getDeployer();
        return deployer == null || deployer.isStopping() || deployer.isStopped();
    }

    /** Runs on the threads of Dubbo's provider, with calls that are not decoded. */
    private final class Admission extends AdmissionHandler {

        Admission(ChannelHandler decoding) {
            super(framework, decoding);
        }

        @Override
        public void received(Channel channel, Object message) throws RemotingException {
            if (!((DubboChannelAdapter) channel).isAnswered()) { // else it was refused as busy
                super.received(channel, message);
            }
        }

        @Override
        protected ServiceName service(Channel channel, UndecodedCall call) {
            return services.exported(super.service(channel, call));
        }

        @Override
        protected void refuse(Channel channel, Request request, UndecodedCall call, Refusal refusal)
                throws RemotingException {
            if (NotSentStatements.isRepeat(refusal.reason())) {
                ((DubboChannelAdapter) channel).refuse(refusal.reason());
            } else {
                super.refuse(channel, request, call, refusal);
            }
        }
    }

    /** Runs on the threads of Dubbo's provider, with decoded calls. */
    private final class Calls extends ExchangeHandlerAdapter {

        Calls() {
            super(framework);
        }

        @Override
        public CompletableFuture<Object> reply(ExchangeChannel channel, Object message) {
            HttpInvocation call = (HttpInvocation) message; // this server receives nothing else
            DubboChannelAdapter exchange = call.exchange();
            Invoker<?> service = services.find(call.service(url.getPort()));
            HttpCallHeaders request = exchange.request();
            InboundHttpTunnelCall arrival = request.arrival(call, exchange::refuse);
            if (service == null) {
                return notExported(exchange, call, arrival.problem());
            }
            if (exchange.isOneWay() && arrival.problem() == null) {
                exchange.accept();
            }
            CallAttributes.put(call, InboundHttpTunnelCall.class, arrival);
            CallAttributes.put(call, MemoryBudget.Body.class, request.memory());
            ServiceModel model = service.getUrl().getServiceModel();
            if (model != null) {
                call.setServiceModel(model);
                Thread.currentThread().setContextClassLoader(model.getClassLoader());
            }
            RpcContext.getServiceContext().setRemoteAddress(exchange.getRemoteAddress());
            return service.invoke(call).thenApply(Function.identity());
        }

        /** Without a service there is no guard: who sends no route headers does not learn what is exported. */
        private CompletableFuture<Object> notExported(
                DubboChannelAdapter exchange, Invocation call, InboundHttpTunnelCall.@Nullable Problem problem) {
            HttpCallHeaders request = exchange.request();
            logLimit.warn(
                    log,
                    "highway: an HTTP/1.1 request was refused before anything of it ran: "
                            + request.path().text() + ", " + NOT_EXPORTED);
            if (problem != null) { // as the guard answers
                AppResponse refusal = new AppResponse(call); // in the serialization of the call
                refusal.setException(NotSentStatements.refusal(problem.reason() + "; " + problem.detail()));
                return CompletableFuture.completedFuture(refusal);
            }
            exchange.refuse(request.refusal(NOT_EXPORTED, false)); // it may have been here for a copy
            return new CompletableFuture<>();
        }
    }
}
