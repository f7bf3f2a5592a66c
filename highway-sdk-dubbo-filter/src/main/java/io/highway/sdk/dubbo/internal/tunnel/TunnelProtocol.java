// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.tunnel;

import io.highway.sdk.dubbo.internal.connection.ProtocolWrapper;
import io.highway.sdk.dubbo.internal.connection.triple.PreserializedMethods;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.extension.Wrapper;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Protocol;
import org.apache.dubbo.rpc.RpcException;

/**
 * Puts a {@link WireInvoker} in front of Dubbo's own invoker of a tunnel, inside every filter and listener. Other
 * references and all services are unchanged.
 */
@Wrapper(order = Integer.MAX_VALUE) // the innermost: Dubbo wraps by descending order
public final class TunnelProtocol extends ProtocolWrapper {

    /** Called by Dubbo with the protocol to wrap. */
    public TunnelProtocol(Protocol protocol) {
        super(protocol);
    }

    @Override
    public <T> Invoker<T> refer(Class<T> type, URL url) throws RpcException {
        Invoker<T> invoker = protocol.refer(type, url);
        return url.hasParameter(PreserializedMethods.MAX_REQUEST_BYTES) ? new WireInvoker<>(invoker, url) : invoker;
    }
}
