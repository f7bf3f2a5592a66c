// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.thinlink;

import com.sun.management.OperatingSystemMXBean;
import io.highway.tools.benchmarks.calls.ProviderProcess;
import io.highway.tools.benchmarks.orders.Order;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;

/** The provider in shanghai. */
final class FarProcess {

    private FarProcess() {}

    /** Arguments: the port for the Dubbo protocol and the one for Triple. */
    public static void main(String[] arguments) {
        ProviderProcess.serveBesideUploads(OrderExchange.class, new Exchange(), arguments[0], arguments[1]);
    }

    private static final class Exchange implements OrderExchange {

        private final Map<Body, byte[]> bodies = new ConcurrentHashMap<>();
        private final Map<Integer, List<Order>> orders = new ConcurrentHashMap<>();

        private record Body(Content content, int bytes, int number) {}

        @Override
        public int put(byte[] body) {
            return body.length;
        }

        @Override
        public int putOrder(Order order) {
            return order.getLines().size();
        }

        @Override
        public byte[] get(boolean random, int bytes, int number) {
            return bodies.computeIfAbsent(
                    new Body(random ? Content.RANDOM : Content.JSON, bytes, number),
                    body -> body.content.body(bytes, new Random(number)));
        }

        @Override
        public Order getOrder(int bytes, int number) {
            return orders.computeIfAbsent(bytes, Content::orders).get(number);
        }

        @Override
        public long processorNanos() {
            return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
        }
    }
}
