// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.http.client;

import io.highway.sdk.dubbo.internal.compression.CompressedFrames;
import io.highway.sdk.dubbo.internal.connection.channel.GatewayClient;
import io.highway.sdk.dubbo.internal.connection.channel.GatewayTransport;
import io.highway.sdk.dubbo.internal.connection.dubbo.FrameBody;
import io.highway.sdk.dubbo.internal.connection.dubbo.FrameCall;
import io.highway.sdk.dubbo.internal.connection.dubbo.FrameClient;
import io.highway.sdk.dubbo.internal.connection.dubbo.RequestFrame;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.rpc.model.FrameworkModel;

/** The HTTP/1.1 connections to one gateway address. Thread-safe. */
final class HttpClient extends GatewayClient implements FrameClient {

    private final HttpConnections connections;

    /** @param most how many there may be */
    HttpClient(FrameworkModel framework, GatewayTransport transport, int most) {
        super(transport);
        this.connections = new HttpConnections(framework, transport, most);
    }

    @Override
    public FrameCall.Carrier queue() {
        return connections;
    }

    @Override
    public InetSocketAddress localAddress() {
        return connections.localAddress();
    }

    @Override
    public FrameBody body(RequestFrame request, URL invoker) throws IOException {
        CompressedFrames compression = CompressedFrames.of(invoker);
        ByteBuf frame = request.write(invoker);
        int size = frame.readableBytes();
        if (compression == null) {
            return new FrameBody(frame);
        }
        try {
            boolean isCompressed = compress(frame, compression);
            return new FrameBody(frame, size, isCompressed ? compression.encoding() : null, compression.accepted());
        } catch (RuntimeException | Error e) {
            frame.release();
            throw e;
        }
    }

    /** Returns whether it is smaller then. */
    private static boolean compress(ByteBuf frame, CompressedFrames compression) {
        byte[] compressed = compression.compress(ByteBufUtil.getBytes(frame));
        if (compressed != null) {
            frame.clear().writeBytes(compressed);
        }
        return compressed != null;
    }

    @Override
    public boolean isConnected() {
        return !isClosed() && connections.isUp();
    }

    @Override
    public boolean isClosed() {
        return connections.isClosed();
    }

    @Override
    public boolean isDraining() {
        return false; // a gateway ends each connection after an answer
    }

    @Override
    public boolean needsRenewal() {
        return !isClosed() && connections.needsRenewal();
    }

    @Override
    protected void openNew() throws IOException {
        connections.renew();
    }

    @Override
    public void closeDrained() {
        connections.closeIdle();
    }

    @Override
    public boolean hasCallsInFlight() {
        return connections.hasCalls();
    }

    @Override
    public void endCalls() {
        connections.endCalls();
    }

    @Override
    public void close() {
        connections.close();
    }
}
