// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.kit.check;

import java.io.PrintStream;
import java.util.concurrent.Callable;

/**
 * One check.
 *
 * @param name what is expected
 * @param run does it
 */
public record Check(String name, Callable<Result> run) {

    /**
     * What a check has seen.
     *
     * @param passed whether it is as expected
     * @param seen the observation, for people
     */
    public record Result(boolean passed, String seen) {}

    /** Runs it and prints a line. */
    public boolean passes(PrintStream out) {
        Result result;
        try {
            result = run.call();
        } catch (Exception e) {
            result = new Result(false, e.toString().lines().findFirst().orElseThrow());
        }
        out.println((result.passed() ? "passed  " : "FAILED  ") + name + ": " + result.seen());
        return result.passed();
    }
}
