// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.connection;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Objects;
import org.apache.dubbo.common.URL;
import org.jspecify.annotations.Nullable;

/**
 * Generations of connections to one gateway address, for the calls of one class: new calls use the newest that is ready, and
 * older ones stay open until their calls have ended. Thread-safe.
 */
public abstract class GatewayClient {

    /** The attribute of an invoker's URL with the client that it uses. */
    private static final String OF_INVOKER = "highway-client";

    private final ConnectionOpener opener;
    private final Object renewing = new Object(); // takes as long as connecting does

    /** Opens no connection yet. */
    protected GatewayClient(ConnectionOpener opener) {
        this.opener = opener;
    }

    /** The client of an invoker, or null if the URL is not that of one over a gateway. */
    public static @Nullable GatewayClient known(URL invoker) {
        return (GatewayClient) invoker.getAttribute(OF_INVOKER);
    }

    /** The client of an invoker over a gateway. */
    public static GatewayClient of(URL invoker) {
        return Objects.requireNonNull(known(invoker), "only the SDK creates invokers over gateways");
    }

    /** Tells the invoker of a URL that is about to be created which client it uses. */
    public final URL usedBy(URL invoker) {
        return invoker.putAttribute(OF_INVOKER, this);
    }

    /** What opens its connections. */
    public final ConnectionOpener opener() {
        return opener;
    }

    /** Whether a call can be sent over a connection. */
    public abstract boolean isConnected();

    /** The address of a connection at this end, or null. */
    public @Nullable InetSocketAddress localAddress() {
        return null;
    }

    /** Whether a call would have to wait, because the gateway allows no more streams on the connection. */
    public boolean isFull() {
        return false;
    }

    /** Whether nothing was received for so long that the answer to a heartbeat is overdue. */
    public boolean isOverdue() {
        return false;
    }

    /** Whether the gateway has asked for no new calls and still answers those in flight. */
    public boolean isDraining() {
        return false;
    }

    /** Whether a connection is lost, unresponsive, outdated, or drains, and a new one should be made; not once it is closed. */
    public abstract boolean needsRenewal();

    /**
     * Opens new connections on this thread where that is needed, within the connect timeout each.
     *
     * @throws IOException if one cannot be used
     */
    public final void renew() throws IOException {
        synchronized (renewing) {
            if (needsRenewal()) {
                openNew();
            }
        }
    }

    /**
     * Opens new connections where that is needed. One thread at a time.
     *
     * @throws IOException if one cannot be used
     */
    protected abstract void openNew() throws IOException;

    /** Closes connections that do not close themselves: idle ones, or silent ones that drain. */
    public void closeDrained() {
        // there are none
    }

    /** Whether a call is in flight, on a replaced connection too. */
    public abstract boolean hasCallsInFlight();

    /** Fails the calls in flight as maybe executed. */
    public abstract void endCalls();

    /** Closes it for good. Calls in flight go on. */
    public abstract void close();
}
