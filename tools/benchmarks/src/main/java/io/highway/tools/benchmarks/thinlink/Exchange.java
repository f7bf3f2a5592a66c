// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.thinlink;

import io.highway.tools.benchmarks.measure.Comparison;
import io.highway.tools.benchmarks.measure.Spread;
import io.highway.tools.benchmarks.orders.Family;
import io.highway.tools.benchmarks.orders.Order;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What triple tunnels with different compressions have in common.
 *
 * @param width of the link in Mbit/s
 * @param family of what is exchanged
 * @param bytes of it
 * @param isDownload whether it is the answer, and not the request
 */
record Exchange(int width, Family family, int bytes, boolean isDownload) {

    /** Those that the parts zstd and downloads compare: generated orders, and what cannot be compressed. */
    static final List<Family> FAMILIES = List.of(Family.GENERATED_TEXT, Family.GENERATED_OBJECTS, Family.RANDOM);

    /** For tables. */
    String title() {
        return String.format(
                Locale.ROOT,
                "%d Mbit/s, %s of %s, %s, %d callers",
                width,
                isDownload ? "downloads" : "uploads",
                bytes / 1024 + " KB",
                family.title(),
                Group.MANY);
    }

    /** Not measured yet. */
    Comparison<Exchange, String, ExchangeSide> compare(Map<String, OrderExchange> tunnels) {
        Map<String, ExchangeSide> sides = new LinkedHashMap<>();
        tunnels.forEach((name, far) -> sides.put(name, new ExchangeSide(name, call(far), far::processorNanos)));
        return new Comparison<>(this, Collections.unmodifiableMap(sides));
    }

    /** Calls with one message after the other. */
    Callable<?> call(OrderExchange far) {
        List<Object> messages = family.messages(Family.Half.MEASURED, bytes, Group.MANY);
        AtomicInteger next = new AtomicInteger();
        return () -> {
            int number = Math.floorMod(next.getAndIncrement(), Group.MANY);
            Object message = messages.get(number);
            int arrived = isDownload ? length(answer(far, message, number)) : put(far, message);
            if (arrived != length(message)) {
                throw new IllegalStateException(arrived + " of " + length(message) + " arrived");
            }
            return arrived;
        };
    }

    static int put(OrderExchange far, Object message) {
        return message instanceof Order order ? far.putOrder(order) : far.put((byte[]) message);
    }

    private Object answer(OrderExchange far, Object like, int number) {
        return like instanceof Order
                ? far.getOrder(family.name(), bytes, number)
                : far.get(family.name(), bytes, number);
    }

    /** The number of lines, or of bytes. */
    private static int length(Object message) {
        return message instanceof Order order ? order.getLines().size() : ((byte[]) message).length;
    }

    /** How full the link was in the direction of the body: 1 is as full as it gets. */
    Spread linkUse(ExchangeSide side) {
        return side.use(width * Link.BYTES_PER_MEGABIT, isDownload ? Link.Traffic::bytesBack : Link.Traffic::bytes);
    }
}
