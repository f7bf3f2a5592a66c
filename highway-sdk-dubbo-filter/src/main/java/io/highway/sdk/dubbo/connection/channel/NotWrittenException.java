// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.connection.channel;

import io.highway.sdk.dubbo.Reason;
import org.apache.dubbo.rpc.RpcException;

/**
 * This process did not write a request, and says so by this class: thrown between the last filter and the connection, read by
 * {@link Failure#thrown}. What arrives from another process is never of this class's making, so it is not read in answers.
 */
public final class NotWrittenException extends RpcException {

    /** Begins the text where the arguments cannot be serialised; the cause follows. */
    public static final String UNWRITABLE = "The request cannot be written: ";

    /** Begins the text where memory is exhausted; the cause follows. */
    public static final String NO_MEMORY = "this process has no memory left for the request; give it more"
            + " (-XX:MaxDirectMemorySize, -Xmx), or lower highway.gateways.max-bytes-in-flight: ";

    private static final long serialVersionUID = 1L;

    private final Reason reason;

    /**
     * Says why.
     *
     * @param what what happened, without a full stop
     */
    public NotWrittenException(Reason reason, String what) {
        super(reason.code(), what);
        this.reason = reason;
    }

    /** As the other constructor, with what caused it. */
    public NotWrittenException(Reason reason, String what, Throwable cause) {
        super(reason.code(), what, cause);
        this.reason = reason;
    }

    /** Why, as one word. */
    public Reason reason() {
        return reason;
    }
}
