// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.legacy;

import io.highway.tools.benchmarks.calls.CallerApplication;
import io.highway.tools.benchmarks.calls.Protocol;
import io.highway.tools.benchmarks.legacy.version1.GenericCaller;
import io.highway.tools.benchmarks.orders.Confirmation;
import io.highway.tools.benchmarks.orders.Order;
import io.highway.tools.benchmarks.orders.OrderService;
import io.highway.tools.benchmarks.orders.Orders;
import java.util.Map;

/** A path of orders to the provider, with its own application. */
final class OrderPath implements AutoCloseable {

    private final CallerApplication application;
    private final OrderService orders;

    private OrderPath(CallerApplication application, OrderService orders) {
        this.application = application;
        this.orders = orders;
    }

    /** Plain Dubbo from caller to provider, {@code host:port}. */
    static OrderPath direct(String provider) {
        CallerApplication plain = CallerApplication.plain();
        return checked(plain, plain.direct(OrderService.class, Protocol.DUBBO, provider), "");
    }

    /** Through version 1 of home's gateway, {@code host:port}. */
    static OrderPath version1(String gateway) {
        CallerApplication plain = CallerApplication.plain();
        return checked(plain, new GenericCaller(plain, gateway), "");
    }

    /** Through a tunnel that begins at home's gateway, {@code host:port}. */
    static OrderPath tunnel(Protocol protocol, String gateway) {
        CallerApplication application = CallerApplication.tunnelling(protocol, gateway, Map.of());
        return checked(application, application.routed(OrderService.class), "zhejiang");
    }

    private static OrderPath checked(CallerApplication application, OrderService orders, String expected) {
        OrderPath path = new OrderPath(application, orders);
        String from = orders.from();
        if (!from.equals(expected)) {
            path.close();
            throw new IllegalStateException("a call came from \"" + from + "\", not from \"" + expected + "\"");
        }
        return path;
    }

    /**
     * Makes one call.
     *
     * @throws IllegalStateException if the answer is not to this order
     */
    Confirmation place(Order order) {
        Confirmation confirmation = orders.place(order);
        Orders.check(order, confirmation);
        return confirmation;
    }

    @Override
    public void close() {
        application.close();
    }
}
