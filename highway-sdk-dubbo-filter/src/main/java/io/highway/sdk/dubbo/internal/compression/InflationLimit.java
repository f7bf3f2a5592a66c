// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.compression;

import io.highway.sdk.dubbo.internal.limits.MemoryBudget;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.remoting.Constants;
import org.apache.dubbo.rpc.TriRpcStatus;
import org.apache.dubbo.rpc.model.FrameworkModel;

/**
 * Inflates the answers to references that call through gateways: none is larger than the largest {@code payload} of these
 * references, and all together are within the {@link MemoryBudget}. Thread-safe.
 */
public final class InflationLimit {

    private final MemoryBudget buffered;
    private volatile int bytes;

    /** Called by Dubbo's bean factory. */
    public InflationLimit(FrameworkModel framework) {
        buffered = MemoryBudget.of(framework);
    }

    public static InflationLimit of(FrameworkModel framework) {
        return framework.getBeanFactory().getOrRegisterBean(InflationLimit.class);
    }

    /** Bounds the answers of this reference. */
    public static void answersOf(URL reference) {
        of(reference.getOrDefaultFrameworkModel())
                .include(reference.getParameter(Constants.PAYLOAD_KEY, Constants.DEFAULT_PAYLOAD));
    }

    private synchronized void include(int payload) {
        bytes = Math.max(bytes, payload > 0 ? payload : Inflation.MOST);
    }

    /**
     * The inflated message. It waits for no memory: its call may have run in any case.
     *
     * @throws StatusRpcException if it is too large, or there is no memory for it
     */
    byte[] inflate(String encoding, byte[] message, UnaryOperator<byte[]> snappy) throws IOException {
        AtomicInteger counted = new AtomicInteger();
        try {
            return Inflation.inflate(encoding, message, bytes, snappy, step -> {
                int all = counted.addAndGet(step);
                if (!buffered.addInflated(step) && all > MemoryBudget.STEP) { // a small one passes, as uncompressed
                    throw TriRpcStatus.fromCode(TriRpcStatus.Code.RESOURCE_EXHAUSTED)
                            .withDescription("there is no memory to inflate it, see highway.max-buffered")
                            .asException();
                }
            });
        } finally {
            buffered.removeInflated(counted.get());
        }
    }
}
