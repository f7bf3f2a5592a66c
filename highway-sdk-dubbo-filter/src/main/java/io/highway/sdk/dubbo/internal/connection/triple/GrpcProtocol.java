// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.triple;

import io.highway.sdk.dubbo.internal.connection.call.TunnelProtocol;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.rpc.Invoker;

/** The invokers of tunnels over Triple. */
public final class GrpcProtocol extends TunnelProtocol {

    /** The extension's name. */
    static final String NAME = "highway-triple";

    @Override
    public <T> Invoker<T> refer(Class<T> type, URL url) {
        return new GrpcInvoker<>(type, url, GrpcConnections.of(url));
    }
}
