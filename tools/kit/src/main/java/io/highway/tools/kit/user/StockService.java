// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.kit.user;

import io.highway.sdk.Island;
import io.highway.sdk.IslandKey;
import java.io.Serializable;

/** A service of other islands. */
@Island("shanghai")
public interface StockService {

    /** Reserves one more each time. */
    String reserve(Order order) throws SoldOutException;

    /** Asks the island of a region. */
    String count(@IslandKey String region);

    /** What is reserved. */
    final class Order implements Serializable {

        private static final long serialVersionUID = 1L;

        private final String item;
        private final Customer customer;

        /** Of one item. */
        public Order(String item, String customer) {
            this.item = item;
            this.customer = new Customer(customer);
        }

        @Override
        public String toString() {
            return item + " for " + customer.name;
        }
    }

    /** Who orders. */
    final class Customer implements Serializable {

        private static final long serialVersionUID = 1L;

        private final String name;

        Customer(String name) {
            this.name = name;
        }
    }

    /** There is none left. */
    final class SoldOutException extends Exception {

        private static final long serialVersionUID = 1L;

        /** With the item in its message. */
        public SoldOutException(String message) {
            super(message);
        }
    }
}
