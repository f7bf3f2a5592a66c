// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.legacy;

import io.highway.tools.benchmarks.orders.Order;
import io.highway.tools.benchmarks.orders.Orders;
import java.util.List;

/**
 * An order of a size.
 *
 * @param kilobytes about so long as JSON
 * @param order the same in every run
 */
record Size(int kilobytes, Order order) {

    private static final int KILOBYTE = 1024;

    /** All that are compared. */
    static List<Size> all() {
        return List.of(of(2), of(8), of(80));
    }

    private static Size of(int kilobytes) {
        return new Size(kilobytes, Orders.ofJsonBytes(kilobytes * KILOBYTE));
    }

    /** As in names of fields, such as {@code 2k}. */
    String key() {
        return kilobytes + "k";
    }

    /** For people, such as {@code 2 KB}. */
    String title() {
        return kilobytes + " KB";
    }
}
