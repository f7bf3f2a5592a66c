// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.measure;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/** The same calls by many callers, which shows the throughput, and by one alone, which shows the time of a call. */
public record Load(Side many, Side one) {

    /** How many callers are many. */
    public static final int MANY = 32;

    /** Without rounds yet. */
    public static Load of(String name, Callable<?> call) {
        return new Load(new Side(name, MANY, call), new Side(name, 1, call));
    }

    /** Measures everything for about this total duration; loads of one comparison run one after another. */
    public static void take(
            Collection<? extends Comparison<?, ?, Load>> comparisons, Duration total, int rounds, Callers callers)
            throws InterruptedException {
        List<List<Side>> groups = comparisons.stream()
                .map(Comparison::sides)
                .flatMap(loads -> Stream.of(
                        loads.values().stream().map(Load::many).toList(),
                        loads.values().stream().map(Load::one).toList()))
                .toList();
        Alternation.within(total, rounds, groups.stream().mapToInt(List::size).sum())
                .take(groups, callers);
    }

    /** Calls per second of many callers, as a multiple of those of the other. */
    public Spread throughputTo(Load other) {
        return many.ratioTo(other.many, Measurement::callsPerSecond);
    }

    /** Both. */
    public List<Side> both() {
        return List.of(many, one);
    }
}
