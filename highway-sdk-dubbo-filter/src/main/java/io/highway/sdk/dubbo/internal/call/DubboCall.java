// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.call;

import java.util.Arrays;
import java.util.Comparator;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.model.ConsumerModel;
import org.apache.dubbo.rpc.model.MethodDescriptor;
import org.apache.dubbo.rpc.model.ServiceModel;
import org.apache.dubbo.rpc.support.RpcUtils;
import org.jspecify.annotations.Nullable;

/**
 * A call in the SDK's terms: hides Dubbo's representations (generic calls, descriptors, URL parameters) from the other
 * stages.
 *
 * @param invocation Dubbo's invocation
 * @param consumerUrl the URL of its reference
 */
public record DubboCall(Invocation invocation, URL consumerUrl) {

    /**
     * The time of a call, milliseconds, where neither the call, the policy nor the reference sets one. Dubbo's default
     * of 1000 is shorter than 4 MB take at 30 Mbit/s, and than a first call on a busy machine may take.
     */
    public static final int DEFAULT_TIMEOUT_MILLIS = 3_000;

    /** The caller may have loaded a type with another class loader. */
    private static final Comparator<Class<?>> BY_NAME = Comparator.comparing(Class::getName);

    /** The service's interface; of a generic call, the one it names. */
    public String interfaceName() {
        String key = serviceKey(); // which the URL keeps, unlike the interface
        return key.indexOf('/') < 0 && key.indexOf(':') < 0 ? key : consumerUrl.getServiceInterface();
    }

    /** The called method; of a generic call, the one it names. */
    public String methodName() {
        return CanonicalMethod.nameOf(invocation);
    }

    /** {@code [group/]interface[:version]}, as Dubbo names the service. */
    public String serviceKey() {
        return consumerUrl.getServiceKey();
    }

    /** {@code interface#method}, for messages and patterns. */
    public String name() {
        return interfaceName() + "#" + methodName();
    }

    /** The arguments; of a generic call, those inside. */
    public @Nullable Object[] arguments() {
        Object[] outer = invocation.getArguments();
        boolean hasNone = isGeneric() && outer.length > 2 && !(outer[2] instanceof Object[]);
        @Nullable Object[] arguments = hasNone ? null : RpcUtils.getArguments(invocation);
        return arguments == null ? new @Nullable Object[0] : arguments;
    }

    /** Whether the called method has these parameters; if a generic call omits types, their number decides. */
    public boolean takes(Class<?>[] parameters) {
        Object[] outer = invocation.getArguments();
        if (isGeneric() && outer.length > 1) {
            return (outer[1] instanceof String[] names && names.length > 0)
                    ? CanonicalMethod.areNamed(parameters, Arrays.asList(names))
                    : parameters.length == arguments().length;
        }
        return Arrays.equals(parameters, invocation.getParameterTypes(), BY_NAME);
    }

    private boolean isGeneric() {
        return CanonicalMethod.isGeneric(invocation) && invocation.getArguments() != null;
    }

    /** Whether the method streams in any direction, which only Triple can carry. */
    public boolean isStreaming() {
        MethodDescriptor method = descriptor();
        return method != null && method.getRpcType() != MethodDescriptor.RpcType.UNARY;
    }

    /** Whether it is a stream of requests and of answers. */
    public boolean isBidirectional() {
        MethodDescriptor method = descriptor();
        return method != null && method.getRpcType() == MethodDescriptor.RpcType.BI_STREAM;
    }

    /** Whether an argument is a callback, for which the provider would need a connection to the consumer. */
    public boolean hasCallbackArgument() {
        Class<?>[] types = invocation.getParameterTypes();
        for (int i = 0; i < types.length; i++) {
            if (types[i].isInterface() // Dubbo creates a proxy for it
                    && consumerUrl.getParameter(invocation.getMethodName() + "." + i + ".callback", false)) {
                return true;
            }
        }
        return false;
    }

    /** The group or version if it is a pattern, which does not name one service; otherwise null. */
    public @Nullable String ambiguousServiceKey() {
        String key = serviceKey(); // which the URL keeps
        if (key.indexOf('*') < 0 && key.indexOf(',') < 0) {
            return null;
        }
        String group = consumerUrl.getGroup();
        if (group != null && (group.contains("*") || group.contains(","))) {
            return "group \"" + group + "\"";
        }
        String version = consumerUrl.getVersion();
        return version != null && (version.equals("*") || version.contains(",")) ? "version \"" + version + "\"" : null;
    }

    /** Its time, in Dubbo's order: the context's, the invocation's, the method's, the reference's; else the default. */
    public long timeoutMillis() {
        return RpcUtils.getTimeout(
                consumerUrl, methodName(), RpcContext.getClientAttachment(), invocation, DEFAULT_TIMEOUT_MILLIS);
    }

    /** Whether the call is a broadcast to every provider; a gateway reaches one. */
    public boolean isBroadcast() {
        return CommonConstants.BROADCAST_CLUSTER.equalsIgnoreCase(
                consumerUrl.getParameter(CommonConstants.CLUSTER_KEY));
    }

    /** Triple's descriptor of the method, or null if there is none. */
    public @Nullable MethodDescriptor descriptor() {
        ServiceModel model =
                invocation.getServiceModel() != null ? invocation.getServiceModel() : consumerUrl.getServiceModel();
        return model instanceof ConsumerModel consumer
                ? consumer.getServiceModel().getMethod(invocation.getMethodName(), invocation.getParameterTypes())
                : null;
    }
}
