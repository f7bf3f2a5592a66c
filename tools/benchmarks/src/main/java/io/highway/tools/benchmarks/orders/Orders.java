// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.orders;

import com.alibaba.fastjson2.JSON;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Makes orders of a size, the same ones in every run: what is in them is drawn from a fixed seed. */
@SuppressWarnings("JavaUtilDate") // what such classes are made of
public final class Orders {

    private static final long SEED = 20_231_111;
    private static final String TEMPLATE = "GENERATED";

    private Orders() {}

    /** An order whose text as JSON has at least so many bytes in UTF-8, and hardly more than a line above them. */
    public static Order ofJsonBytes(int bytes) {
        return ofJsonBytes(bytes, SEED);
    }

    /** The text of such an order as JSON, cut at the length; the same for the same seed. */
    public static byte[] json(int bytes, long seed) {
        return Arrays.copyOf(JSON.toJSONString(ofJsonBytes(bytes, seed)).getBytes(StandardCharsets.UTF_8), bytes);
    }

    /** The same of another seed. */
    public static Order ofJsonBytes(int bytes, long seed) {
        RandomContent content = new RandomContent(false, seed, bytes);
        Order order = JSON.parseObject(content.fill(TEMPLATE, 0) + content.fill(TEMPLATE, 2), Order.class);
        int written = jsonBytes(order);
        while (written < bytes) {
            OrderLine line = JSON.parseObject(content.fill(TEMPLATE, 1), OrderLine.class);
            order.getLines().add(line);
            order.setTotal(order.getTotal().add(amount(line)));
            written += jsonBytes(line) + 1;
        }
        return order;
    }

    /** How long it is as JSON, in bytes of UTF-8. */
    public static int jsonBytes(Object bean) {
        return JSON.toJSONString(bean).getBytes(StandardCharsets.UTF_8).length;
    }

    /** What a line comes to. */
    static BigDecimal amount(OrderLine line) {
        return line.getPrice().subtract(line.getDiscount()).multiply(BigDecimal.valueOf(line.getQuantity()));
    }

    /** Makes sure that it confirms this order, all of it. */
    public static void check(Order order, Confirmation confirmation) {
        if (!order.getNumber().equals(confirmation.getOrder())
                || order.getLines().size() != confirmation.getLines()
                || order.getTotal().compareTo(confirmation.getTotal()) != 0
                || order.getPlaced().getTime() != confirmation.getAccepted().getTime()) {
            throw new IllegalStateException("not a confirmation of this order: " + JSON.toJSONString(confirmation));
        }
    }
}
