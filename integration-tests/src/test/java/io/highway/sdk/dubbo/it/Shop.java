// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import io.highway.sdk.Island;
import io.highway.sdk.IslandKey;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** A service with every kind of call and every source of an intent. */
public interface Shop {

    String sell(String item);

    CompletableFuture<String> sellLater(String item);

    void note(String item);

    Order order(Order order);

    String refuse(String why) throws SoldOutException;

    CompletableFuture<String> refuseLater(String why);

    String nothing(String maybe);

    byte[] pack(byte[] content);

    String slow(int millis);

    default String keep(Order order) {
        throw new UnsupportedOperationException();
    }

    String sellIn(@IslandKey String province, String item);

    String ship(@IslandKey("address.code") Order order);

    String find(@IslandKey("code") Map<String, String> address);

    @Island("beijing")
    String sellInBeijing(String item);

    /** Not a record: hessian-lite reads classes of any age. */
    class Order implements Serializable {

        private static final long serialVersionUID = 1L;

        private String item = "";
        private AddressBean address;

        public Order() {}

        public Order(String item, AddressBean address) {
            this.item = item;
            this.address = address;
        }

        public String getItem() {
            return item;
        }

        public void setItem(String item) {
            this.item = item;
        }

        public AddressBean getAddress() {
            return address;
        }

        public void setAddress(AddressBean address) {
            this.address = address;
        }
    }

    /** An order whose item does not count when two are compared. */
    class Secret extends Order {

        private static final long serialVersionUID = 1L;

        public Secret() {}

        public Secret(String item) {
            super(item, null);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Secret;
        }

        @Override
        public int hashCode() {
            return 1;
        }
    }

    /** An order that waits while it is serialised, and is an ordinary one then. */
    class SlowOrder extends Order {

        private static final long serialVersionUID = 1L;

        final transient CompletableFuture<Void> begun = new CompletableFuture<>();
        final transient CompletableFuture<Void> goOn = new CompletableFuture<>();

        /** Called by Hessian. */
        protected Object writeReplace() {
            begun.complete(null);
            goOn.join();
            return new Order("tea", null);
        }
    }

    /** An order that cannot be read. */
    class UnreadableOrder extends Order {

        private static final long serialVersionUID = 1L;

        /** Called by Hessian. */
        protected Object readResolve() {
            throw new IllegalStateException("unreadable");
        }
    }

    /** An order with lists in lists. */
    class DeepOrder extends Order {

        private static final long serialVersionUID = 1L;

        private List<Object> parts = new ArrayList<>();

        /** Called by serializations. */
        public DeepOrder() {}

        /** With lists of this depth. */
        public DeepOrder(int depth) {
            for (int i = 0; i < depth; i++) {
                parts = new ArrayList<>(List.of(parts));
            }
        }
    }

    /** An order that cannot be written. */
    class UnwritableOrder extends Order {

        private static final long serialVersionUID = 1L;

        /** Called by Hessian. */
        protected Object writeReplace() {
            throw new IllegalStateException("unwritable");
        }
    }

    /** Where an order goes. */
    class AddressBean implements Serializable {

        private static final long serialVersionUID = 1L;

        private String code;

        public AddressBean() {}

        public AddressBean(String code) {
            this.code = code;
        }

        public String getCode() {
            return code;
        }

        public void setCode(String code) {
            this.code = code;
        }
    }

    /** The service's own exception, checked. */
    class SoldOutException extends Exception {

        private static final long serialVersionUID = 1L;

        public SoldOutException(String message) {
            super(message);
        }
    }
}
