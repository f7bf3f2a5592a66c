// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.server;

import io.highway.sdk.HighwayAttachments;
import io.highway.sdk.IslandId;
import io.highway.sdk.dubbo.internal.call.GuardEchoReply;
import io.highway.sdk.dubbo.internal.call.InboundRouteHeaders;
import io.highway.sdk.dubbo.internal.evidence.NotSentStatements;
import io.highway.sdk.dubbo.internal.network.compression.CompressingAnswerStream;
import io.highway.sdk.internal.Texts;
import java.util.List;
import java.util.function.Function;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.lang.Prioritized;
import org.apache.dubbo.remoting.http12.HttpHeaders;
import org.apache.dubbo.remoting.http12.h2.H2StreamChannel;
import org.apache.dubbo.remoting.http12.h2.Http2Header;
import org.apache.dubbo.remoting.http12.h2.Http2ServerChannelObserver;
import org.apache.dubbo.remoting.http12.h2.Http2ServerTransportListenerFactory;
import org.apache.dubbo.remoting.http12.h2.Http2TransportListener;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.TriRpcStatus;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.apache.dubbo.rpc.model.ServiceDescriptor;
import org.apache.dubbo.rpc.protocol.tri.RpcInvocationBuildContext;
import org.apache.dubbo.rpc.protocol.tri.h12.grpc.GrpcHttp2ServerTransportListener;
import org.apache.dubbo.rpc.protocol.tri.h12.grpc.GrpcHttp2ServerTransportListenerFactory;
import org.jspecify.annotations.Nullable;

/**
 * What answers of Dubbo's Triple server have in addition: compression, and refusals of the guard as a status in one frame. Dubbo
 * 3.2 does not load this class.
 */
public final class TripleAnswerCustomizer implements Http2ServerTransportListenerFactory, Prioritized {

    private static final String STATUS = ":status";
    private static final String OK = "200";

    private final Http2ServerTransportListenerFactory dubbos = new GrpcHttp2ServerTransportListenerFactory();

    /** Called by Dubbo. */
    public TripleAnswerCustomizer() {}

    @Override
    public Http2TransportListener newInstance(H2StreamChannel stream, URL url, FrameworkModel framework) {
        return ServerContext.of(framework).isServing()
                ? new Listener(stream, url, framework)
                : dubbos.newInstance(stream, url, framework);
    }

    @Override
    public boolean supportContentType(String contentType) {
        return dubbos.supportContentType(contentType);
    }

    /** Before Dubbo's own. */
    @Override
    public int getPriority() {
        return MAX_PRIORITY;
    }

    /** One call. */
    private static final class Listener extends GrpcHttp2ServerTransportListener {

        private final CompressingAnswerStream answers;

        /** Null until Dubbo, after its constructor, has found the service. */
        private @Nullable RpcInvocation served;

        Listener(H2StreamChannel stream, URL url, FrameworkModel framework) {
            this(new CompressingAnswerStream(stream, ServerContext.of(framework)::dictionaryOf), url, framework);
        }

        private Listener(CompressingAnswerStream answers, URL url, FrameworkModel framework) {
            super(answers, url, framework);
            this.answers = answers;
        }

        @Override
        protected void onBeforeMetadata(Http2Header metadata) {
            answers.answer(metadata);
            super.onBeforeMetadata(metadata);
        }

        @Override
        protected RpcInvocation onBuildRpcInvocationCompletion(RpcInvocation invocation) {
            RpcInvocation built = super.onBuildRpcInvocationCompletion(invocation);
            served = built;
            return built;
        }

        /** Answers a refusal of the guard with a status in one frame; Dubbo would send the exception as a message. */
        @Override
        protected Function<Throwable, Object> getExceptionCustomizer() {
            Function<Throwable, Object> dubbos = super.getExceptionCustomizer();
            return thrown -> guardsRefusal() == null ? dubbos.apply(thrown) : null;
        }

        @Override
        protected Http2ServerChannelObserver prepareResponseObserver(Http2ServerChannelObserver observer) {
            Http2ServerChannelObserver prepared = super.prepareResponseObserver(observer);
            prepared.addTrailersCustomizer(this::state);
            return prepared;
        }

        private @Nullable RefusalStatement guardsRefusal() {
            RpcInvocation invocation = served;
            return invocation == null ? null : RefusalStatement.of(invocation);
        }

        /**
         * Removes statements that a service wrote; adds the guard's answer to {@code $echo}, or states that nothing of the
         * call ran, if that is the case.
         */
        private void state(HttpHeaders trailers, @Nullable Throwable thrown) {
            for (String name : List.copyOf(trailers.names())) {
                if (InboundRouteHeaders.isOurs(name)) {
                    trailers.remove(name);
                }
            }
            String guard = thrown == null && served != null ? GuardEchoReply.textFor(served) : null;
            if (guard != null) {
                trailers.set(GuardEchoReply.NAME, guard);
            }
            String statement = thrown == null ? null : statement();
            if (statement != null && trailers.containsKey(STATUS)) { // nothing has been answered yet
                trailers.set(NotSentStatements.REFUSED, TriRpcStatus.encodeMessage(statement));
                trailers.set(STATUS, OK);
            }
        }

        private @Nullable String statement() {
            RefusalStatement refusal = guardsRefusal();
            if (refusal != null) {
                return refusal.statement();
            }
            if (served != null) {
                return null;
            }
            Http2Header metadata = getHttpMetadata();
            String island = metadata == null ? null : metadata.header(HighwayAttachments.ISLAND);
            String missing = island != null && IslandId.isValid(island) ? missing() : null;
            return missing == null ? null : island + ";" + missing;
        }

        /** What Dubbo did not find for a call that it rejected, or null if the call ended for another reason. */
        private @Nullable String missing() {
            RpcInvocationBuildContext context = getContext();
            if (context == null) {
                return NotSentStatements.NO_SUCH_SERVICE;
            }
            ServiceDescriptor service = context.getServiceDescriptor();
            if (service == null || context.getMethodDescriptor() != null || isKnown(service, context.getMethodName())) {
                return null;
            }
            return NotSentStatements.NO_SUCH_METHOD + "; " + service.getInterfaceName() + " has no method "
                    + Texts.printable(context.getMethodName());
        }

        private static boolean isKnown(ServiceDescriptor service, String method) {
            return method.startsWith("$")
                    || service.getAllMethods().stream()
                            .anyMatch(known -> known.getMethodName().equalsIgnoreCase(method));
        }
    }
}
