// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.thinlink;

import io.highway.tools.benchmarks.orders.Order;

/** Takes and returns orders and bytes; always the same ones, by the name of their family and their number. */
public interface OrderExchange {

    /** Returns the length of the body. */
    int put(byte[] body);

    /** Returns the number of lines. */
    int putOrder(Order order);

    /** Returns a message of a family of bytes. */
    byte[] get(String family, int bytes, int number);

    /** Returns a message of a family of objects. */
    Order getOrder(String family, int bytes, int number);

    /** Returns the processor time of the provider's process until now, in nanoseconds. */
    long processorNanos();
}
