// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.channel;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.remoting.RemotingException;
import org.jspecify.annotations.Nullable;

/** A client that all invokers of a gateway address and class share, and that is closed with the last of them. Thread-safe. */
public abstract class SharedClient implements GatewayClient {

    /** No lock of the client is held for it: renewing takes as long as connecting does. */
    private final AtomicInteger users = new AtomicInteger(1);

    private final URL url;

    protected SharedClient(URL url) {
        this.url = url;
    }

    /**
     * The client of a URL, for one more user, which must {@link #release} it.
     *
     * @param opened makes one, which opens no connection yet
     */
    protected static <C extends SharedClient> C of(URL url, Class<C> type, Function<URL, C> opened) {
        GatewayClients clients = GatewayClients.of(url);
        synchronized (clients) { // two threads must not make two
            for (GatewayClient known : clients.clients(GatewayClients.key(url))) {
                if (type.isInstance(known) && ((SharedClient) known).use()) {
                    return type.cast(known);
                }
            }
            C client = opened.apply(url);
            clients.opened(url, client);
            return client;
        }
    }

    /** Whether a call can be sent over a connection. */
    public abstract boolean isConnected();

    /** The address of a connection at this end, or null. */
    public abstract @Nullable InetSocketAddress localAddress();

    private boolean use() {
        return !isClosed() && users.getAndUpdate(count -> count == 0 ? 0 : count + 1) > 0;
    }

    /** Ends one use. */
    public final void release() {
        if (users.decrementAndGet() == 0) {
            close();
        }
    }

    @Override
    public final synchronized void renew() throws RemotingException {
        if (!needsRenewal()) {
            return;
        }
        GatewayTransport transport = GatewayTransports.of(url).get(url.getProtocol(), url);
        if (transport == null) {
            throw new RemotingException(null, "the address is not in use any more");
        }
        try {
            renew(transport);
        } catch (IOException e) {
            throw new RemotingException(null, null, String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * Opens new connections where that is needed. One thread at a time.
     *
     * @throws IOException if one cannot be used
     */
    protected abstract void renew(GatewayTransport transport) throws IOException;
}
