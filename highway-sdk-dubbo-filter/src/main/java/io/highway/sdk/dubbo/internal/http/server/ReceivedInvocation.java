// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.http.server;

import io.highway.sdk.dubbo.internal.connection.dubbo.UndecodedCall;
import org.apache.dubbo.remoting.Channel;
import org.apache.dubbo.remoting.exchange.Request;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.apache.dubbo.rpc.model.ServiceModel;
import org.jspecify.annotations.Nullable;

/**
 * A call over HTTP, without callback arguments. For these Dubbo looks the service up among those of its own protocol, logs
 * each argument of each call to another one with a stack trace, and keeps every name that it was asked for.
 */
final class ReceivedInvocation extends UndecodedCall {

    private static final long serialVersionUID = 1L;

    /**
     * Dubbo chooses the thread pool by the service before it decodes; null if it is not known.
     *
     * @param isRead whether its facts are read, since it must be admitted
     */
    ReceivedInvocation(
            FrameworkModel framework,
            Channel channel,
            Request request,
            byte[] body,
            byte serialization,
            boolean isRead,
            @Nullable ServiceModel service) {
        super(framework, channel, request, body, serialization, isRead);
        if (service != null) {
            setServiceModel(service);
        }
    }

    @Override
    protected void decodeArgument(Channel from, Class<?>[] types, Object[] arguments) {
        setArguments(arguments);
        setTargetServiceUniqueName(service(0).key());
    }
}
