// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.http2;

import io.highway.sdk.dubbo.internal.network.connection.ConnectionOpener;
import io.highway.sdk.dubbo.internal.network.connection.MultiplexedConnections;
import io.highway.sdk.dubbo.internal.network.connection.TcpConnector;
import io.netty.channel.Channel;
import java.util.concurrent.TimeUnit;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.jspecify.annotations.Nullable;

/** Connections of HTTP/2, to one gateway address for one class. Thread-safe. */
final class GrpcConnections extends MultiplexedConnections<GrpcConnection> {

    /**
     * After this time a connection that followed one that drains is replaced once more. At a reload nginx's worker
     * processes are told to end one after the other. A worker that accepts a connection just before it is told sends no
     * GOAWAY on it, and cuts its calls when the worker's time is over.
     */
    private static final long SUCCESSOR_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** When the last one followed one that drains; 0 if it did not, or has been replaced once. */
    private volatile long succeededNanos;

    GrpcConnections(FrameworkModel framework, ConnectionOpener opener) {
        super(framework, opener, GrpcConnection.class);
    }

    @Override
    public boolean isFull() {
        GrpcConnection used = sound();
        return used != null && used.isFull();
    }

    @Override
    protected boolean isToBeReplaced(GrpcConnection connection) {
        long since = succeededNanos;
        return connection.isDraining() || (since != 0 && System.nanoTime() - since > SUCCESSOR_NANOS);
    }

    @Override
    protected void succeeds(@Nullable GrpcConnection before) {
        succeededNanos = before != null && before.isDraining() ? System.nanoTime() : 0;
    }

    @Override
    protected void configure(Channel channel) {
        GrpcConnection unused = new GrpcConnection(channel, framework(), opener());
    }

    /** Such a gateway will not end the calls either. */
    @Override
    public void closeDrained() {
        open().stream()
                .filter(one -> !one.isSound() && one.isSilent())
                .forEach(one -> TcpConnector.abort(one.channel()));
    }
}
