// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.frame;

import io.highway.sdk.dubbo.internal.evidence.AttemptEvidence;
import io.netty.buffer.Unpooled;
import java.util.Map;
import java.util.concurrent.Executor;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.rpc.RpcInvocation;

/** Calls for tests of connections. */
public final class FrameCalls {

    private FrameCalls() {}

    /** With the id 1, a minute of time, and three bytes in place of a request. */
    public static FrameCall call(
            RpcInvocation invocation,
            boolean isTwoWay,
            Executor executor,
            AttemptEvidence evidence,
            FrameCall.Carrier connection) {
        return new FrameCall(
                new QueuedFrame(
                        URL.valueOf("dubbo://gateway.zhejiang.test:20880?serialization=hessian2"),
                        new RequestFrame(1, invocation, "Shop", "0.0.0", Map.of(), isTwoWay),
                        new EncodedFrame(Unpooled.wrappedBuffer(new byte[] {1, 2, 3})),
                        executor,
                        evidence,
                        60_000,
                        null),
                connection);
    }
}
