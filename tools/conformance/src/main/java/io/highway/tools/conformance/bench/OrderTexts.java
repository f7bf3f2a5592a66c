// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.bench;

import io.highway.samples.dictionary.Dictionary;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Orders as JSON that resemble each other, and a dictionary for them. */
public final class OrderTexts {

    private static final int LINES = 18;
    private static final int TRAINED = 1000;
    private static final int DICTIONARY_BYTES = 16 << 10;
    private static final List<String> GOODS =
            List.of("rain jacket", "desk lamp", "tea set", "rice cooker", "headphones");
    private static final List<String> CITIES = List.of("Shanghai", "Hangzhou", "Ningbo", "Wenzhou", "Shaoxing");

    private OrderTexts() {}

    /** About 2 KB, different for each number. */
    public static String text(int number) {
        Random random = new Random(number);
        StringBuilder text = new StringBuilder("{\"number\":\"SO-2026-" + number + "\",\"lines\":[");
        for (int i = 0; i < LINES; i++) {
            text.append(i == 0 ? "" : ",")
                    .append(
                            "{\"sku\":\"SKU-%06d\",\"title\":\"%s\",\"quantity\":%d,\"warehouse\":\"WH-%s-%02d\",\"price\":%d.%02d,\"gift\":%s}"
                                    .formatted(
                                            random.nextInt(1_000_000),
                                            one(GOODS, random),
                                            random.nextInt(1, 100),
                                            one(CITIES, random),
                                            random.nextInt(100),
                                            random.nextInt(1000),
                                            random.nextInt(100),
                                            random.nextBoolean()));
        }
        return text + "]}";
    }

    private static String one(List<String> of, Random random) {
        return of.get(random.nextInt(of.size()));
    }

    /** A file with a dictionary, trained with orders of negative numbers. */
    static Path dictionary() throws IOException {
        List<byte[]> orders = IntStream.rangeClosed(1, TRAINED)
                .mapToObj(i -> text(-i).getBytes(StandardCharsets.UTF_8))
                .toList();
        Path file = Files.createTempFile("orders", ".dict");
        file.toFile().deleteOnExit();
        return Files.write(file, Dictionary.train(orders, DICTIONARY_BYTES).bytes());
    }
}
