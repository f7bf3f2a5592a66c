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
import org.junit.jupiter.api.Test;

/** Three islands with real sockets. */
@HighwayTest(
        home = "zhejiang",
        islands = {"shanghai", "beijing", "guangdong"},
        real = true)
public final class RealTest {

    private static final Order ORDER = new Order("tea", "Li");

    @Test
    void answers(Islands islands, StockService stock) throws Exception {
        for (String island : new String[] {"shanghai", "beijing", "guangdong"}) {
            islands.at(island).serves(StockService.class, new Stock(island));
            assertThat(Highway.to(island).callChecked(() -> stock.reserve(ORDER)))
                    .startsWith(island);
        }
    }

    @Test
    void isNotSent_whenDown(Islands islands, StockService stock) throws Exception {
        islands.at("shanghai").serves(StockService.class, new Stock("shanghai")).isDown();
        assertThatThrownBy(() -> stock.reserve(ORDER)).isInstanceOf(HighwayException.class);

        islands.at("shanghai").recovers();
        assertThat(stock.reserve(ORDER)).startsWith("shanghai");
    }
}
