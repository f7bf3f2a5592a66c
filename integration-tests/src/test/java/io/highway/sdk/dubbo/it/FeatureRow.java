// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A test of one row of {@code docs/reference/dubbo-features.md}; {@code DocsTest} compares both. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface FeatureRow {

    /** The row's first cell. */
    String value();

    /** The row's second cell. */
    Effect on();

    /** What becomes of a feature on a routed call. */
    enum Effect {
        APPLIED("applied"),
        NOT_APPLIED("not applied"),
        REFUSED_AT_THE_CALL("refused at the call"),
        REFUSED_AT_START_UP("refused at start-up");

        private final String words;

        Effect(String words) {
            this.words = words;
        }

        @Override
        public String toString() {
            return words;
        }
    }
}
