// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.orders;

import com.alibaba.fastjson2.JSON;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.dubbo.common.serialize.ObjectOutput;
import org.apache.dubbo.common.serialize.Serialization;
import org.apache.dubbo.rpc.model.FrameworkModel;

/** Messages of one kind. Those to train a dictionary with and those to measure share field names only, no content. */
public enum Family {
    RANDOM("random bytes", false),

    /** JSON, cut at the size. It contains little information, and its halves differ only by seed. */
    GENERATED_TEXT("generated orders as text", false),

    /** The same orders as objects, whose JSON has the size. */
    GENERATED_OBJECTS("generated orders as objects", false),

    /** JSON with ids, signatures and Chinese addresses. */
    ORDERS_TEXT("shop orders, JSON", true),

    /** The same kind of orders as Java objects. */
    ORDERS_OBJECTS("shop orders, objects", true),

    /** JSON of Chinese sentences, organisations and amounts. */
    TENDERS("tenders in Chinese", true),

    /** JSON, of which half is a scan in base64. */
    DOCUMENTS("documents, half base64", true),

    /** A JSON array of rows that resemble each other. */
    SENSORS("sensor rows", false);

    /** Those with halves that share no content. */
    public static final List<Family> HELD_OUT = List.of(ORDERS_TEXT, ORDERS_OBJECTS, TENDERS, DOCUMENTS, SENSORS);

    /** What Dubbo has by default. */
    public static final Serialization HESSIAN2 = FrameworkModel.defaultModel()
            .getExtensionLoader(Serialization.class)
            .getExtension("hessian2");

    private static final int USUAL_BYTES = 16 << 10;
    private static final int SEEDS_PER_HALF = 1_000_000;
    /** Hardly any part of a message is longer. */
    private static final int PART_BYTES = 600;

    private final String title;
    private final boolean isDocument;

    Family(String title, boolean isDocument) {
        this.title = title;
        this.isDocument = isDocument;
    }

    /** The halves of a family: their days, keys, places and words differ. */
    public enum Half {
        TRAINED,
        MEASURED
    }

    /** For tables. */
    public String title() {
        return title;
    }

    /** For files and the names of fields. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether it must contain as much information as real documents. */
    public boolean isDocument() {
        return isDocument;
    }

    /** The first messages of a half. */
    public List<Object> messages(Half half, int bytes, int count) {
        return IntStream.range(0, count)
                .mapToObj(number -> message(half, bytes, number))
                .toList();
    }

    /** A message of about this length, an {@link Order} or bytes; the same for the same number. */
    public Object message(Half half, int bytes, int number) {
        long seed = new Random(half == Half.TRAINED ? SEEDS_PER_HALF + number : number).nextLong();
        RandomContent content = new RandomContent(half == Half.TRAINED, seed, bytes);
        return switch (this) {
            case RANDOM -> content.bytes(bytes);
            case GENERATED_TEXT -> Orders.json(bytes, seed);
            case GENERATED_OBJECTS -> Orders.ofJsonBytes(bytes, seed);
            case ORDERS_TEXT -> filled("ORDERS", content, bytes, Family::utf8);
            case ORDERS_OBJECTS -> filled("ORDERS", content, bytes, text -> JSON.parseObject(text, Order.class));
            case TENDERS, DOCUMENTS, SENSORS -> filled(name(), content, bytes, Family::utf8);
        };
    }

    /** Adds parts until the message has about the length. */
    private static Object filled(String name, RandomContent content, int bytes, Function<String, Object> message) {
        String begin = content.fill(name, 0);
        String end = content.fill(name, 2);
        List<String> parts = new ArrayList<>();
        Object filled = "";
        for (int left = bytes; left > PART_BYTES / 3; left = bytes - encoded(filled).length) {
            Stream.generate(() -> content.fill(name, 1))
                    .limit(Math.max(1, left / (2 * PART_BYTES)))
                    .forEach(parts::add);
            filled = message.apply(begin + String.join(",", parts) + end);
        }
        return filled;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Bytes as they are, and objects in hessian2. */
    public static byte[] encoded(Object message) {
        return message instanceof byte[] bytes ? bytes : hessian2(message);
    }

    /** As Dubbo writes them by default. */
    public static byte[] hessian2(Object... values) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(USUAL_BYTES);
        try {
            ObjectOutput out = HESSIAN2.serialize(null, bytes);
            for (Object value : values) {
                out.writeObject(value);
            }
            out.flushBuffer();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }
}
