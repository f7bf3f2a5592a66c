// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import io.highway.sdk.Island;
import io.highway.sdk.IslandKey;
import java.io.Serializable;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** A service with every source of an intent. */
interface Shop {

    String sell(String item);

    CompletableFuture<String> sellLater(String item);

    void note(String item);

    String refuse(String why) throws SoldOutException;

    CompletableFuture<String> refuseLater(String why);

    String sellIn(@IslandKey String province, String item);

    String ship(@IslandKey("address.code") Order order);

    String find(@IslandKey("code") Map<String, String> address);

    @Island("beijing")
    String sellInBeijing(String item);

    /** Not a record: hessian-lite reads classes of any age. */
    class Order implements Serializable {

        private static final long serialVersionUID = 1L;

        private final String item;
        private final Address address;

        Order(String item, Address address) {
            this.item = item;
            this.address = address;
        }

        public String getItem() {
            return item;
        }

        public Address getAddress() {
            return address;
        }
    }

    /** Where an order goes. */
    class Address implements Serializable {

        private static final long serialVersionUID = 1L;

        private final String code;

        Address(String code) {
            this.code = code;
        }

        public String getCode() {
            return code;
        }
    }

    /** The service's own exception, checked. */
    class SoldOutException extends Exception {

        private static final long serialVersionUID = 1L;

        SoldOutException(String message) {
            super(message);
        }
    }
}
