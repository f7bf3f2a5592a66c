// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

import io.highway.sdk.internal.Texts;

/** How an island-bound call ended. */
public enum Outcome {
    /** The service answered, with a value or with an exception. */
    DELIVERED,
    /** It failed, and no code of the service can have run. */
    NOT_SENT,
    /** It failed, and may have run. */
    SENT_UNKNOWN,
    /**
     * A rule, a limit ({@code busy}) or an open circuit breaker refused it, here or at the destination; nothing ran.
     */
    REFUSED;

    /** {@return the word used in meters and docs, such as {@code not-sent}; {@link #toString()} is the same} */
    public String word() {
        return Texts.word(this);
    }

    @Override
    public String toString() {
        return Texts.word(this);
    }
}
