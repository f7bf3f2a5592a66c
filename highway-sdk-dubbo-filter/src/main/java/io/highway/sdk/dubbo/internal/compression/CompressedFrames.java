// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.compression;

import java.io.IOException;
import org.apache.dubbo.common.URL;
import org.jspecify.annotations.Nullable;

/**
 * How the Dubbo frames of a call by HTTP are compressed, each as a whole.
 *
 * @param encoding of the request
 * @param accepted the encodings that its answer may have, separated by commas
 */
public record CompressedFrames(String encoding, String accepted) {

    /** As the policy of an invoker has it; null if nothing is compressed. */
    public static @Nullable CompressedFrames of(URL invoker) {
        String key = invoker.getParameter(CompressedMessages.KEY);
        if (key == null) {
            return null;
        }
        ChosenEncoding chosen = ChosenEncoding.of(key);
        CharSequence accepted = CompressedMessages.accepted(chosen);
        return new CompressedFrames(chosen.request(), accepted == null ? MessageCompressor.GZIP : accepted.toString());
    }

    /** The compressed request, or null if it is better sent as it is. */
    public byte @Nullable [] compress(byte[] frame) {
        MessageCompressor compressor = MessageCompressors.of(encoding);
        return compressor == null ? null : compressor.compress(frame, 0);
    }

    /**
     * The inflated answer.
     *
     * @throws IOException if it cannot be inflated
     */
    public static byte[] inflate(String encoding, byte[] answer, URL invoker) throws IOException {
        try {
            return InflationLimit.of(invoker).inflate(encoding, answer, any -> any);
        } catch (RuntimeException | LinkageError e) { // too large, or an unknown encoding
            throw new IOException("the answer cannot be inflated: " + e.getMessage(), e);
        }
    }
}
