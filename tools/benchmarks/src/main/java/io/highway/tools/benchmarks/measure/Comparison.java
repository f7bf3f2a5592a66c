// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.measure;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * The same calls made in different ways, to be compared.
 *
 * @param <T> the type of setting
 * @param <W> the type of ways
 * @param <S> what measures them
 * @param setting what is the same for all
 * @param sides what measures each way, in the order of tables
 */
public record Comparison<T, W, S>(T setting, Map<W, S> sides) {

    /** Not measured yet. */
    public static <T, W, S> Comparison<T, W, S> of(T setting, Collection<W> ways, Function<W, S> side) {
        Map<W, S> sides = new LinkedHashMap<>();
        ways.forEach(way -> sides.put(way, side.apply(way)));
        return new Comparison<>(setting, Collections.unmodifiableMap(sides));
    }

    /** What measures this way, which must be part of it. */
    public S of(W way) {
        return Objects.requireNonNull(sides.get(way), () -> way + " is not part of " + setting);
    }

    /** What measures the first one. */
    public S first() {
        return sides.values().iterator().next();
    }
}
