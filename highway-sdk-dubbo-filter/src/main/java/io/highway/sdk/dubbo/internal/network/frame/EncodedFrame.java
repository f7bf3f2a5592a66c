// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.frame;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * What is written for a request: its frame, or what that is compressed to.
 *
 * @param frameBytes the size of the frame
 * @param encoding of the bytes; null if they are the frame itself
 * @param accepted the encodings that the answer may have, separated by commas; null if it is not to be compressed
 */
public record EncodedFrame(ByteBuf bytes, int frameBytes, @Nullable String encoding, @Nullable String accepted) {

    /** A frame as it is. */
    public EncodedFrame(ByteBuf frame) {
        this(frame, frame.readableBytes(), null, null);
    }
}
