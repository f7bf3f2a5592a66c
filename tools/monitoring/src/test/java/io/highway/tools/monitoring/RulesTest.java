// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.tools.monitoring.star.Rules;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RulesTest {

    @Test
    void dividesWindowsAndWaits_andNothingElse() {
        Rules rules = Rules.faster(
                """
                      - alert: HighwayOne
                        expr: rate(a{b="5m"}[2m]) > 5
                        for: 5m
                      - alert: HighwayTwo
                        for: 90s
                """,
                20);

        assertThat(rules.text())
                .isEqualTo(
                        """
                              - alert: HighwayOne
                                expr: rate(a{b="5m"}[6000ms]) > 5
                                for: 15000ms
                              - alert: HighwayTwo
                                for: 4500ms
                        """);
        assertThat(rules.alerts()).containsExactly("HighwayOne", "HighwayTwo");
        assertThat(rules.slowest()).isEqualTo(Duration.ofSeconds(21));
    }
}
