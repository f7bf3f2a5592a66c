// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy;

/** Patterns with at most one star, which matches any text, also none. */
final class Glob {

    private Glob() {}

    /** Whether the pattern matches the whole text. */
    static boolean matches(String pattern, String text) {
        int star = pattern.indexOf('*');
        return star < 0
                ? text.equals(pattern)
                : text.length() >= pattern.length() - 1
                        && text.startsWith(pattern.substring(0, star))
                        && text.endsWith(pattern.substring(star + 1));
    }
}
