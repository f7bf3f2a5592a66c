// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.frame;

import io.highway.sdk.dubbo.internal.network.connection.ConnectionOpener;
import io.highway.sdk.dubbo.internal.network.connection.MultiplexedConnections;
import io.netty.channel.Channel;
import io.netty.handler.timeout.IdleStateHandler;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.jspecify.annotations.Nullable;

/** Connections of the Dubbo protocol, to one gateway address for one class. Thread-safe. */
final class FrameConnections extends MultiplexedConnections<FrameConnection> implements FrameTransport {

    /** A gateway that drains each new connection gets another one only after this time. */
    private static final long LEAST_USE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private volatile long replacedNanos = System.nanoTime() - LEAST_USE_NANOS;

    FrameConnections(FrameworkModel framework, ConnectionOpener opener) {
        super(framework, opener, FrameConnection.class);
    }

    @Override
    public FrameCall.Carrier queue() {
        return connection();
    }

    @Override
    public EncodedFrame body(RequestFrame request, URL invoker) throws IOException {
        return new EncodedFrame(request.write(invoker));
    }

    @Override
    protected boolean isToBeReplaced(FrameConnection connection) {
        return connection.isDraining() && System.nanoTime() - replacedNanos > LEAST_USE_NANOS;
    }

    @Override
    protected void succeeds(@Nullable FrameConnection before) {
        if (before != null && before.isConnected()) {
            replacedNanos = System.nanoTime();
        }
    }

    @Override
    protected void configure(Channel channel) {
        int seconds = FrameConnection.HEARTBEAT_SECONDS;
        FrameAggregator frames = FrameAggregator.ofClient(framework());
        channel.pipeline()
                .addLast(new IdleStateHandler(seconds, seconds, 0), frames, new FrameConnection(channel, frames));
    }
}
