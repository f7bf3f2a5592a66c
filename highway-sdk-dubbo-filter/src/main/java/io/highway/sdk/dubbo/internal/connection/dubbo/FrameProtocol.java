// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.dubbo;

import io.highway.sdk.dubbo.internal.connection.call.TunnelProtocol;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.rpc.Invoker;

/** The invokers of tunnels over the Dubbo protocol. */
public final class FrameProtocol extends TunnelProtocol {

    /** The extension's name. */
    static final String NAME = "highway-dubbo";

    @Override
    public <T> Invoker<T> refer(Class<T> type, URL url) {
        return new FrameInvoker<>(type, url, FrameConnections.of(url));
    }
}
