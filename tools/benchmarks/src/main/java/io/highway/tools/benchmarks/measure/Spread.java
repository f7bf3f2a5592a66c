// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.measure;

import java.util.Collection;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * The values of all rounds in short.
 *
 * @param median the one in the middle, or the mean of the two
 * @param least the smallest
 * @param most the largest
 */
public record Spread(double median, double least, double most) {

    /** Of one value or more. */
    public static Spread of(Collection<Double> values) {
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        if (sorted.length == 0) {
            throw new IllegalArgumentException("no values");
        }
        int middle = sorted.length / 2;
        double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Spread(median, sorted[0], sorted[sorted.length - 1]);
    }

    /** Of one round or more. */
    public static <R> Spread of(Collection<R> rounds, ToDoubleFunction<R> value) {
        return of(rounds.stream().map(round -> value.applyAsDouble(round)).toList());
    }

    /** How many times as much as the other, each round compared with the same round there. */
    public static <R> Spread ratio(List<R> these, List<R> those, ToDoubleFunction<R> value) {
        return of(IntStream.range(0, these.size())
                .mapToObj(round -> value.applyAsDouble(these.get(round)) / value.applyAsDouble(those.get(round)))
                .toList());
    }

    /** Another unit. */
    public Spread times(double factor) {
        return new Spread(factor * median, factor * least, factor * most);
    }

    /** As tables have it. */
    public String median(String format) {
        return Case.text(format, median);
    }

    /** As tables have it, such as {@code 2 to 5}. */
    public String range(String format) {
        return Case.text(format + " to " + format, least, most);
    }
}
