// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.dubbo;

import io.highway.sdk.dubbo.internal.connection.channel.RequestGate;
import io.highway.sdk.dubbo.internal.connection.channel.RequestGate.Refusal;
import io.highway.sdk.dubbo.internal.connection.channel.RequestGate.ServiceName;
import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.remoting.exchange.Request;
import org.apache.dubbo.remoting.exchange.Response;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.jspecify.annotations.Nullable;

/** Requests over the Dubbo protocol for which the thread pool of their service had no thread. */
final class WithoutThread {

    private WithoutThread() {}

    /**
     * The answer to one, as the guard refuses calls; null if it has no route headers, or they are not known: a request is not
     * decoded for this.
     */
    static @Nullable Response refusal(Request request, Channel connection, FrameworkModel framework) {
        RequestGate gate = RequestGate.of(framework);
        if (gate == null || !(request.getData() instanceof Invocation call) || call.getMethodName() == null) {
            return null;
        }
        ServiceName service = new ServiceName(
                ((InetSocketAddress) connection.localAddress()).getPort(),
                String.valueOf(call.getAttachment(CommonConstants.PATH_KEY)),
                call.getAttachment(CommonConstants.GROUP_KEY),
                call.getAttachment(CommonConstants.VERSION_KEY));
        Refusal refusal = gate.withoutThread(
                (InetSocketAddress) connection.remoteAddress(), service, call.getMethodName(), call::getAttachment);
        return refusal == null ? null : AdmittedCalls.answer(request.getId(), call, refusal);
    }
}
