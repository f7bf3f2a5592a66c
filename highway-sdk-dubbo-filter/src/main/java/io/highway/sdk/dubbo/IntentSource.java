// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

import io.highway.sdk.internal.Texts;

/** The sources of an intent, in order of precedence: the first one that is set wins. */
public enum IntentSource {
    /** The attachment {@code highway-island} set for this call. */
    ATTACHMENT,
    /** The innermost {@code Highway} scope, or a bound proxy. */
    SCOPE,
    /** An argument marked {@code @IslandKey}. */
    KEY,
    /** {@code @Island} on the method. */
    METHOD,
    /** {@code @Island} on the reference, or its parameter {@code highway-island}. */
    REFERENCE,
    /** {@code @Island} on the service interface. */
    INTERFACE,
    /** {@code highway.services.<interface>.island}. */
    CONFIGURATION,
    /** None: the call stays home. */
    NONE;

    /**
     * {@return the word used in messages, logs and docs, such as {@code attachment}; {@link #toString()} is the same}
     */
    public String word() {
        return Texts.word(this);
    }

    @Override
    public String toString() {
        return Texts.word(this);
    }
}
