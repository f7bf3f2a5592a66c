// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.http.server;

import java.io.InputStream;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.remoting.Channel;
import org.apache.dubbo.remoting.exchange.Request;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.apache.dubbo.rpc.model.ServiceModel;
import org.apache.dubbo.rpc.protocol.dubbo.DecodeableRpcInvocation;
import org.apache.dubbo.rpc.protocol.dubbo.DubboProtocol;
import org.jspecify.annotations.Nullable;

/**
 * A call over HTTP, without callback arguments. For these Dubbo looks the service up among those of its own protocol, logs
 * each argument of each call to another one with a stack trace, and keeps every name that it was asked for.
 */
final class ReceivedInvocation extends DecodeableRpcInvocation {

    private static final long serialVersionUID = 1L;

    /** Dubbo chooses the thread pool by the service before it decodes; null if it is not known. */
    ReceivedInvocation(
            FrameworkModel framework,
            Channel channel,
            Request request,
            InputStream body,
            byte serialization,
            @Nullable ServiceModel service) {
        super(framework, channel, request, body, serialization);
        if (service != null) {
            setServiceModel(service);
        }
    }

    /** Among the services of its own protocol Dubbo would find none. */
    @Override
    protected void fillInvoker(DubboProtocol protocol) {}

    @Override
    protected void decodeArgument(Channel from, Class<?>[] types, Object[] arguments) {
        setArguments(arguments);
        setTargetServiceUniqueName(key(this));
    }

    private static String key(Invocation call) {
        return URL.buildKey(
                call.getAttachment(CommonConstants.PATH_KEY),
                call.getAttachment(CommonConstants.GROUP_KEY),
                call.getAttachment(CommonConstants.VERSION_KEY));
    }
}
