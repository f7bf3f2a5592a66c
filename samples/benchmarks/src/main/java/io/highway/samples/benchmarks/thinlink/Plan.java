// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.benchmarks.thinlink;

import io.highway.samples.benchmarks.measure.Benchmark;
import java.util.Arrays;
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
 */
record Plan(Effort effort, Set<Part> parts, List<Integer> rates) {

    private static final String COMMA = ",";

    /** All of it. */
    static Plan of(Effort effort) {
        return new Plan(effort, EnumSet.allOf(Part.class), List.of());
    }

    /** Of what {@link #words} returned. */
    static Plan of(String effort, String parts, String rates) {
        return new Plan(
                Effort.valueOf(effort),
                Arrays.stream(parts.split(COMMA))
                        .map(Part::valueOf)
                        .collect(Collectors.toCollection(() -> EnumSet.noneOf(Part.class))),
                Arrays.stream(rates.split(COMMA))
                        .filter(rate -> !rate.isEmpty())
                        .map(Integer::valueOf)
                        .toList());
    }

    /** For another process. */
    List<String> words() {
        return List.of(effort.name(), parts.stream().map(Part::name).collect(Collectors.joining(COMMA)), join(rates));
    }

    /** As it was called. */
    String command() {
        return Benchmark.command(
                "thin-link",
                effort == Effort.QUICK,
                parts.size() == Part.values().length ? "" : " --only " + join(parts),
                rates.isEmpty() ? "" : " --rates " + join(rates));
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

    private List<Integer> sorted(List<Integer> byDefault) {
        return (rates.isEmpty() ? byDefault : rates)
                .stream().distinct().sorted().toList();
    }
}
