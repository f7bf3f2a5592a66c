// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.benchmarks.gateways;

import io.highway.samples.benchmarks.calls.CallPath;
import io.highway.samples.benchmarks.measure.Measurement;
import io.highway.samples.benchmarks.measure.Report;
import io.highway.samples.benchmarks.measure.Side;
import io.highway.samples.benchmarks.measure.Spread;
import io.highway.samples.benchmarks.measure.Table;
import java.util.Locale;

/** Bodies of one size, or of mixed sizes, on one path, by many callers and by one. */
record Case(CallPath path, Bodies bodies, Side many, Side one) {

    /** The number of callers when throughput is measured. */
    static final int MANY = 32;

    private static final double PERCENT = 100;

    static Case of(CallPath path, Bodies bodies) {
        return new Case(
                path,
                bodies,
                new Side(path.name(), MANY, () -> path.upload(bodies.next())),
                new Side(path.name(), 1, () -> path.upload(bodies.next())));
    }

    /** How much less than the direct calls of the same round, in percent. */
    private Spread lossAgainst(Case direct) {
        Spread ratio = many.ratioTo(direct.many, Measurement::callsPerSecond);
        return new Spread(loss(ratio.median()), loss(ratio.most()), loss(ratio.least()));
    }

    private static double loss(double ratio) {
        return PERCENT * (1 - ratio);
    }

    String title() {
        return path.protocol().title() + ", bodies of " + bodies.title();
    }

    void print(Table table, Case direct) {
        Spread calls = many.spread(Measurement::callsPerSecond);
        Spread loss = lossAgainst(direct);
        table.row(
                path.name(),
                format("%.0f", calls.median()),
                format("%.0f to %.0f", calls.least(), calls.most()),
                path.isDirect() ? "" : format("%.0f %%", loss.median()),
                path.isDirect() ? "" : format("%.0f to %.0f %%", loss.least(), loss.most()),
                format("%.2f", many.spread(Measurement::meanMillis).median()),
                format("%.2f", many.spread(Measurement::p99Millis).median()),
                format("%.2f", one.spread(Measurement::meanMillis).median()),
                format("%.2f", one.spread(Measurement::p99Millis).median()));
    }

    void add(Report report, Case direct) {
        report.row()
                .with("protocol", path.protocol().key())
                .with("body_bytes", bodies.bytes())
                .with("way", path.name())
                .with("calls_per_second", many.spread(Measurement::callsPerSecond))
                .with("loss_percent", lossAgainst(direct))
                .with("mean_ms", many.spread(Measurement::meanMillis).median())
                .with("p99_ms", many.spread(Measurement::p99Millis).median())
                .with("alone_mean_ms", one.spread(Measurement::meanMillis).median())
                .with("alone_p99_ms", one.spread(Measurement::p99Millis).median())
                .with("failed", failed());
    }

    /** Calls that were not answered. */
    long failed() {
        return many.failed() + one.failed();
    }

    /** Why one of them was not; empty if all were. */
    String firstFailure() {
        return many.firstFailure() + one.firstFailure();
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
