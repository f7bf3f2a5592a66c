// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.compression;

import io.highway.sdk.dubbo.internal.facts.UnreadableRequestException;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.util.function.Supplier;

/** An answer was received and has no message that can be read, or one that is larger than the limit. */
public final class UnreadableAnswerException extends IOException {

    private static final long serialVersionUID = 1L;

    private final boolean isForMemory;

    /** With the cause, for people, without a full stop. */
    public UnreadableAnswerException(String message) {
        this(message, false);
    }

    /** As the other constructor. */
    public UnreadableAnswerException(String message, Throwable cause) {
        super(message, cause);
        this.isForMemory = cause instanceof OutOfMemoryError;
    }

    private UnreadableAnswerException(String message, boolean isForMemory) {
        super(message);
        this.isForMemory = isForMemory;
    }

    /** There is no memory for it within {@code highway.max-buffered}, or no time to wait for it. */
    public static UnreadableAnswerException withoutMemory(String message) {
        return new UnreadableAnswerException(message, true);
    }

    /** Whether it could be read with more memory. */
    public boolean isForMemory() {
        return isForMemory;
    }

    /**
     * Checks the bytes of an answer before they are decoded.
     *
     * @return what is left to decode
     * @throws UnreadableAnswerException if they cannot be decoded
     */
    public static ByteBuf check(Supplier<ByteBuf> check) throws UnreadableAnswerException {
        try {
            return check.get();
        } catch (UnreadableRequestException e) {
            throw new UnreadableAnswerException(String.valueOf(e.getMessage()), e);
        }
    }
}
