// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.springboot;

import java.util.Arrays;
import java.util.List;

/** Meters in Prometheus' text format: {@code name{tag="value",...} number}. */
record Meters(List<String> lines) {

    static Meters parse(String text, String name) {
        return new Meters(text.lines().filter(line -> line.startsWith(name)).toList());
    }

    /** The sum of all meters of this name with these tags, each {@code tag="value"}; 0 if there is none. */
    double sum(String name, String... tags) {
        return lines.stream()
                .filter(line ->
                        line.startsWith(name + "{") && Arrays.stream(tags).allMatch(line::contains))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }
}
