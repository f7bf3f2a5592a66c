// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security;

/**
 * The result of one attempt.
 *
 * @param name what was attempted
 * @param tunnel {@code dubbo} or {@code triple}
 * @param calls how many calls were made
 * @param executed how many of them ran
 * @param least how many must have run
 * @param most how many may have run
 * @param refused why the guard refused the others, from the audit trail
 */
record Row(String name, String tunnel, int calls, int executed, int least, int most, String refused) {

    /** How many ran that must not. */
    int wrong() {
        return Math.max(0, executed - most);
    }

    boolean isGood() {
        return executed >= least && executed <= most;
    }

    @Override
    public String toString() {
        String expected = least == most ? String.valueOf(most) : least + ".." + most;
        return "%-62s %-7s %6d %9d %10s  %s"
                .formatted(name, tunnel, calls, executed, expected, isGood() ? refused : "WRONG " + refused);
    }
}
