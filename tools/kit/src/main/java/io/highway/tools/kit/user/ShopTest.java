// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.kit.user;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.test.HighwayTest;
import io.highway.sdk.test.Islands;
import io.highway.tools.kit.user.StockService.Order;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of a user's code. */
@HighwayTest(
        home = "zhejiang",
        islands = {"shanghai", "beijing"})
public final class ShopTest {

    private static final Order ORDER = new Order("tea", "Li");

    @BeforeEach
    void serve(Islands islands) {
        islands.at("shanghai").serves(StockService.class, new Stock("shanghai"));
        islands.at("beijing").serves(StockService.class, new Stock("beijing"));
    }

    @Test
    void asksBeijing(Islands islands, StockService stock) throws Exception {
        assertThat(new Shop(stock).sellInBeijing(ORDER)).isEqualTo("beijing: tea for Li");
        assertThat(islands.at("shanghai").calls()).isEmpty();
    }

    @Test
    void saysThatItDoesNotKnow(Islands islands, StockService stock) throws Exception {
        islands.at("shanghai").losesAnswers();

        assertThat(new Shop(stock).state(ORDER)).isEqualTo("unknown");
    }

    @Test
    void reservesOnce(Islands islands, StockService stock) {
        islands.at("shanghai").onCall(1).losesAnswers();

        assertThatThrownBy(() -> new Shop(stock).sellSurely(ORDER)).isInstanceOf(HighwayException.class);
        assertThat(islands.at("shanghai").calls()).hasSize(1);
    }

    @Test
    void carriesTheScope(Islands islands, StockService stock) {
        String sold = Highway.to("beijing").call(() -> new Shop(stock).sellLater(ORDER));

        assertThat(sold).isEqualTo("beijing: tea for Li");
    }

    @Test
    void sendsTheOrder(StockService stock) throws Exception {
        assertThat(stock.reserve(ORDER)).isEqualTo("shanghai: tea for Li");
    }
}
