// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.conformance;

import java.util.Locale;

/**
 * What came of a case.
 *
 * @param result in one word
 * @param seen what was seen, or why not
 */
record Verdict(Result result, String seen) {

    /** How a case may end. */
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
