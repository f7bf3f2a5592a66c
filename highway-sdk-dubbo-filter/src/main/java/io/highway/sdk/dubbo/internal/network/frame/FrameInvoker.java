// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.frame;

import io.highway.sdk.dubbo.internal.evidence.AttemptEvidence;
import io.highway.sdk.dubbo.internal.network.connection.GatewayClient;
import io.highway.sdk.dubbo.internal.network.connection.GatewayInvoker;
import io.highway.sdk.dubbo.internal.network.connection.PendingCall;
import java.util.concurrent.Executor;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.support.RpcUtils;

/** The innermost invoker of a service over connections that carry frames. Thread-safe. */
public final class FrameInvoker<T> extends GatewayInvoker<T> {

    private final FrameTransport client;

    /** Uses the {@linkplain GatewayClient#of client of the URL}. */
    public FrameInvoker(Class<T> type, URL url) {
        super(type, url);
        this.client = (FrameTransport) GatewayClient.of(url);
    }

    @Override
    protected boolean isOneWay(RpcInvocation call) {
        return RpcUtils.isOneway(getUrl(), call);
    }

    @Override
    protected PendingCall send(RpcInvocation call, boolean isTwoWay, Executor executor, int timeoutMillis) {
        AttemptEvidence evidence = AttemptEvidence.of(call);
        FrameCall.Carrier queue = client.queue();
        RequestFrame request = RequestFrame.of(call, getUrl().getPath(), version, isTwoWay);
        EncodedFrame body = serialized(() -> client.body(request, getUrl()));
        boolean isCounted = false;
        try {
            requireFits(body.frameBytes() - FrameHeader.HEADER_BYTES);
            count(body.frameBytes());
            isCounted = true;
        } finally {
            if (!isCounted) {
                body.bytes().release();
            }
        }
        FrameCall sent = new FrameCall(
                new QueuedFrame(getUrl(), request, body, executor, evidence, timeoutMillis, traffic(evidence)), queue);
        queue(sent, body.frameBytes(), body.encoding());
        return sent;
    }
}
