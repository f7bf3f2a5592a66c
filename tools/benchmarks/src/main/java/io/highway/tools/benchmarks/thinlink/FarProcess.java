// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.thinlink;

import com.sun.management.OperatingSystemMXBean;
import io.highway.tools.benchmarks.calls.ProviderProcess;
import io.highway.tools.benchmarks.orders.Family;
import io.highway.tools.benchmarks.orders.Order;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The provider in shanghai. */
final class FarProcess {

    private FarProcess() {}

    /** Arguments: the port for the Dubbo protocol and the one for Triple. */
    public static void main(String[] arguments) {
        ProviderProcess.withUploads(arguments[0], arguments[1])
                .export(OrderExchange.class, new Exchange())
                .serve(ProviderProcess.ISLAND);
    }

    private static final class Exchange implements OrderExchange {

        private final Map<Message, Object> messages = new ConcurrentHashMap<>();

        private record Message(Family family, int bytes, int number) {}

        @Override
        public int put(byte[] body) {
            return body.length;
        }

        @Override
        public int putOrder(Order order) {
            return order.getLines().size();
        }

        @Override
        public byte[] get(String family, int bytes, int number) {
            return (byte[]) message(family, bytes, number);
        }

        @Override
        public Order getOrder(String family, int bytes, int number) {
            return (Order) message(family, bytes, number);
        }

        private Object message(String family, int bytes, int number) {
            return messages.computeIfAbsent(
                    new Message(Family.valueOf(family), bytes, number),
                    message -> message.family.message(Family.Half.MEASURED, bytes, number));
        }

        @Override
        public long processorNanos() {
            return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
        }
    }
}
