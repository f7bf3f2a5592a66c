// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance;

import java.util.Locale;

/**
 * The result of a case.
 *
 * @param result in one word
 * @param seen the observation, or why there is none
 */
record Verdict(Result result, String seen) {

    /** The possible results. */
    enum Result {
        PASSED,
        FAILED,
        NOT_SUPPORTED,
        LEFT_OUT;

        /** As it is printed. */
        String words() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }
}
