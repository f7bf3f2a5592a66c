// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.triple;

import org.apache.dubbo.common.URL;
import org.apache.dubbo.remoting.ChannelHandler;
import org.apache.dubbo.remoting.api.connection.AbstractConnectionClient;
import org.apache.dubbo.remoting.api.connection.ConnectionManager;
import org.apache.dubbo.remoting.api.connection.SingleProtocolConnectionManager;
import org.apache.dubbo.remoting.api.pu.AbstractPortUnificationServer;
import org.apache.dubbo.remoting.api.pu.PortUnificationTransporter;
import org.apache.dubbo.rpc.model.FrameworkModel;

/**
 * Opens and shares the Triple connections of bulk calls apart from all others: Dubbo has one registry of Triple
 * connections, by {@code host:port}.
 */
public final class BulkTransporter implements PortUnificationTransporter {

    /** The extension's name, as a URL's {@code client} parameter. */
    static final String NAME = "highway-bulk";

    private final ConnectionManager connections;

    /** Called by Dubbo. */
    public BulkTransporter(FrameworkModel framework) {
        this.connections = new SingleProtocolConnectionManager(framework);
    }

    @Override
    public AbstractConnectionClient connect(URL url, ChannelHandler handler) {
        return connections.connect(url, handler);
    }

    /** Never called: no server names this extension. */
    @Override
    public AbstractPortUnificationServer bind(URL url, ChannelHandler handler) {
        throw new UnsupportedOperationException("only for clients");
    }
}
