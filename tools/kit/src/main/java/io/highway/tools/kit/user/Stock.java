// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.kit.user;

/** The service of one island. */
record Stock(String island) implements StockService {

    @Override
    public String reserve(Order order) {
        return island + ": " + order;
    }

    @Override
    public String count(String region) {
        return island;
    }
}
