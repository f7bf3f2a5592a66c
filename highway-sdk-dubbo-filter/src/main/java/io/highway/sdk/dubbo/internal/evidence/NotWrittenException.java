// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.evidence;

import io.highway.sdk.dubbo.Reason;
import org.apache.dubbo.rpc.RpcException;

/**
 * Proves that this process did not write a request: thrown between the last filter and the connection, read by
 * {@code FailureClassifier}. It is never read from answers, since another process can write what it wants.
 */
public final class NotWrittenException extends RpcException {

    /** Prefix of the message if the arguments cannot be serialised; the cause follows. */
    public static final String UNWRITABLE = "The request cannot be written: ";

    /** Prefix of the message if memory is exhausted; the cause follows. */
    public static final String NO_MEMORY = "this process has no memory left for the request; give it more"
            + " (-XX:MaxDirectMemorySize, -Xmx), or lower highway.gateways.max-bytes-in-flight: ";

    private static final long serialVersionUID = 1L;

    private final Reason reason;

    /**
     * Without a cause.
     *
     * @param what what happened, without a full stop
     */
    public NotWrittenException(Reason reason, String what) {
        super(reason.code(), what);
        this.reason = reason;
    }

    /** As the other constructor, with a cause. */
    public NotWrittenException(Reason reason, String what, Throwable cause) {
        super(reason.code(), what, cause);
        this.reason = reason;
    }

    /** The reason, as one word. */
    public Reason reason() {
        return reason;
    }

    /** The arguments of a request cannot be serialised. */
    public static NotWrittenException unwritable(Throwable cause) {
        return cause instanceof OutOfMemoryError
                ? new NotWrittenException(Reason.BUSY, NO_MEMORY + cause, cause)
                : new NotWrittenException(Reason.SERIALIZATION, UNWRITABLE + cause, cause);
    }
}
