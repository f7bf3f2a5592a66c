// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.benchmarks.thinlink;

import io.highway.samples.benchmarks.calls.CallPath;
import io.highway.samples.benchmarks.measure.Report;
import io.highway.samples.benchmarks.measure.Table;
import java.io.PrintStream;
import java.util.List;
import java.util.function.Supplier;

/**
 * Paths that are compared with each other.
 *
 * @param group what is the same for all
 * @param cases one for each path; the first is the baseline of the others
 */
record Comparison(Group group, List<Case> cases) {

    private static final String[] COLUMNS = {
        "",
        "goodput Mbit/s",
        "calls/s",
        "of the first",
        "least to most",
        "p50 ms",
        "p99 ms",
        "bytes per call",
        "packets",
        "packets back",
        "link"
    };

    static Comparison of(Group group, List<CallPath> paths) {
        Supplier<byte[]> bodies = group.content().bodies(group.bytes());
        return new Comparison(
                group, paths.stream().map(path -> Case.of(path, group, bodies)).toList());
    }

    Case first() {
        return cases.get(0);
    }

    Case of(CallPath path) {
        return cases.stream()
                .filter(one -> one.path().equals(path))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(path.name() + " is not part of " + group));
    }

    List<LinkSide> sides() {
        return cases.stream().map(Case::side).toList();
    }

    /** Returns how many calls were not answered. */
    long print(PrintStream out) {
        Table table = new Table(out, group.title(), COLUMNS);
        cases.forEach(one -> one.print(table, first()));
        table.end();
        long failed = 0;
        for (LinkSide side : sides()) {
            failed += side.failed();
            if (side.failed() > 0) {
                out.printf("%d calls failed: %s, %s%n%n", side.failed(), side.name(), side.firstFailure());
            }
        }
        return failed;
    }

    void add(Report report) {
        cases.forEach(one -> one.add(report, first()));
    }
}
