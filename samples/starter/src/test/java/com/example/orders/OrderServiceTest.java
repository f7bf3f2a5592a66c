// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package com.example.orders;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.test.HighwayTest;
import io.highway.sdk.test.Islands;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

/** With the application's own configuration; no gateway and no registry is needed. */
@SpringBootTest
@HighwayTest(islands = "shanghai")
class OrderServiceTest {

    @Autowired
    OrderService orders;

    @Test
    void ordersInShanghai(Islands islands) {
        islands.at("shanghai").serves(StockService.class, (item, pieces) -> pieces <= 10);

        assertThat(orders.order("lamp", 1)).isEqualTo("ordered");
        assertThat(orders.order("lamp", 11)).isEqualTo("out of stock");
        assertThat(islands.at("shanghai").calls(StockService.class)).hasSize(2);
    }

    @Test
    void triesAgainLater_whenNothingWasReserved(Islands islands) {
        islands.at("shanghai").serves(StockService.class, (item, pieces) -> true).isDown();

        assertThat(orders.order("lamp", 1)).isEqualTo("try again later");
        assertThat(islands.at("shanghai").calls()).isEmpty();
    }

    @Test
    void checks_whenItMayBeReserved(Islands islands) {
        islands.at("shanghai").serves(StockService.class, (item, pieces) -> true).losesAnswers();

        assertThat(orders.order("lamp", 1)).isEqualTo("to be checked");
        assertThat(islands.at("shanghai").calls()).hasSize(1);
    }
}
