// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.compression;

import org.apache.dubbo.rpc.model.FrameworkModel;
import org.jspecify.annotations.Nullable;

/**
 * Compresses the requests of an invoker, and inflates those of its answers that need the dictionary of its island. Other
 * answers are inflated by Dubbo. Thread-safe.
 *
 * @param requests null if requests are sent as they are
 * @param dictionary null if the island has none
 */
public record CompressedMessages(
        @Nullable MessageCompressor requests, @Nullable MessageCompressor dictionary, InflationLimit limit) {

    /**
     * Those of one invoker.
     *
     * @param chosen the value of {@link CompressedRequests#KEY}, or null
     */
    public static CompressedMessages of(@Nullable String chosen, FrameworkModel framework) {
        ChosenEncoding encoding = ChosenEncoding.of(chosen == null ? CompressedRequests.IDENTITY : chosen);
        return new CompressedMessages(
                MessageCompressors.of(encoding.request()),
                MessageCompressors.of(encoding.dictionary()),
                InflationLimit.of(framework));
    }

    /** A request as Dubbo's own code passes it to the connection. */
    public byte[] request(byte[] message) {
        return requests == null ? message : MarkedMessage.of(message, requests);
    }

    /** An answer as a parser reads it. */
    public byte[] answer(byte[] message) throws UnreadableAnswerException {
        return MarkedMessage.answer(message, dictionary, limit);
    }
}
