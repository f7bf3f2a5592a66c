// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

import io.highway.sdk.internal.Texts;
import org.apache.dubbo.rpc.RpcException;

/**
 * Why an island-bound call was not delivered. Exceptions, logs and docs use the same word; the code is that of
 * {@link RpcException}.
 */
public enum Reason {
    /** The requested value is not an island id, or an attachment names an island where nothing reads it. */
    BAD_ISLAND(RpcException.FORBIDDEN_EXCEPTION),
    /**
     * The {@code @IslandKey} argument or property is null or cannot be read, or a generic call writes an annotated method
     * otherwise than its interface.
     */
    BAD_KEY(RpcException.FORBIDDEN_EXCEPTION),
    /** The call names no island, and {@code highway.services.<interface>.require-island} is true. */
    ISLAND_REQUIRED(RpcException.FORBIDDEN_EXCEPTION),
    /** No configuration for the island, and unknown ones are refused. */
    UNKNOWN_ISLAND(RpcException.FORBIDDEN_EXCEPTION),
    /** The method is in the island's {@code deny}. */
    DENIED(RpcException.FORBIDDEN_EXCEPTION),
    /** The chain of calls has crossed {@code max-hops} islands. */
    TOO_MANY_HOPS(RpcException.FORBIDDEN_EXCEPTION),
    /** The request is over {@code max-request-size}, or its headers, with attachments, over what Triple or the gateway carries. */
    TOO_LARGE(RpcException.FORBIDDEN_EXCEPTION),
    /** The method streams and the policy does not allow Triple. */
    NEEDS_TRIPLE(RpcException.FORBIDDEN_EXCEPTION),
    /**
     * No tunnel can carry the call: callback arguments, a group or version pattern, or {@code cluster=broadcast}; or Triple
     * cannot carry one of its attachments.
     */
    NOT_TUNNELLABLE(RpcException.FORBIDDEN_EXCEPTION),
    /** No gateway address is configured for the destination. */
    NO_GATEWAY(RpcException.FORBIDDEN_EXCEPTION),
    /** A limit is reached: {@code max-concurrent}, the streams of a connection, or {@code max-bytes-in-flight}. */
    BUSY(RpcException.LIMIT_EXCEEDED_EXCEPTION),
    /** The circuit breaker of every endpoint that could carry the call is open. */
    BREAKER_OPEN(RpcException.NETWORK_EXCEPTION),
    /** The guard at the destination refused the call before any code of the service ran. */
    REFUSED_THERE(RpcException.FORBIDDEN_EXCEPTION),
    /** The destination has no such service, group or version. */
    NO_SUCH_SERVICE(RpcException.NO_INVOKER_AVAILABLE_AFTER_FILTER),
    /** The destination has the service, in a version without the method or without it for these parameter types. */
    NO_SUCH_METHOD(RpcException.NO_INVOKER_AVAILABLE_AFTER_FILTER),
    /** No gateway address could be reached, so nothing left this process. */
    GATEWAY_DOWN(RpcException.NETWORK_EXCEPTION),
    /** A gateway answered that it did not forward the call. */
    NOT_FORWARDED(RpcException.NETWORK_EXCEPTION),
    /** The time for the call was used up before anything was sent, or its application is stopping. */
    NO_TIME_LEFT(RpcException.TIMEOUT_TERMINATE),
    /** No answer came in time; the call may have run. */
    TIMEOUT(RpcException.TIMEOUT_EXCEPTION),
    /** The connection was lost after sending; the call may have run. */
    CONNECTION_LOST(RpcException.NETWORK_EXCEPTION),
    /** A gateway reports that something behind it failed or did not answer; the call may have run. */
    GATEWAY_ERROR(RpcException.NETWORK_EXCEPTION),
    /** The request or its answer could not be read or written. */
    SERIALIZATION(RpcException.SERIALIZATION_EXCEPTION),
    /** The provider reported a failure; the call may have run. */
    REMOTE_FAILURE(RpcException.NETWORK_EXCEPTION);

    private final int code;

    Reason(int code) {
        this.code = code;
    }

    /** {@return the code that {@link RpcException#getCode()} returns} */
    public int code() {
        return code;
    }

    /** {@return whether a rule refused the call, here or at the destination, and not the network} */
    public boolean isRefusal() {
        return code == RpcException.FORBIDDEN_EXCEPTION || this == BUSY || this == BREAKER_OPEN;
    }

    /**
     * {@return the word used in messages, logs and docs, such as {@code unknown-island}; {@link #toString()} is the
     * same}
     */
    public String word() {
        return Texts.word(this);
    }

    @Override
    public String toString() {
        return Texts.word(this);
    }
}
