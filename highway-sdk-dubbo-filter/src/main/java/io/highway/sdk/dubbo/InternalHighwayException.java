// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

import org.jspecify.annotations.Nullable;

/**
 * Creates and recognises {@link HighwayException}. Internal: public for other packages of this module only, not part of
 * the API, and free to change. Thread-safe.
 */
public final class InternalHighwayException {

    private InternalHighwayException() {}

    /**
     * Describes what happened to a call.
     *
     * @param call {@code interface#method}
     * @param island the island that the call was for, or null
     * @param mayHaveRun whether the request may have reached code of the service
     * @param decided the decision, such as {@code dubbo tunnel through gateway.zhejiang.test:20880}
     * @param what what happened, without a full stop
     * @param advice what to change
     * @param reason why it ended
     * @param intent what it asked for
     * @param cause what caused it, or null
     * @return the exception
     */
    public static HighwayException create(
            String call,
            Reason reason,
            Intent intent,
            @Nullable String island,
            boolean mayHaveRun,
            String decided,
            String what,
            String advice,
            @Nullable Throwable cause) {
        String happened = intent + "; decided: " + decided + "; " + reason + ": " + what;
        return new HighwayException(
                reason,
                intent,
                island,
                mayHaveRun,
                HighwayException.message(call, happened, mayHaveRun, advice, reason),
                cause);
    }

    /**
     * {@return whether it was created in this process; one of another process has no intent}
     *
     * @param exception the exception
     */
    public static boolean isFromHere(HighwayException exception) {
        return exception.isFromHere();
    }
}
