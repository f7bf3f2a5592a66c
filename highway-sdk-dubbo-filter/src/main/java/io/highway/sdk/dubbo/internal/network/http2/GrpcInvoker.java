// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.http2;

import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.internal.call.DubboCall;
import io.highway.sdk.dubbo.internal.evidence.AttemptEvidence;
import io.highway.sdk.dubbo.internal.evidence.NotWrittenException;
import io.highway.sdk.dubbo.internal.limits.ProtobufSize;
import io.highway.sdk.dubbo.internal.network.compression.BoundedInflater;
import io.highway.sdk.dubbo.internal.network.compression.GrpcMessageCompression;
import io.highway.sdk.dubbo.internal.network.connection.GatewayClient;
import io.highway.sdk.dubbo.internal.network.connection.GatewayInvoker;
import io.highway.sdk.dubbo.internal.network.connection.PendingCall;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.config.Configuration;
import org.apache.dubbo.common.config.ConfigurationUtils;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.common.stream.StreamObserver;
import org.apache.dubbo.rpc.AppResponse;
import org.apache.dubbo.rpc.AsyncRpcResult;
import org.apache.dubbo.rpc.CancellationContext;
import org.apache.dubbo.rpc.Constants;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.MethodDescriptor;
import org.apache.dubbo.rpc.model.PackableMethod;
import org.apache.dubbo.rpc.model.PackableMethodFactory;
import org.apache.dubbo.rpc.protocol.tri.CancelableStreamObserver;
import org.apache.dubbo.rpc.protocol.tri.RequestMetadata;
import org.apache.dubbo.rpc.protocol.tri.call.ObserverToClientCallListenerAdapter;
import org.apache.dubbo.rpc.protocol.tri.compressor.Compressor;
import org.apache.dubbo.rpc.protocol.tri.observer.ClientCallToObserverAdapter;
import org.apache.dubbo.rpc.service.ServiceDescriptorInternalCache;
import org.apache.dubbo.rpc.support.RpcUtils;
import org.jspecify.annotations.Nullable;

/** The innermost invoker of a service over Triple; its requests are those of Dubbo's {@code TripleInvoker}. Thread-safe. */
final class GrpcInvoker<T> extends GatewayInvoker<T> {

    private static final AsciiString HTTP = AsciiString.cached("http");
    private static final AsciiString HTTPS = AsciiString.cached("https");

    /** A timeout of gRPC has at most eight digits. */
    private static final int MOST_DIGITS = 99_999_999;

    /** Dubbo's settings of this process: names of attachments with capitals are converted; the version 1.0.0 is none. */
    private static final String CONVERTS_NAMES = "dubbo.rpc.tri.support-no-lower-header";

    private static final String IGNORES_DEFAULT_VERSION = "dubbo.rpc.tri.ignore-1.0.0-version";

    private final GrpcConnections connections;
    private final boolean convertsNames;
    private final boolean ignoresDefaultVersion;
    private final HeaderSanitizer carried;
    private final PackableMethodFactory factory;
    private final Map<Method, PackableMethod> methods = new ConcurrentHashMap<>();

    /** The application's, which is process-wide; {@code identity} if it has chosen none. */
    private final Compressor compressor;

    private final GrpcMessageCompression compression;

    /** Those of the reference's application; null until the first stream. */
    private final ExecutorService threads;

    /** Evaluated for every call. Each method has one descriptor, so it is compared by identity. */
    private record Method(MethodDescriptor descriptor) {

        @Override
        public int hashCode() {
            return System.identityHashCode(descriptor);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Method method && descriptor == method.descriptor;
        }
    }

    /** Uses the {@linkplain GatewayClient#of client of the URL}. */
    GrpcInvoker(Class<T> type, URL url) {
        super(type, url);
        this.connections = (GrpcConnections) GatewayClient.of(url);
        this.threads = threads(url);
        this.carried = HeaderSanitizer.of(url.getOrDefaultFrameworkModel());
        this.factory = url.getOrDefaultFrameworkModel()
                .getExtensionLoader(PackableMethodFactory.class)
                .getExtension(ConfigurationUtils.getGlobalConfiguration(url.getOrDefaultApplicationModel())
                        .getString(CommonConstants.DUBBO_PACKABLE_METHOD_FACTORY, CommonConstants.DEFAULT_KEY));
        Configuration process = ConfigurationUtils.getEnvConfiguration(ApplicationModel.defaultModel());
        this.convertsNames = process.getBoolean(CONVERTS_NAMES, true);
        this.ignoresDefaultVersion = process.getBoolean(IGNORES_DEFAULT_VERSION, false);
        this.compressor = Compressor.getCompressor(
                ApplicationModel.defaultModel().getFrameworkModel(),
                process.getString(Constants.COMPRESSOR_KEY, GrpcMessageCompression.IDENTITY));
        boolean isPolicys = GrpcMessageCompression.IDENTITY.equals(compressor.getMessageEncoding());
        this.compression =
                GrpcMessageCompression.of(isPolicys ? url.getParameter(GrpcMessageCompression.KEY) : null, url);
    }

    @Override
    protected Result doInvoke(Invocation invocation) {
        MethodDescriptor method = descriptor((RpcInvocation) invocation);
        return method.getRpcType() == MethodDescriptor.RpcType.UNARY
                ? super.doInvoke(invocation)
                : stream(method, (RpcInvocation) invocation);
    }

    private MethodDescriptor descriptor(RpcInvocation call) {
        MethodDescriptor known = new DubboCall(call, getUrl()).descriptor();
        if (known == null && RpcUtils.isGenericCall(call.getParameterTypesDesc(), call.getMethodName())) {
            known = ServiceDescriptorInternalCache.genericService()
                    .getMethod(call.getMethodName(), call.getParameterTypes());
        } else if (known == null && RpcUtils.isEcho(call.getParameterTypesDesc(), call.getMethodName())) {
            known = ServiceDescriptorInternalCache.echoService()
                    .getMethod(call.getMethodName(), call.getParameterTypes());
        }
        if (known == null) {
            throw new NotWrittenException(
                    Reason.NOT_TUNNELLABLE,
                    "the interface of the reference has no method " + call.getMethodName() + "("
                            + call.getParameterTypesDesc() + ")");
        }
        return known;
    }

    /** As at Dubbo's invoker: a one-way call ends with its answer. */
    @Override
    protected boolean isOneWay(RpcInvocation call) {
        return false;
    }

    @Override
    protected PendingCall send(RpcInvocation call, boolean isTwoWay, Executor executor, int timeoutMillis) {
        AttemptEvidence evidence = AttemptEvidence.of(call);
        MethodDescriptor descriptor = descriptor(call);
        GrpcConnection connection = connections.connection();
        GrpcRequest request = request(descriptor, call, timeoutMillis);
        boolean isStub = descriptor instanceof PackableMethod;
        if (isStub) { // as long as it takes no memory
            requireFits(ProtobufSize.of(call.getArguments()));
        }
        Object arguments = isStub ? call.getArguments()[0] : call.getArguments();
        byte[] plain = serialized(() -> request.method().packRequest(arguments));
        requireFits(plain.length);
        GrpcMessage message = serialized(() -> request.message(plain));
        count(plain.length);
        UnaryCall sent = new UnaryCall(connection, request, message, executor, evidence, timeoutMillis);
        queue(sent, plain.length, compression.encoding());
        return sent;
    }

    private GrpcRequest request(MethodDescriptor descriptor, RpcInvocation call, int timeoutMillis) {
        Http2Headers headers = headers(descriptor, call, timeoutMillis);
        return new GrpcRequest(headers, carried.checkRequest(headers), packing(descriptor), compressor, compression);
    }

    private PackableMethod packing(MethodDescriptor descriptor) {
        if (descriptor instanceof PackableMethod stub) {
            return stub;
        }
        Method method = new Method(descriptor);
        PackableMethod known = methods.get(method);
        return known != null
                ? known
                : methods.computeIfAbsent(
                        method, any -> factory.create(descriptor, getUrl(), HeaderDisposition.GRPC_PROTO));
    }

    /** @param timeoutMillis 0 if it has none */
    private Http2Headers headers(MethodDescriptor method, RpcInvocation call, int timeoutMillis) {
        RequestMetadata request = new RequestMetadata();
        request.convertNoLowerHeader = convertsNames;
        request.ignoreDefaultVersion = ignoresDefaultVersion;
        request.method = method;
        request.scheme = getUrl().getParameter(CommonConstants.SSL_ENABLED_KEY, false) ? HTTPS : HTTP;
        request.compressor = compressor;
        request.address = getUrl().getAddress();
        request.service = getUrl().getPath();
        request.group = getUrl().getGroup();
        request.version = getUrl().getVersion();
        request.acceptEncoding = BoundedInflater.COMMON;
        if (timeoutMillis > 0) {
            request.timeout = timeout(timeoutMillis);
        }
        Map<String, Object> attachments = call.getObjectAttachments();
        Object application = attachments.getOrDefault(
                CommonConstants.APPLICATION_KEY, attachments.get(CommonConstants.REMOTE_APPLICATION_KEY));
        request.application = application == null ? null : application.toString();
        request.attachments = attachments;
        Http2Headers headers = request.toHeaders();
        compression.announce(headers);
        return headers;
    }

    private static String timeout(int millis) {
        if (millis <= MOST_DIGITS / 1000) {
            return millis + "000u";
        }
        return millis <= MOST_DIGITS ? millis + "m" : millis / 1000 + "S";
    }

    /** As Dubbo's invoker: requests and answers pass through its observers, to which callers cast theirs. */
    private Result stream(MethodDescriptor method, RpcInvocation call) {
        AttemptEvidence evidence = AttemptEvidence.of(call);
        if (evidence != null) {
            evidence.encodedIn(compression.encoding());
        }
        @Nullable Object[] arguments = call.getArguments();
        boolean isServers = method.getRpcType() == MethodDescriptor.RpcType.SERVER_STREAM;
        int last = arguments.length - 1;
        if (last < 0 || !(arguments[isServers ? last : 0] instanceof StreamObserver<?> answers)) {
            throw new NotWrittenException(
                    Reason.NOT_TUNNELLABLE, "a stream of answers needs a StreamObserver as the last argument");
        }
        RpcContext.getServiceContext().setLocalAddress(connections.localAddress());
        StreamCall stream = new StreamCall(connections.connection(), request(method, call, 0), threads, evidence);
        StreamObserver<Object> requests = start(stream, cast(answers));
        if (isServers) {
            requests.onNext(last > 0 ? arguments[0] : null);
            requests.onCompleted();
        }
        AppResponse begun = isServers ? new AppResponse() : new AppResponse(requests);
        return new AsyncRpcResult(CompletableFuture.completedFuture(begun), call);
    }

    @SuppressWarnings("unchecked") // Dubbo's own have no types either
    private static StreamObserver<Object> cast(StreamObserver<?> observer) {
        return (StreamObserver<Object>) observer;
    }

    private static StreamObserver<Object> start(StreamCall stream, StreamObserver<Object> answers) {
        ObserverToClientCallListenerAdapter listener = new ObserverToClientCallListenerAdapter(answers);
        ClientCallToObserverAdapter<Object> requests = stream.start(listener);
        if (answers instanceof CancelableStreamObserver<Object> cancelable) {
            CancellationContext context = new CancellationContext();
            cancelable.setCancellationContext(context);
            context.addListener(any -> stream.cancelByLocal(new IllegalStateException("Canceled by app")));
            listener.setOnStartConsumer(any -> cancelable.startRequest());
            cancelable.beforeStart(requests);
        }
        return requests;
    }
}
