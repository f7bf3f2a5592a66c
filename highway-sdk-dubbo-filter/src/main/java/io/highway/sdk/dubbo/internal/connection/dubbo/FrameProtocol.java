// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.dubbo;

import org.apache.dubbo.common.URL;
import org.apache.dubbo.rpc.Exporter;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Protocol;

/** The invokers of tunnels that carry frames of the Dubbo protocol; it serves nothing. */
public class FrameProtocol implements Protocol {

    /** The extension's name. */
    static final String NAME = "highway-dubbo";

    @Override
    public <T> Invoker<T> refer(Class<T> type, URL url) {
        return new FrameInvoker<>(type, url, client(url));
    }

    /** The connections of an address and class, for one more user. */
    protected FrameClient client(URL url) {
        return FrameConnections.of(url);
    }

    @Override
    public int getDefaultPort() {
        return 0;
    }

    @Override
    public <T> Exporter<T> export(Invoker<T> invoker) {
        throw new UnsupportedOperationException("tunnels serve nothing: " + invoker.getUrl());
    }

    @Override
    public void destroy() {
        // GatewayClients closes the connections at the end of the framework
    }
}
