// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.alibaba.fastjson2.JSON;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OrdersTest {

    private static final int LINE = 400;

    @ParameterizedTest
    @ValueSource(ints = {2 << 10, 8 << 10, 80 << 10})
    void areAsLongAsAsked_andTheSameEveryTime(int bytes) {
        Order order = Orders.ofJsonBytes(bytes);

        assertThat(Orders.jsonBytes(order)).isBetween(bytes, bytes + LINE);
        assertThat(JSON.toJSONString(Orders.ofJsonBytes(bytes))).isEqualTo(JSON.toJSONString(order));
    }

    @Test
    void takesTheConfirmationOfAnOrder_andNoOther() {
        Order order = Orders.ofJsonBytes(2 << 10);
        Confirmation confirmation = new OrderDesk().place(order);

        Orders.check(order, confirmation);
        confirmation.setTotal(confirmation.getTotal().add(BigDecimal.ONE));

        assertThatIllegalStateException()
                .isThrownBy(() -> Orders.check(order, confirmation))
                .withMessageStartingWith("not a confirmation of this order");
    }
}
