// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.http.server;

import io.highway.sdk.dubbo.internal.provider.server.UndecodedCall;
import org.apache.dubbo.remoting.Channel;
import org.apache.dubbo.remoting.exchange.Request;
import org.apache.dubbo.rpc.model.FrameworkModel;

/**
 * A call over HTTP, without callback arguments. For these Dubbo looks the service up among those of its own protocol, logs
 * each argument of each call to another one with a stack trace, and keeps every name that it was asked for.
 */
final class HttpInvocation extends UndecodedCall {

    private static final long serialVersionUID = 1L;

    private final transient DubboChannelAdapter exchange;

    /** One whose facts are read if it must be admitted. */
    HttpInvocation(
            FrameworkModel framework,
            DubboChannelAdapter exchange,
            Request request,
            byte[] body,
            byte serialization,
            boolean isRead) {
        super(framework, exchange, request, body, serialization, isRead);
        this.exchange = exchange;
    }

    DubboChannelAdapter exchange() {
        return exchange;
    }

    @Override
    protected void decodeArgument(Channel from, Class<?>[] types, Object[] arguments) {
        setArguments(arguments);
        setTargetServiceUniqueName(service(0).key());
    }
}
