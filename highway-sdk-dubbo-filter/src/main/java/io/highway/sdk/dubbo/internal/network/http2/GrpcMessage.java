// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.http2;

import io.highway.sdk.dubbo.internal.network.compression.BoundedInflater;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/** A message of gRPC, without its prefix. */
class GrpcMessage {

    private final byte[] bytes;
    private final boolean isCompressed;

    GrpcMessage(byte[] bytes, boolean isCompressed) {
        this.bytes = bytes;
        this.isCompressed = isCompressed;
    }

    final byte[] bytes() {
        return bytes;
    }

    /** With its prefix; a view of the same bytes. */
    final ByteBuf onWire() {
        byte[] prefix = new byte[BoundedInflater.PREFIX_BYTES];
        ByteBuf begin = Unpooled.wrappedBuffer(prefix);
        begin.setBoolean(0, isCompressed);
        begin.setInt(1, bytes.length);
        return Unpooled.wrappedBuffer(begin, Unpooled.wrappedBuffer(bytes));
    }

    final boolean isCompressed() {
        return isCompressed;
    }
}
