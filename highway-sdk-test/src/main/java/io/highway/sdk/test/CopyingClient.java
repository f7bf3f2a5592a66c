// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import io.highway.sdk.dubbo.internal.network.connection.ConnectionOpener;
import io.highway.sdk.dubbo.internal.network.connection.GatewayClient;
import java.io.IOException;

/** Opens no connection: {@link CopyingInvoker} calls the provider. Thread-safe. */
final class CopyingClient extends GatewayClient {

    private final Network network;
    private volatile boolean isOpen;
    private volatile boolean isClosed;

    CopyingClient(ConnectionOpener opener, Network network) {
        super(opener);
        this.network = network;
    }

    private boolean isUp() {
        IslandState known = network.at(opener().gateway().address().hostAndPort());
        return known != null && !known.fault().down();
    }

    @Override
    public boolean isConnected() {
        return isOpen && !isClosed && isUp();
    }

    @Override
    public boolean needsRenewal() {
        return !isClosed && !isConnected();
    }

    @Override
    protected void openNew() throws IOException {
        isOpen = isUp();
        if (!isOpen) {
            throw new IOException("Connection refused by the test");
        }
    }

    @Override
    public boolean hasCallsInFlight() {
        return false;
    }

    @Override
    public void endCalls() {
        // they end by themselves
    }

    @Override
    public void close() {
        isClosed = true;
    }
}
