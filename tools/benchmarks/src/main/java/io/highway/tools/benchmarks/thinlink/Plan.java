// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.thinlink;

import io.highway.tools.benchmarks.measure.Benchmark;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What is measured.
 *
 * @param effort how long
 * @param parts what of it
 * @param rates of the link in Mbit/s; empty for those that each part has by default
 * @param cells of long links
 */
record Plan(Effort effort, Set<Part> parts, List<Integer> rates, Cells cells) {

    private static final String COMMA = ",";

    Plan {
        parts = EnumSet.copyOf(parts); // in their order
    }

    /** All of it. */
    static Plan of(Effort effort) {
        return new Plan(effort, EnumSet.allOf(Part.class), List.of(), Cells.ALL);
    }

    /** As it was called. */
    String command() {
        return Benchmark.command(
                "thin-link",
                effort.equals(Effort.QUICK),
                parts.size() == Part.values().length ? "" : " --only " + join(parts),
                rates.isEmpty() ? "" : " --rates " + join(rates),
                cells.roundTrips().isEmpty() ? "" : " --rtt " + join(cells.roundTrips()),
                cells.sizes().isEmpty()
                        ? ""
                        : " --size "
                                + join(cells.sizes().stream().map(Cells::size).toList()),
                cells.callers().isEmpty() ? "" : " --callers " + join(cells.callers()));
    }

    private static String join(Collection<?> all) {
        return all.stream().map(String::valueOf).collect(Collectors.joining(COMMA));
    }

    boolean has(Part part) {
        return parts.contains(part);
    }

    /** Of the link for plain Dubbo and both tunnels, in Mbit/s, the thinnest first. */
    List<Integer> tunnelRates() {
        return sorted(effort.widths());
    }

    /** Of the link for compression, in Mbit/s, the thinnest first. */
    List<Integer> compressionRates() {
        return sorted(effort.compressionWidths());
    }

    boolean isOnly(Part part) {
        return parts.equals(EnumSet.of(part));
    }

    /** Of the link for long round trips, in Mbit/s. */
    int longRate() {
        return sorted(List.of(effort.thinnest())).get(0);
    }

    /** Of long links. */
    Cells longCells() {
        return cells.areAll() && !effort.equals(Effort.FULL) ? Cells.ONE : cells;
    }

    private List<Integer> sorted(List<Integer> byDefault) {
        return (rates.isEmpty() ? byDefault : rates)
                .stream().distinct().sorted().toList();
    }
}
