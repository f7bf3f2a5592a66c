// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.receiver;

import io.netty.buffer.ByteBuf;

/** The header of the Dubbo frame that a request has as its body. */
final class RequestFrame {

    static final int HEADER_BYTES = 16;

    private static final short MAGIC = (short) 0xdabb;
    private static final int FLAGS = 2;
    private static final int LENGTH = 12;
    private static final int IS_REQUEST = 0x80;
    private static final int IS_EVENT = 0x20;

    private RequestFrame() {}

    /** Whether a body is exactly one frame with a call. */
    static boolean isWhole(ByteBuf body) {
        int start = body.readerIndex();
        return body.readableBytes() >= HEADER_BYTES
                && body.getShort(start) == MAGIC
                && (body.getByte(start + FLAGS) & (IS_REQUEST | IS_EVENT)) == IS_REQUEST
                && body.getUnsignedInt(start + LENGTH) == body.readableBytes() - HEADER_BYTES;
    }
}
