// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.compression;

import io.netty.util.internal.ThreadExecutorMap;
import org.jspecify.annotations.Nullable;

/**
 * Compresses messages in one encoding, on the thread that sends them, so that no other call waits. A message is sent as
 * it is on an event loop, and if it would not get smaller. Thread-safe.
 */
abstract class MessageCompressor {

    static final String GZIP = "gzip";
    static final String ZSTD = "zstd";

    /** Smaller messages are not compressed. */
    private static final int SMALLEST = 64;

    /** Of larger messages a sample is compressed first. */
    private static final int SAMPLED = 32 * 1024;

    private static final int SAMPLE_BYTES = 4 * 1024;

    private static final int SAMPLES = 3;

    /** The encoding's name, as in {@code grpc-encoding}. */
    abstract String encoding();

    /**
     * The compressed form behind so many free bytes, or null if the message is better sent as it is.
     *
     * @param free the number of free bytes at the beginning of the result
     */
    final byte @Nullable [] compress(byte[] message, int free) {
        if (message.length <= SMALLEST
                || ThreadExecutorMap.currentExecutor() != null
                || (message.length > SAMPLED && isIncompressible(message))) {
            return null;
        }
        return compress(message, 0, message.length, free);
    }

    /** Whether none of the samples, spread over the message, gets smaller. */
    private boolean isIncompressible(byte[] message) {
        for (int i = 0; i < SAMPLES; i++) {
            int at = (int) ((long) (message.length - SAMPLE_BYTES) * i / (SAMPLES - 1));
            if (compress(message, at, SAMPLE_BYTES, 0) != null) {
                return false;
            }
        }
        return true;
    }

    /** The compressed form of a part, behind so many free bytes, or null if it is not smaller. */
    abstract byte @Nullable [] compress(byte[] bytes, int from, int length, int free);
}
