// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class SpreadTest {

    @Test
    void isTheMiddleOneBetweenLeastAndMost() {
        assertThat(Spread.of(List.of(9.0, 1.0, 4.0))).isEqualTo(new Spread(4, 1, 9));
    }

    @Test
    void isBetweenTheTwoInTheMiddle_whenTheyAreEven() {
        assertThat(Spread.of(List.of(2.0, 8.0, 4.0, 1.0))).isEqualTo(new Spread(3, 1, 8));
    }

    @Test
    void needsAValue() {
        assertThatIllegalArgumentException().isThrownBy(() -> Spread.of(List.of()));
    }
}
