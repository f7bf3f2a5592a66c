// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.compression;

import io.highway.sdk.dubbo.internal.memory.MemoryBudget;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.remoting.Constants;
import org.apache.dubbo.rpc.TriRpcStatus;

/**
 * Inflates the answers of one invoker: none is larger than the {@code payload} of its reference, and those of all are within
 * the {@link MemoryBudget}. Thread-safe.
 */
final class InflationLimit {

    private final MemoryBudget buffered;
    private final int bytes;

    private InflationLimit(MemoryBudget buffered, int bytes) {
        this.buffered = buffered;
        this.bytes = bytes;
    }

    static InflationLimit of(URL invoker) {
        int payload = invoker.getParameter(CompressedMessages.MOST_INFLATED, Constants.DEFAULT_PAYLOAD);
        return new InflationLimit(
                MemoryBudget.of(invoker.getOrDefaultFrameworkModel()), payload > 0 ? payload : Inflation.MOST);
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
