// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.compression;

import io.highway.sdk.dubbo.internal.memory.MemoryBudget;
import java.io.IOException;
import java.util.function.UnaryOperator;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.remoting.Constants;

/**
 * Inflates the answers of one invoker: none is larger than the {@code payload} of its reference, and those of all are within
 * the {@link MemoryBudget}. Thread-safe.
 */
record AnswerInflater(MemoryBudget buffered, int bytes) {

    static AnswerInflater of(URL invoker) {
        int payload = invoker.getParameter(GrpcMessageCompression.MOST_INFLATED, Constants.DEFAULT_PAYLOAD);
        return new AnswerInflater(
                MemoryBudget.of(invoker.getOrDefaultFrameworkModel()), payload > 0 ? payload : BoundedInflater.MOST);
    }

    /**
     * The inflated message. A large one waits until not too many others are being inflated, and for no memory: its call may
     * have run in any case.
     *
     * @param millis the longest wait
     * @throws StatusRpcException if it is too large, or there is no memory, or no time, for it
     */
    InflatedMessage inflate(String encoding, byte[] message, UnaryOperator<byte[]> snappy, long millis)
            throws IOException {
        InflatedMessage inflated = new InflatedMessage(buffered, millis);
        try {
            inflated.set(BoundedInflater.inflate(encoding, message, bytes, snappy, inflated::add));
            return inflated;
        } catch (IOException | RuntimeException | Error e) {
            inflated.close();
            throw e;
        }
    }
}
