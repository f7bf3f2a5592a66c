// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.tunnel;

import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.compression.CompressedRequests;
import io.highway.sdk.dubbo.internal.compression.CompressedStub;
import io.highway.sdk.dubbo.internal.connection.channel.GatewayTransport;
import io.highway.sdk.dubbo.internal.connection.channel.GatewayTransports;
import io.highway.sdk.dubbo.internal.connection.triple.PreserializedMethods;
import io.highway.sdk.dubbo.internal.connection.triple.PreserializedRequest;
import io.highway.sdk.dubbo.internal.evidence.AttemptEvidence;
import io.highway.sdk.dubbo.internal.evidence.NotWrittenException;
import io.highway.sdk.dubbo.internal.intent.CallState;
import io.highway.sdk.dubbo.internal.intent.DubboCall;
import io.highway.sdk.dubbo.internal.limits.BytesInFlight;
import io.highway.sdk.dubbo.internal.limits.ConnectionBusyException;
import io.highway.sdk.dubbo.internal.limits.ProtobufSize;
import io.highway.sdk.dubbo.internal.limits.SizeEstimate;
import io.highway.sdk.dubbo.internal.route.OutgoingHeaders;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.config.ConfigurationUtils;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.rpc.AsyncRpcResult;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.model.MethodDescriptor;
import org.apache.dubbo.rpc.model.PackableMethod;
import org.apache.dubbo.rpc.model.PackableMethodFactory;
import org.apache.dubbo.rpc.model.ServiceModel;
import org.apache.dubbo.rpc.protocol.InvokerWrapper;
import org.jspecify.annotations.Nullable;

/**
 * The last invoker before Dubbo's own, behind every filter: it measures and sends the arguments as the filters left
 * them. It measures a Triple request before any of it is sent, and serialises it for that only if necessary. From here
 * on the connection collects the {@link AttemptEvidence} of the request. Thread-safe.
 */
final class WireInvoker<T> extends InvokerWrapper<T> {

    private final boolean triple;
    private final int maxRequestBytes;

    /** The value of {@link CompressedRequests#KEY}, or null. */
    private final @Nullable String encoding;

    /** Null if the SDK did not open the connection. */
    private final @Nullable BytesInFlight inFlight;

    /** The model of a stub whose requests are compressed; null if there is none. */
    private final @Nullable ServiceModel compressedStub;

    private final Map<Method, PackableMethod> methods = new ConcurrentHashMap<>();

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

    /**
     * Creates the last invoker.
     *
     * @param invoker Dubbo's own
     * @param url the URL of the gateway, as filters see it
     */
    WireInvoker(Invoker<T> invoker, URL url) {
        super(invoker, url);
        this.triple = url.getProtocol().equals(TunnelKind.TRIPLE.dubboProtocol());
        this.maxRequestBytes = url.getParameter(PreserializedMethods.MAX_REQUEST_BYTES, Integer.MAX_VALUE);
        this.encoding = url.getParameter(CompressedRequests.KEY);
        GatewayTransport transport = triple ? GatewayTransports.of(url).get(url.getProtocol(), url) : null;
        this.inFlight = transport == null ? null : transport.bytesInFlight();
        this.compressedStub = triple && encoding != null ? CompressedStub.of(url.getServiceModel(), encoding) : null;
    }

    @Override
    public Result invoke(Invocation invocation) throws RpcException {
        CallState.adopt(invocation);
        OutgoingHeaders.seal(invocation, getUrl().getServiceKey());
        AttemptEvidence evidence = AttemptEvidence.of(invocation);
        if (evidence != null) { // a filter may have replaced the invocation, and gone on with another thread
            evidence.beginAgain();
        }
        if (!triple) {
            return send(invocation, evidence, true);
        }
        MethodDescriptor method = new DubboCall(invocation, getUrl()).descriptor();
        boolean stream = method != null && method.getRpcType() != MethodDescriptor.RpcType.UNARY;
        if (encoding == null) {
            return stream ? send(invocation, evidence, false) : sendMeasured(invocation, evidence, method);
        }
        invocation.setAttachment(CompressedRequests.KEY, encoding);
        if (evidence != null) {
            evidence.encodedIn(CompressedRequests.requestEncoding(encoding));
        }
        ServiceModel plain = invocation.getServiceModel();
        if (compressedStub != null && method instanceof PackableMethod) {
            ((RpcInvocation) invocation).setServiceModel(compressedStub);
        }
        try {
            return stream ? send(invocation, evidence, false) : sendMeasured(invocation, evidence, method);
        } finally {
            ((RpcInvocation) invocation).setServiceModel(plain);
            if (!stream) { // another attempt may use the Dubbo protocol; a stream's headers may leave later
                invocation.getObjectAttachments().remove(CompressedRequests.KEY);
            }
        }
    }

    /** A call without a descriptor is Dubbo's own {@code $echo}. */
    private Result sendMeasured(
            Invocation invocation, @Nullable AttemptEvidence evidence, @Nullable MethodDescriptor method) {
        if (method == null) {
            return send(invocation, evidence, true);
        }
        if (method instanceof PackableMethod) {
            int bytes = ProtobufSize.of(invocation.getArguments());
            requireFits(bytes);
            return sendCounted(invocation, evidence, bytes);
        }
        PackableMethod packing = packing(method);
        long most = SizeEstimate.atMost(invocation.getArguments());
        if (packing.needWrapper() && most <= maxRequestBytes) {
            return sendCounted(invocation, evidence, most / SizeEstimate.MOST_PER_UNIT);
        }
        try (PreserializedRequest packed = PreserializedRequest.pack(packing, invocation.getArguments())) {
            requireFits(packed.size());
            return sendCounted(invocation, evidence, packed.size());
        }
    }

    /** A request counts until it is answered or its caller stops waiting. */
    @SuppressWarnings("FutureReturnValueIgnored") // it only counts
    private Result sendCounted(Invocation invocation, @Nullable AttemptEvidence evidence, long bytes) {
        if (evidence != null) {
            evidence.measured(bytes);
        }
        BytesInFlight counter = inFlight;
        if (counter == null) {
            return send(invocation, evidence, true);
        }
        enter(counter, bytes);
        boolean waits = false;
        try {
            Result result = send(invocation, evidence, true);
            if (result instanceof AsyncRpcResult async) {
                waits = true;
                async.getResponseFuture().whenComplete((answer, failure) -> counter.leave(bytes));
            }
            return result;
        } finally {
            if (!waits) {
                counter.leave(bytes);
            }
        }
    }

    private static void enter(BytesInFlight counter, long bytes) {
        try {
            counter.enter(bytes);
        } catch (ConnectionBusyException e) {
            throw new NotWrittenException(Reason.BUSY, String.valueOf(e.getMessage()), e);
        }
    }

    private Result send(Invocation invocation, @Nullable AttemptEvidence evidence, boolean unary) {
        if (evidence != null) { // before the check: it proves "not sent" if the connection is lost after the check
            evidence.passToInvoker(invocation, triple);
        }
        Result result;
        try {
            requireConnected(evidence);
            result = invoker.invoke(invocation);
        } finally {
            if (unary) { // another attempt may use the Dubbo protocol; a stream's headers may leave later
                Map<String, Object> attachments = invocation.getObjectAttachments(); // each access takes a lock
                AttemptEvidence.clearName(attachments);
                OutgoingHeaders.unsign(attachments);
            }
        }
        if (evidence != null) {
            evidence.sent();
        }
        return result;
    }

    private void requireConnected(@Nullable AttemptEvidence evidence) {
        if (!invoker.isAvailable()) {
            NotWrittenException failure = new NotWrittenException(Reason.GATEWAY_DOWN, "not connected");
            if (evidence != null) {
                evidence.notWritten(failure);
                evidence.end();
            }
            throw failure;
        }
    }

    /** Chosen as in {@code TripleInvoker}. */
    private PackableMethod packing(MethodDescriptor descriptor) {
        Method method = new Method(descriptor);
        PackableMethod known = methods.get(method);
        return known != null ? known : methods.computeIfAbsent(method, any -> make(descriptor));
    }

    /** The size before compression is measured. */
    private PackableMethod make(MethodDescriptor method) {
        String factory = ConfigurationUtils.getGlobalConfiguration(getUrl().getOrDefaultApplicationModel())
                .getString(CommonConstants.DUBBO_PACKABLE_METHOD_FACTORY, CommonConstants.DEFAULT_KEY);
        return getUrl().getOrDefaultFrameworkModel()
                .getExtensionLoader(PackableMethodFactory.class)
                .getExtension(factory)
                .create(method, getUrl().removeParameter(CompressedRequests.KEY), "application/grpc+proto");
    }

    private void requireFits(int size) {
        if (size > maxRequestBytes) {
            throw new NotWrittenException(
                    Reason.TOO_LARGE, "the request has " + size + " bytes, and max-request-size is " + maxRequestBytes);
        }
    }

    @Override
    public String toString() {
        return invoker.toString();
    }
}
