// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.benchmarks.gateways;

import io.highway.samples.benchmarks.measure.Measurement;
import io.highway.samples.benchmarks.measure.Spread;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/** The cases with the same protocol and body, the direct one first, as a table in Markdown. */
final class Table {

    private static final int KILOBYTE = 1024;

    private final List<Case> cases;

    Table(List<Case> cases) {
        this.cases = cases;
    }

    void print(PrintStream out) {
        Case direct = cases.get(0);
        out.printf("**%s, bodies of %d KB**%n%n", direct.way().protocol().title(), direct.bodyBytes() / KILOBYTE);
        out.println(
                "| | calls/s | least to most | loss | least to most | mean ms | p99 ms | alone: mean ms | p99 ms |");
        out.println("|---|---|---|---|---|---|---|---|---|");
        cases.forEach(one -> print(out, one, direct));
        out.println();
    }

    private static void print(PrintStream out, Case one, Case direct) {
        Spread calls = one.callsPerSecond();
        Spread loss = one.lossAgainst(direct);
        out.printf(
                Locale.ROOT,
                "| %s | %.0f | %.0f to %.0f | %s | %s | %.2f | %.2f | %.2f | %.2f |%n",
                one.way().name(),
                calls.median(),
                calls.least(),
                calls.most(),
                one == direct ? "" : String.format(Locale.ROOT, "%.0f %%", loss.median()),
                one == direct ? "" : String.format(Locale.ROOT, "%.0f to %.0f %%", loss.least(), loss.most()),
                one.many(Measurement::meanMillis).median(),
                one.many(Measurement::p99Millis).median(),
                one.one(Measurement::meanMillis).median(),
                one.one(Measurement::p99Millis).median());
    }
}
