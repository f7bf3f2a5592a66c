// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

import org.apache.dubbo.rpc.RpcException;
import org.jspecify.annotations.Nullable;

/**
 * A call to another island ended without an answer. The message states the intent and its source, the decision, the
 * reason, and what to do. Its code is {@link Reason#code()}, so {@code isTimeout()}, {@code isNetwork()} and
 * {@code isForbidden()} are right.
 *
 * <p>A provider may let it propagate to its own caller, which then receives a plain {@link RpcException} with its code
 * and message.
 */
public final class HighwayException extends RpcException {

    private static final long serialVersionUID = 1L;

    private final Reason reason;
    private final transient @Nullable Intent intent;
    private final boolean sent;

    /**
     * Describes what happened to a call.
     *
     * @param sent whether the request may have reached code of the service
     * @param decided the decision, such as {@code dubbo tunnel through gateway.zhejiang.test:20880}
     * @param what what happened, without a full stop
     * @param advice what to change
     */
    public HighwayException(
            String call,
            Reason reason,
            Intent intent,
            boolean sent,
            String decided,
            String what,
            String advice,
            @Nullable Throwable cause) {
        super(
                reason.code(),
                call + " asked for " + intent + "; decided: " + decided + "; " + reason + ": " + what + " ("
                        + (sent ? "it may have run" : "it has not run") + "). " + advice
                        + (advice.endsWith(".") || advice.endsWith("?") ? "" : "."),
                cause);
        this.reason = reason;
        this.intent = intent;
        this.sent = sent;
    }

    /** Whether it was created in this process: an intent is not serialised. */
    public boolean isFromHere() {
        return intent != null;
    }

    /** Why the call ended, as one word. */
    public Reason reason() {
        return reason;
    }

    /** The intent of the call; {@link Intent#NONE} if the exception came from another process. */
    public Intent intent() {
        return intent == null ? Intent.NONE : intent;
    }

    /**
     * Whether the request may have been executed: false means that no code of the service can have run, so trying again
     * is safe for every method.
     */
    public boolean sent() {
        return sent;
    }
}
