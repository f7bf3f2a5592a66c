// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.thinlink;

import io.highway.tools.benchmarks.orders.Order;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;

/** What is exchanged, by all paths the same. */
enum Form {
    /** Orders as JSON text, in bytes. */
    TEXT("orders as text") {
        @Override
        Callable<?> upload(OrderExchange far, int bytes) {
            return uploads(far, Content.JSON, bytes);
        }

        @Override
        Callable<?> download(OrderExchange far, int bytes) {
            return downloads(far, false, bytes);
        }
    },

    /** The same orders as objects, in hessian2. */
    OBJECTS("orders as objects") {
        @Override
        Callable<?> upload(OrderExchange far, int bytes) {
            List<Order> orders = Content.orders(bytes);
            AtomicInteger next = new AtomicInteger();
            return () -> {
                Order order = orders.get(number(next));
                return check(far.putOrder(order), order.getLines().size());
            };
        }

        @Override
        Callable<?> download(OrderExchange far, int bytes) {
            List<Integer> lines = Content.orders(bytes).stream()
                    .map(order -> order.getLines().size())
                    .toList();
            AtomicInteger next = new AtomicInteger();
            return () -> {
                int number = number(next);
                return check(far.getOrder(bytes, number).getLines().size(), lines.get(number));
            };
        }
    },

    RANDOM("random bytes") {
        @Override
        Callable<?> upload(OrderExchange far, int bytes) {
            return uploads(far, Content.RANDOM, bytes);
        }

        @Override
        Callable<?> download(OrderExchange far, int bytes) {
            return downloads(far, true, bytes);
        }
    };

    private final String title;

    Form(String title) {
        this.title = title;
    }

    /** Calls with large requests. */
    abstract Callable<?> upload(OrderExchange far, int bytes);

    /** Calls with large answers. */
    abstract Callable<?> download(OrderExchange far, int bytes);

    /** For tables and files. */
    String title() {
        return title;
    }

    private static Callable<?> uploads(OrderExchange far, Content content, int bytes) {
        List<byte[]> bodies = content.all(bytes);
        AtomicInteger next = new AtomicInteger();
        return () -> check(far.put(bodies.get(number(next))), bytes);
    }

    private static Callable<?> downloads(OrderExchange far, boolean random, int bytes) {
        AtomicInteger next = new AtomicInteger();
        return () -> check(far.get(random, bytes, number(next)).length, bytes);
    }

    private static int number(AtomicInteger next) {
        return Math.floorMod(next.getAndIncrement(), Content.DIFFERENT);
    }

    private static int check(int arrived, int expected) {
        if (arrived != expected) {
            throw new IllegalStateException(arrived + " of " + expected + " arrived");
        }
        return arrived;
    }
}
