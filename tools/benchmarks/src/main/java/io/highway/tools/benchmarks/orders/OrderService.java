// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.orders;

/** Takes orders. */
public interface OrderService {

    /** Confirms an order: how many lines it has and what they come to. */
    Confirmation place(Order order);

    /** Returns the island that the call came from; empty if it did not come through a tunnel. */
    String from();
}
