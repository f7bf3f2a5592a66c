// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.thinlink;

import io.highway.tools.benchmarks.calls.CallPath;
import io.highway.tools.benchmarks.measure.Comparison;
import io.highway.tools.benchmarks.measure.Measurement;
import io.highway.tools.benchmarks.measure.Spread;
import io.highway.tools.benchmarks.orders.Family;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * The common settings of paths that are compared with each other.
 *
 * @param width of the link in Mbit/s
 * @param family of the bodies, which are bytes
 * @param bytes of a body
 * @param callers threads that call side by side
 */
record Group(int width, Family family, int bytes, int callers) {

    static final int SMALL = 2 << 10;
    static final int LARGE = 80 << 10;

    /** Of bodies, in bytes. */
    static final List<Integer> SIZES = List.of(SMALL, LARGE);

    /** Enough to fill the link with either size. */
    static final int MANY = 64;

    /** How many callers there are besides. */
    static final List<Integer> FEW = List.of(1, 8);

    private static final int KILOBYTE = 1 << 10;

    /** For tables. */
    String title() {
        return String.format(
                Locale.ROOT,
                "%d Mbit/s, %s bodies of %d KB, %d %s",
                width,
                content(),
                bytes / KILOBYTE,
                callers,
                callers == 1 ? "caller" : "callers");
    }

    /** For tables and files. */
    String content() {
        return family == Family.RANDOM ? "random" : "json";
    }

    /** Supplies one body after the other, on any thread, as many different ones as there are callers. */
    static Supplier<byte[]> bodies(Family family, int bytes) {
        List<Object> bodies = family.messages(Family.Half.MEASURED, bytes, MANY);
        AtomicInteger next = new AtomicInteger();
        return () -> (byte[]) bodies.get(Math.floorMod(next.getAndIncrement(), MANY));
    }

    /** For the names of fields, such as {@code 2k}. */
    static String size(int bytes) {
        return bytes / KILOBYTE + "k";
    }

    /** Not measured yet; the first path is the baseline of the others. */
    Comparison<Group, CallPath, LinkSide> compare(List<CallPath> paths) {
        Supplier<byte[]> bodies = bodies(family, bytes);
        return Comparison.of(this, paths, path -> new LinkSide(title(path), callers, () -> path.upload(bodies.get())));
    }

    private static String title(CallPath path) {
        return path.isDirect() ? "plain " + path.protocol().title() : path.name();
    }

    /** Bits of bodies per second, in millions. */
    double goodput(Measurement calls) {
        return calls.callsPerSecond() * bytes / Link.BYTES_PER_MEGABIT;
    }

    /** How full the link was: 1 is as full as it gets. */
    Spread linkUse(LinkSide side) {
        return side.use(width * Link.BYTES_PER_MEGABIT, Link.Traffic::bytes);
    }
}
