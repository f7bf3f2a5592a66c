// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.orders;

import io.highway.sdk.Highway;
import java.math.BigDecimal;

/** Confirms every order. */
final class OrderDesk implements OrderService {

    @Override
    public Confirmation place(Order order) {
        Confirmation confirmation = new Confirmation();
        confirmation.setOrder(order.getNumber());
        confirmation.setReceipt("R-" + order.getCustomer().getId() + "-" + order.getNumber());
        confirmation.setStatus("ACCEPTED");
        confirmation.setLines(order.getLines().size());
        confirmation.setTotal(order.getLines().stream().map(Orders::amount).reduce(BigDecimal.ZERO, BigDecimal::add));
        confirmation.setAccepted(order.getPlaced());
        return confirmation;
    }

    @Override
    public String from() {
        return Highway.caller().map(caller -> caller.island()).orElse("");
    }
}
