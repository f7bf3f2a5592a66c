// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.orders;

import com.alibaba.fastjson2.JSON;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/** Makes orders of a size, the same ones in every run: what is in them is drawn from a fixed seed. */
@SuppressWarnings("JavaUtilDate") // what such classes are made of
public final class Orders {

    private static final long SEED = 20_231_111;
    private static final long YEAR_2023 = 1_672_531_200_000L;
    private static final long DAYS_A_YEAR = 365;
    private static final int CENTS = 2;

    private static final List<String> FAMILY_NAMES =
            List.of("Wang", "Li", "Zhang", "Liu", "Chen", "Yang", "Zhao", "Huang", "Zhou", "Wu");
    private static final List<String> GIVEN_NAMES =
            List.of("Wei", "Fang", "Na", "Xiuying", "Min", "Jing", "Qiang", "Lei", "Yang", "Yan");
    private static final List<String> STREETS =
            List.of("Nanjing West Road", "Huaihai Middle Road", "Century Avenue", "Zhongshan North Road", "Wenyi Road");
    private static final List<String> DISTRICTS = List.of("Jing'an", "Pudong", "Xuhui", "Xihu", "Binjiang", "Yuhang");
    private static final List<String> CITIES = List.of("Shanghai", "Hangzhou", "Ningbo", "Wenzhou", "Shaoxing");
    private static final List<String> THINGS = List.of(
            "rain jacket",
            "desk lamp",
            "tea set",
            "hiking boots",
            "phone case",
            "rice cooker",
            "notebook",
            "headphones");
    private static final List<String> QUALITIES =
            List.of("light", "waterproof", "foldable", "classic", "wireless", "handmade", "large", "extra strong");
    private static final List<String> COLOURS = List.of("black", "navy", "olive", "sand", "white", "crimson");
    private static final List<String> REMARKS = List.of(
            "please ring twice",
            "leave at the reception desk",
            "gift wrapping, no invoice in the parcel",
            "call before delivery",
            "deliver after six in the evening");

    private final Random random;

    private Orders(long seed) {
        this.random = new Random(seed);
    }

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
        Orders orders = new Orders(seed);
        Order order = orders.withoutLines();
        int written = jsonBytes(order);
        while (written < bytes) {
            OrderLine line = orders.line();
            order.getLines().add(line);
            order.setTotal(order.getTotal().add(amount(line)));
            written += jsonBytes(line) + 1;
        }
        return JSON.parseObject(
                JSON.toJSONString(order), Order.class); // so that no two fields share a text, as in real ones
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

    private Order withoutLines() {
        Order order = new Order();
        order.setNumber("SO-2023-" + digits(10));
        order.setChannel("mobile-app");
        order.setCurrency("CNY");
        Date placed = new Date(
                YEAR_2023 + random.nextInt((int) Duration.ofDays(DAYS_A_YEAR).toSeconds()) * 1000L);
        order.setPlaced(placed);
        order.setDeliverBefore(new Date(placed.getTime() + Duration.ofDays(3).toMillis()));
        order.setCustomer(customer());
        order.setShipTo(address());
        order.setRemark(one(REMARKS));
        return order;
    }

    private Customer customer() {
        Customer customer = new Customer();
        String given = one(GIVEN_NAMES);
        String family = one(FAMILY_NAMES);
        customer.setId("C" + digits(8));
        customer.setName(given + " " + family);
        customer.setEmail((given + "." + family).toLowerCase(Locale.ROOT) + digits(2) + "@mail.test");
        customer.setPhone("+86 13" + digits(9));
        customer.setLevel(random.nextInt(1, 6));
        customer.setAddress(address());
        return customer;
    }

    private Address address() {
        Address address = new Address();
        address.setStreet(one(STREETS) + " " + random.nextInt(1, 2000) + ", room " + random.nextInt(101, 2900));
        address.setDistrict(one(DISTRICTS));
        address.setCity(one(CITIES));
        address.setProvince("Zhejiang");
        address.setPostcode("31" + digits(4));
        address.setCountry("CN");
        return address;
    }

    private OrderLine line() {
        OrderLine line = new OrderLine();
        line.setSku("SKU-" + digits(3) + "-" + digits(6));
        line.setTitle(one(QUALITIES) + " " + one(THINGS) + ", " + one(QUALITIES));
        line.setColour(one(COLOURS));
        line.setWarehouse("WH-" + one(CITIES) + "-" + digits(2));
        line.setQuantity(random.nextInt(1, 10));
        line.setPrice(BigDecimal.valueOf(random.nextInt(990, 99_900), CENTS));
        line.setDiscount(BigDecimal.valueOf(random.nextInt(0, 900), CENTS));
        line.setGift(random.nextInt(10) == 0);
        line.setRemark(random.nextInt(4) == 0 ? one(REMARKS) : "");
        return line;
    }

    private String one(List<String> of) {
        return of.get(random.nextInt(of.size()));
    }

    private String digits(int count) {
        StringBuilder digits = new StringBuilder(count);
        for (int i = 0; i < count; i++) {
            digits.append((char) ('0' + random.nextInt(10)));
        }
        return digits.toString();
    }
}
