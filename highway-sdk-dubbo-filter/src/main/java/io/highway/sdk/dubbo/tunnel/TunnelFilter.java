// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.tunnel;

import io.highway.sdk.dubbo.DubboCall;
import io.highway.sdk.dubbo.outcome.CallWatch;
import io.highway.sdk.dubbo.outcome.Failure;
import io.highway.sdk.dubbo.outcome.NotForwardedException;
import io.highway.sdk.dubbo.policy.TunnelKind;
import io.highway.sdk.dubbo.transport.GzipRequests;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.config.ConfigurationUtils;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.common.extension.Activate;
import org.apache.dubbo.remoting.Constants;
import org.apache.dubbo.rpc.BaseFilter;
import org.apache.dubbo.rpc.Filter;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.model.MethodDescriptor;
import org.apache.dubbo.rpc.model.PackableMethod;
import org.apache.dubbo.rpc.model.PackableMethodFactory;
import org.jspecify.annotations.Nullable;

/**
 * The last filter before the wire, on a tunnel's own invokers only. It measures a Triple request as it comes here,
 * before anything of it is sent, and writes it for that only where it has to; and it reads the trailer by which a gateway
 * says that it did not forward, before Dubbo turns the answer into an exception without trailers.
 */
@Activate(group = CommonConstants.CONSUMER, value = TunnelFilter.MAX_REQUEST_BYTES, order = Integer.MAX_VALUE)
public final class TunnelFilter implements Filter, BaseFilter.Listener {

    /** The URL parameter that only a tunnel's invokers have. */
    static final String MAX_REQUEST_BYTES = "highway-max-request-bytes";

    /** What Dubbo's Triple servers take, {@code max-header-list-size}, is 32768; the rest is for what Triple adds. */
    static final int MOST_HEADER_BYTES = 30 * 1024;

    private static final int LONGEST_NUMBER = 32;

    /** RFC 9113, section 10.5.1. */
    private static final int HEADER_OVERHEAD = 32;

    private static final String NOT_FORWARDED_TRAILER = "highway-not-forwarded";

    private final Map<Packing, PackableMethod> methods = new ConcurrentHashMap<>();

    /** What the way of packing depends on. */
    private record Packing(MethodDescriptor method, String serialization) {

        /** Asked for every call; there is one descriptor for a method. */
        @Override
        public int hashCode() {
            return System.identityHashCode(method);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Packing packing
                    && method == packing.method
                    && serialization.equals(packing.serialization);
        }
    }

    @Override
    public Result invoke(Invoker<?> invoker, Invocation invocation) throws RpcException {
        URL url = invoker.getUrl();
        if (!url.getProtocol().equals(TunnelKind.TRIPLE.dubboProtocol())) {
            return send(invoker, invocation);
        }
        requireHeadersFit(invocation);
        MethodDescriptor method = new DubboCall(invocation, url).descriptor();
        if (method == null || method.getRpcType() != MethodDescriptor.RpcType.UNARY) {
            return send(invoker, invocation);
        }
        String encoding = url.getParameter(GzipRequests.KEY);
        if (encoding == null) {
            return sendMeasured(invoker, invocation, method);
        }
        invocation.setAttachment(GzipRequests.KEY, encoding);
        try {
            return sendMeasured(invoker, invocation, method);
        } finally { // another try may go by Dubbo
            invocation.getObjectAttachments().remove(GzipRequests.KEY);
        }
    }

    private Result sendMeasured(Invoker<?> invoker, Invocation invocation, MethodDescriptor method) {
        URL url = invoker.getUrl();
        if (method instanceof PackableMethod) {
            requireFits(url, ProtobufSize.of(invocation.getArguments()));
            return send(invoker, invocation);
        }
        PackableMethod packing = packing(url, method);
        if (packing.needWrapper() && PlainSize.atMost(invocation.getArguments()) <= allowed(url)) {
            return send(invoker, invocation);
        }
        try (PackedRequest packed = PackedRequest.pack(packing, invocation.getArguments())) {
            requireFits(url, packed.size());
            return send(invoker, invocation);
        }
    }

    private static Result send(Invoker<?> invoker, Invocation invocation) {
        Result result = invoker.invoke(invocation);
        CallWatch watch = CallWatch.of(invocation);
        if (watch != null) { // a filter may have made the invocation anew
            watch.sent();
        }
        return result;
    }

    /** As {@code TripleInvoker} chooses it. */
    private PackableMethod packing(URL url, MethodDescriptor method) {
        Packing key = new Packing(method, url.getParameter(Constants.SERIALIZATION_KEY, ""));
        PackableMethod known = methods.get(key);
        return known != null ? known : methods.computeIfAbsent(key, any -> make(url, method));
    }

    private static PackableMethod make(URL url, MethodDescriptor method) {
        String factory = ConfigurationUtils.getGlobalConfiguration(url.getOrDefaultApplicationModel())
                .getString(CommonConstants.DUBBO_PACKABLE_METHOD_FACTORY, CommonConstants.DEFAULT_KEY);
        return url.getOrDefaultFrameworkModel()
                .getExtensionLoader(PackableMethodFactory.class)
                .getExtension(factory)
                .create(method, url, "application/grpc+proto");
    }

    private static int allowed(URL url) {
        return url.getParameter(MAX_REQUEST_BYTES, Integer.MAX_VALUE);
    }

    private static void requireFits(URL url, int size) {
        int allowed = allowed(url);
        if (size > allowed) {
            throw new RpcException(
                    RpcException.FORBIDDEN_EXCEPTION,
                    Failure.TOO_LARGE + size + " bytes, and max-request-bytes is " + allowed);
        }
    }

    /** One request with more closes the connection, and with it all calls on it. */
    private static void requireHeadersFit(Invocation invocation) {
        int size = 0;
        for (Map.Entry<String, Object> attachment :
                invocation.getObjectAttachments().entrySet()) {
            size += attachment.getKey().length() + length(attachment.getValue()) + HEADER_OVERHEAD;
        }
        if (size > MOST_HEADER_BYTES) {
            throw new RpcException(
                    RpcException.FORBIDDEN_EXCEPTION,
                    Failure.TOO_LARGE + "attachments of " + size + " bytes, and Triple carries " + MOST_HEADER_BYTES
                            + " as headers; send them as an argument");
        }
    }

    /** As Triple writes it; what it cannot write it leaves out. */
    private static int length(Object value) {
        if (value instanceof CharSequence text) {
            return text.length();
        }
        return value instanceof byte[] bytes ? 4 * ((bytes.length + 2) / 3) + "-bin".length() : LONGEST_NUMBER;
    }

    @Override
    public void onResponse(Result response, Invoker<?> invoker, Invocation invocation) {
        String reason = response.hasException() ? response.getAttachment(NOT_FORWARDED_TRAILER) : null;
        if (reason != null) {
            response.setException(new NotForwardedException(reason));
        }
    }

    @Override
    public void onError(Throwable error, Invoker<?> invoker, Invocation invocation) {
        // nothing to read
    }
}
