// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.receiver;

import io.netty.buffer.ByteBuf;

/** Finds where the heads of a connection's requests end, as their bytes arrive. */
final class HeadEnd {

    /** As nginx's default, four buffers of 8 KB. */
    private static final int MOST_BYTES = 32 * 1024;

    /** How many bytes are known to have no end, and where the last line of these begins. */
    private int scanned;

    private int lineStart;

    /** Whether nothing of the next head has been scanned. */
    boolean isNew() {
        return scanned == 0;
    }

    /** How long the head is with which these bytes begin; 0 if its end has not arrived. */
    int find(ByteBuf unread) throws MalformedRequestException {
        int start = unread.readerIndex();
        int at = unread.indexOf(start + scanned, unread.writerIndex(), (byte) '\n');
        while (at >= 0 && at - start < MOST_BYTES) {
            int line = at - start - lineStart;
            if (line == 0 || unread.getByte(at - 1) != '\r') {
                throw new MalformedRequestException("a line ends without CR");
            }
            if (line == 1) {
                scanned = 0;
                lineStart = 0;
                return at + 1 - start;
            }
            scanned = at + 1 - start;
            lineStart = scanned;
            at = unread.indexOf(start + scanned, unread.writerIndex(), (byte) '\n');
        }
        scanned = unread.readableBytes();
        if (scanned >= MOST_BYTES) {
            throw new MalformedRequestException("its head has more than " + MOST_BYTES + " bytes");
        }
        return 0;
    }
}
