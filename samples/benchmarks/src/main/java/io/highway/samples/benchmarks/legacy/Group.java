// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.benchmarks.legacy;

import io.highway.samples.benchmarks.measure.Side;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The cases of one size, which are compared with each other. */
record Group(Size size, List<Case> cases) {

    static Group of(Size size, Map<Variant, OrderPath> paths) {
        return new Group(
                size,
                paths.entrySet().stream()
                        .map(path -> Case.of(path.getKey(), path.getValue(), size))
                        .toList());
    }

    Case of(Variant variant) {
        return cases.stream()
                .filter(one -> one.variant() == variant)
                .findFirst()
                .orElseThrow();
    }

    /** The sides that alternate: of many callers, and of one. */
    Stream<List<Side>> sides() {
        return Stream.of(
                cases.stream().map(Case::many).toList(),
                cases.stream().map(Case::one).toList());
    }
}
