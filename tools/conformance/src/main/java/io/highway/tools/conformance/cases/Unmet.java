// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.cases;

/** The expected and the actual result, in one line. */
public final class Unmet extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Both in words. */
    public Unmet(String expected, String came) {
        super("expected " + expected + "; came " + came);
    }

    /** Any failure in one line. */
    public static String shown(Throwable failure) {
        return Expect.shown(failure);
    }

    /** Both in words, and the cause. */
    public Unmet(String expected, String came, Throwable cause) {
        super("expected " + expected + "; came " + came, cause);
    }
}
