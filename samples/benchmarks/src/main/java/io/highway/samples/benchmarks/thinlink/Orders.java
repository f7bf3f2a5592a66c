// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.benchmarks.thinlink;

import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/** Orders of a shop as JSON: keys repeat, while numbers, names, times and amounts are all different, as in real ones. */
final class Orders {

    private static final List<String> GOODS = List.of(
            "Green tea Longjing 250 g",
            "Cotton shirt, white, size M",
            "LED desk lamp with dimmer",
            "Running shoes, grey, 42",
            "Thermos flask 0.75 l, steel",
            "Notebook A5, dotted, 192 pages",
            "Wireless mouse, black",
            "Silk scarf 90 x 90 cm, blue",
            "Rice cooker 3 l",
            "Soy sauce, dark, 500 ml",
            "Backpack 22 l, water-repellent",
            "Children's book: The Journey West",
            "Porcelain cups, set of four",
            "USB-C cable 2 m, braided",
            "Hand cream, osmanthus, 75 ml",
            "Umbrella, foldable, windproof");

    private static final List<String> NAMES = List.of(
            "Wang Fang",
            "Li Na",
            "Zhang Wei",
            "Liu Yang",
            "Chen Jie",
            "Yang Min",
            "Huang Lei",
            "Zhao Jun",
            "Wu Ting",
            "Zhou Qiang",
            "Xu Yan",
            "Sun Li",
            "Ma Chao",
            "Zhu Ling",
            "Hu Bin",
            "Guo Xia");

    private static final List<String> STREETS = List.of(
            "Wensan Road",
            "Nanjing West Road",
            "Huaihai Road",
            "Zhongshan Road",
            "Tianmushan Road",
            "Century Avenue",
            "Jiefang Street",
            "Hubin Road");

    private static final List<String> CITIES =
            List.of("Hangzhou", "Ningbo", "Wenzhou", "Jiaxing", "Shaoxing", "Jinhua", "Taizhou", "Huzhou");

    private static final List<String> STATES = List.of("PAID", "PACKED", "SHIPPED", "DELIVERED", "RETURNED");

    private final Random random;
    private final StringBuilder text = new StringBuilder();

    private Orders(Random random) {
        this.random = random;
    }

    /** As many orders as fit, and the beginning of one more. */
    static byte[] of(int bytes, Random random) {
        Orders orders = new Orders(random);
        orders.text.append("{\"page\":").append(random.nextInt(1000)).append(",\"orders\":[");
        while (orders.text.length() < bytes) {
            orders.order();
        }
        return Arrays.copyOf(orders.text.toString().getBytes(StandardCharsets.US_ASCII), bytes);
    }

    private void order() {
        LocalDateTime placed = LocalDateTime.of(2024, 1, 1, 0, 0).plusSeconds(random.nextInt(31_000_000));
        text.append(String.format(
                Locale.ROOT,
                "{\"orderId\":\"ZJ%014d\",\"createdAt\":\"%s\",\"updatedAt\":\"%s\",\"status\":\"%s\",\"currency\":\"CNY\","
                        + "\"customer\":{\"id\":%d,\"name\":\"%s\",\"phone\":\"1%010d\",\"vip\":%b},"
                        + "\"address\":{\"province\":\"Zhejiang\",\"city\":\"%s\",\"street\":\"%s\",\"houseNumber\":%d,"
                        + "\"postalCode\":\"31%04d\"},\"items\":[",
                number(100_000_000_000_000L),
                placed,
                placed.plusSeconds(random.nextInt(400_000)),
                one(STATES),
                number(90_000_000),
                one(NAMES),
                number(10_000_000_000L),
                random.nextBoolean(),
                one(CITIES),
                one(STREETS),
                1 + random.nextInt(900),
                random.nextInt(10_000)));
        int total = 0;
        int lines = 1 + random.nextInt(5);
        for (int line = 1; line <= lines; line++) {
            total += line(line);
        }
        text.append(String.format(
                Locale.ROOT,
                "],\"total\":%s,\"payment\":{\"method\":\"%s\",\"transactionId\":\"%016x\",\"paidAt\":\"%s\"},\"remark\":null},",
                yuan(total),
                random.nextBoolean() ? "ALIPAY" : "WECHAT",
                random.nextLong(),
                placed.plusSeconds(random.nextInt(900))));
    }

    private int line(int line) {
        int quantity = 1 + random.nextInt(4);
        int price = 900 + random.nextInt(60_000);
        text.append(line == 1 ? "" : ",")
                .append(String.format(
                        Locale.ROOT,
                        "{\"sku\":\"SKU-%07d\",\"name\":\"%s\",\"quantity\":%d,\"unitPrice\":%s,\"discount\":%s,"
                                + "\"taxRate\":0.13,\"warehouse\":\"HZ-%02d\",\"giftWrap\":false}",
                        random.nextInt(10_000_000),
                        one(GOODS),
                        quantity,
                        yuan(price),
                        yuan(random.nextInt(4) == 0 ? price / 10 : 0),
                        1 + random.nextInt(6)));
        return price * quantity;
    }

    private String one(List<String> of) {
        return of.get(random.nextInt(of.size()));
    }

    private long number(long below) {
        return (long) (random.nextDouble() * below);
    }

    private static String yuan(int fen) {
        return String.format(Locale.ROOT, "%d.%02d", fen / 100, fen % 100);
    }
}
