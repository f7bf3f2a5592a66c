// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.dubbo.rpc.RpcException;
import org.jspecify.annotations.Nullable;

/**
 * A call to another island ended without an answer. The message states the intent and its source, the decision, the
 * reason, what to do, and where {@code docs/operate/operations.md} has more. Its code is {@link Reason#code()}, so
 * {@code isTimeout()}, {@code isNetwork()} and {@code isForbidden()} are right.
 *
 * <p>A provider may let it propagate to its own caller, which then receives a plain {@link RpcException} with its code
 * and message. Tests make it by {@link #of}.
 *
 * @serial exclude
 */
@SuppressWarnings("InvalidBlockTag") // @serial exclude is a tag of classes, too
public final class HighwayException extends RpcException {

    private static final long serialVersionUID = 1L;

    /** The word of the guard that refused a call at its destination. */
    private static final Pattern GUARDS_WORD = Pattern.compile("; [a-z-]+: the destination refused: ([a-z-]+)");

    private final Reason reason;
    private final transient @Nullable Intent intent;
    private final @Nullable String island;
    private final boolean mayHaveRun;

    /** Called by {@link InternalHighwayException}, which describes the parameters. */
    HighwayException(
            Reason reason,
            Intent intent,
            @Nullable String island,
            boolean mayHaveRun,
            String message,
            @Nullable Throwable cause) {
        super(reason.code(), message, cause);
        this.reason = reason;
        this.intent = intent;
        this.island = island;
        this.mayHaveRun = mayHaveRun;
    }

    /**
     * {@return an exception for tests of code that handles it}
     *
     * @param reason why the call ended
     * @param island the destination, or null for home
     * @param mayHaveRun whether the request may have been executed
     */
    public static HighwayException of(Reason reason, @Nullable String island, boolean mayHaveRun) {
        Intent intent = Intent.of(IntentSource.SCOPE, island);
        String text = intent + "; decided: none; " + reason + ": made by HighwayException.of";
        return new HighwayException(
                reason, intent, island, mayHaveRun, message("a call", text, mayHaveRun, "For tests.", reason), null);
    }

    /** The message of what happened to a call, which ends with its heading in the runbook. */
    static String message(String call, String what, boolean mayHaveRun, String advice, Reason reason) {
        Matcher guards = GUARDS_WORD.matcher(what);
        return call + " asked for " + what + " (" + (mayHaveRun ? "it may have run" : "it has not run") + "). " + advice
                + (advice.endsWith(".") || advice.endsWith("?") ? "" : ".")
                + " Runbook: operations.md#"
                + (reason.isRefusal() && guards.find() ? "guard-" + guards.group(1) : reason);
    }

    /** Whether it was created in this process: an intent is not serialised. */
    boolean isFromHere() {
        return intent != null;
    }

    /** {@return why the call ended, as one word} */
    public Reason reason() {
        return reason;
    }

    /** {@return the intent of the call; {@link Intent#NONE} if the exception came from another process} */
    public Intent intent() {
        return intent == null ? Intent.NONE : intent;
    }

    /** {@return the island that the call was for, known or not; null if it named none that can be read} */
    public @Nullable String island() {
        return island;
    }

    /**
     * {@return how the call ended: {@link Outcome#SENT_UNKNOWN} if it {@link #mayHaveRun()}, {@link Outcome#REFUSED} if
     * a rule, a limit or an open circuit breaker refused it, otherwise {@link Outcome#NOT_SENT}} Never {@link
     * Outcome#DELIVERED}.
     */
    public Outcome outcome() {
        if (mayHaveRun) {
            return Outcome.SENT_UNKNOWN;
        }
        return reason.isRefusal() ? Outcome.REFUSED : Outcome.NOT_SENT;
    }

    /**
     * {@return whether the request may have been executed: false means that no code of the service can have run, so
     * trying again is safe for every method}
     */
    public boolean mayHaveRun() {
        return mayHaveRun;
    }
}
