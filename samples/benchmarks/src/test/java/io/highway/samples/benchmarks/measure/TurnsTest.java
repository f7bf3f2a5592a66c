// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TurnsTest {

    private static final Duration SHORT = Duration.ofMillis(5);

    @Test
    void warmUpsAndRoundsOfAllSidesTakeTheWholeTime() {
        Turns turns = Turns.within(Duration.ofSeconds(100), 7, 4);

        Duration ofOneSide = turns.warmUp().plus(turns.slice().multipliedBy(7));
        assertThat(ofOneSide.multipliedBy(4)).isCloseTo(Duration.ofSeconds(100), Duration.ofMillis(1));
    }

    @Test
    void everyRoundBeginsWithAnotherSide() throws InterruptedException {
        List<String> order = new ArrayList<>();
        List<Side> sides = List.of(side("a", order), side("b", order));

        try (Callers callers = new Callers(1)) {
            new Turns(2, SHORT, SHORT).take(List.of(sides), callers);
        }

        List<String> turns = new ArrayList<>();
        for (String name : order) {
            if (turns.isEmpty() || !turns.get(turns.size() - 1).equals(name)) {
                turns.add(name);
            }
        }
        assertThat(turns).containsExactly("a", "b", "a", "b", "a");
    }

    private static Side side(String name, List<String> order) {
        return new Side(name, 1, () -> {
            Thread.onSpinWait();
            return order.add(name);
        });
    }
}
