// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AlternationTest {

    private static final Duration SHORT = Duration.ofMillis(5);

    @Test
    void warmUpsAndRoundsOfAllSidesTakeTheWholeTime() {
        Alternation alternation = Alternation.within(Duration.ofSeconds(100), 7, 4);

        Duration ofOneSide = alternation.warmUp().plus(alternation.slice().multipliedBy(7));
        assertThat(ofOneSide.multipliedBy(4)).isCloseTo(Duration.ofSeconds(100), Duration.ofMillis(1));
    }

    @Test
    void everyRoundBeginsWithAnotherSide() throws InterruptedException {
        List<String> order = new ArrayList<>();
        List<Side> sides = List.of(side("a", order), side("b", order));

        try (Callers callers = new Callers(1)) {
            new Alternation(2, SHORT, SHORT).take(List.of(sides), callers);
        }

        List<String> changes = new ArrayList<>();
        for (String name : order) {
            if (changes.isEmpty() || !changes.get(changes.size() - 1).equals(name)) {
                changes.add(name);
            }
        }
        assertThat(changes).containsExactly("a", "b", "a", "b", "a");
    }

    private static Side side(String name, List<String> order) {
        return new Side(name, 1, () -> {
            Thread.onSpinWait();
            return order.add(name);
        });
    }
}
