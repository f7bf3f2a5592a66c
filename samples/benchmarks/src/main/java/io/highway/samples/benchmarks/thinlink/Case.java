// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.benchmarks.thinlink;

import io.highway.samples.benchmarks.calls.CallPath;
import io.highway.samples.benchmarks.measure.Measurement;
import io.highway.samples.benchmarks.measure.Report;
import io.highway.samples.benchmarks.measure.Spread;
import io.highway.samples.benchmarks.measure.Table;
import java.util.Locale;
import java.util.function.Supplier;

/** Calls of one group on one path. */
record Case(CallPath path, LinkSide side, Group group) {

    private static final double BITS = 8;
    private static final double MEGA = 1e6;
    private static final double PERCENT = 100;

    static Case of(CallPath path, Group group, Supplier<byte[]> bodies) {
        return new Case(path, new LinkSide(title(path), group.callers(), () -> path.upload(bodies.get())), group);
    }

    private static String title(CallPath path) {
        return path.isDirect() ? "plain " + path.protocol().title() : path.name();
    }

    /** Bits of bodies per second, in millions. */
    private double goodput(Measurement calls) {
        return calls.callsPerSecond() * group.bytes() * BITS / MEGA;
    }

    /** How much more goodput than another case of the same group. */
    Spread goodputRatioTo(Case other) {
        return side.ratioTo(other.side, Measurement::callsPerSecond);
    }

    Spread p50RatioTo(Case other) {
        return side.ratioTo(other.side, Measurement::p50Millis);
    }

    Spread callsPerSecond() {
        return side.spread(Measurement::callsPerSecond);
    }

    /** How full the link was: 1 is as full as it gets. */
    Spread linkUse() {
        return side.use(group.width() * MEGA / BITS);
    }

    void print(Table table, Case first) {
        Spread ratio = goodputRatioTo(first);
        boolean isFirst = first.equals(this);
        table.row(
                side.name(),
                format("%.1f", side.spread(this::goodput).median()),
                format("%.0f", callsPerSecond().median()),
                isFirst ? "" : format("%.1f %%", PERCENT * ratio.median()),
                isFirst ? "" : format("%.1f to %.1f %%", PERCENT * ratio.least(), PERCENT * ratio.most()),
                format("%.2f", side.spread(Measurement::p50Millis).median()),
                format("%.2f", side.spread(Measurement::p99Millis).median()),
                format("%.0f", side.perCall(Link.Traffic::bytes).median()),
                format("%.2f", side.perCall(Link.Traffic::packets).median()),
                format("%.2f", side.perCall(Link.Traffic::packetsBack).median()),
                format("%.0f %%", PERCENT * linkUse().median()));
    }

    void add(Report report, Case first) {
        report.row()
                .with("way", side.name())
                .with("protocol", path.protocol().key())
                .with("rate_mbit", group.width())
                .with("content", group.content().word())
                .with("body_bytes", group.bytes())
                .with("callers", group.callers())
                .with("goodput_mbit", side.spread(this::goodput))
                .with("calls_per_second", callsPerSecond())
                .with("goodput_ratio", goodputRatioTo(first))
                .with("mean_ms", side.spread(Measurement::meanMillis).median())
                .with("p50_ms", side.spread(Measurement::p50Millis))
                .with("p99_ms", side.spread(Measurement::p99Millis))
                .with("link_bytes_per_call", side.perCall(Link.Traffic::bytes))
                .with(
                        "link_packets_per_call",
                        side.perCall(Link.Traffic::packets).median())
                .with(
                        "link_bytes_back_per_call",
                        side.perCall(Link.Traffic::bytesBack).median())
                .with(
                        "link_packets_back_per_call",
                        side.perCall(Link.Traffic::packetsBack).median())
                .with("link_use", linkUse())
                .with("failed", side.failed());
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
