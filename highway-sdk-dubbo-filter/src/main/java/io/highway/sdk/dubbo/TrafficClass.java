// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

import io.highway.sdk.internal.Texts;

/** The class of a call. Each class has connections and a concurrency limit for itself. */
public enum TrafficClass {
    /** All calls that are not bulk. */
    INTERACTIVE,
    /** Calls of {@code bulk.methods} and calls with a request larger than {@code bulk.over}. */
    BULK;

    /** {@return the word used in keys, messages and meters, such as {@code bulk}; {@link #toString()} is the same} */
    public String word() {
        return Texts.word(this);
    }

    @Override
    public String toString() {
        return Texts.word(this);
    }
}
