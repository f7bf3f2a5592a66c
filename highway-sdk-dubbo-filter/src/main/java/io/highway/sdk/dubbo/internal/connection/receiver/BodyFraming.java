// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.receiver;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** Where the body of a request ends: by its length, or by its chunks, which have neither extensions nor trailers. */
final class BodyFraming {

    private static final Pattern SIZE = Pattern.compile("[0-9a-fA-F]{1,8}\r\n");
    private static final int LONGEST_SIZE = 10;

    private final boolean isChunked;

    /** Of the body, or of the chunk. */
    private long left;

    private boolean isInChunk;
    private boolean isAfterLast;
    private boolean isComplete;

    private BodyFraming(boolean isChunked, long length) {
        this.isChunked = isChunked;
        this.left = length;
        this.isComplete = !isChunked && length == 0;
    }

    static BodyFraming of(long length) {
        return new BodyFraming(false, length);
    }

    static BodyFraming chunked() {
        return new BodyFraming(true, 0);
    }

    /** How many bytes are known to follow. */
    long left() {
        return left;
    }

    boolean isComplete() {
        return isComplete;
    }

    /**
     * Skips what delimits chunks.
     *
     * @return how many of the next bytes belong to the body, for the caller to take; 0 if it is complete, or if more
     *     must arrive first
     */
    int next(ByteBuf in) throws MalformedRequestException {
        while (left == 0 && !isComplete) {
            if ((isInChunk || isAfterLast) && !skipLineEnd(in)) {
                return 0;
            }
            isComplete = isAfterLast;
            isInChunk = false;
            if (!isComplete && !readSize(in)) {
                return 0;
            }
        }
        int taken = (int) Math.min(left, in.readableBytes());
        left -= taken;
        isComplete |= left == 0 && !isChunked;
        return taken;
    }

    private static boolean skipLineEnd(ByteBuf in) throws MalformedRequestException {
        if (in.readableBytes() < 2) {
            return false;
        }
        if (in.readByte() != '\r' || in.readByte() != '\n') {
            throw new MalformedRequestException("a chunk does not end where it should, or has trailers");
        }
        return true;
    }

    /** The line with the size of the next chunk; an unfinished one stays. */
    private boolean readSize(ByteBuf in) throws MalformedRequestException {
        int length = in.bytesBefore(Math.min(in.readableBytes(), LONGEST_SIZE), (byte) '\n') + 1;
        if (length == 0) {
            if (in.readableBytes() >= LONGEST_SIZE) {
                throw new MalformedRequestException("the size of a chunk is malformed");
            }
            return false;
        }
        String line = in.readCharSequence(length, StandardCharsets.ISO_8859_1).toString();
        if (!SIZE.matcher(line).matches()) {
            throw new MalformedRequestException("the size of a chunk is malformed");
        }
        left = Long.parseLong(line.strip(), 16);
        isInChunk = left > 0;
        isAfterLast = left == 0;
        return true;
    }
}
