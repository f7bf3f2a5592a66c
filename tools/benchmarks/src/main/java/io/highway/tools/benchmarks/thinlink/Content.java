// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.thinlink;

import io.highway.tools.benchmarks.orders.Order;
import io.highway.tools.benchmarks.orders.Orders;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;

/** The content of bodies: as many different ones as there are callers, round-robin, the same for all paths. */
enum Content {
    RANDOM {
        @Override
        byte[] body(int bytes, Random random) {
            byte[] body = new byte[bytes];
            random.nextBytes(body);
            return body;
        }
    },
    JSON {
        @Override
        byte[] body(int bytes, Random random) {
            return Orders.json(bytes, random.nextLong());
        }
    };

    /** How many different ones there are. */
    static final int DIFFERENT = 64;

    abstract byte[] body(int bytes, Random random);

    /** The name in tables and files. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Supplies one body after the other, on any thread; the same ones for the same size. */
    Supplier<byte[]> bodies(int bytes) {
        List<byte[]> bodies = all(bytes);
        AtomicInteger next = new AtomicInteger();
        return () -> bodies.get(Math.floorMod(next.getAndIncrement(), DIFFERENT));
    }

    /** All different ones. */
    List<byte[]> all(int bytes) {
        return IntStream.range(0, DIFFERENT)
                .mapToObj(seed -> body(bytes, new Random(seed)))
                .toList();
    }

    /** As many different orders, whose JSON has this length or hardly more. */
    static List<Order> orders(int bytes) {
        return IntStream.range(0, DIFFERENT)
                .mapToObj(seed -> Orders.ofJsonBytes(bytes, new Random(seed).nextLong()))
                .toList();
    }

    /** The compression ratio of gzip, for each body separately. */
    double gzipRatio(int bytes) {
        long zipped = 0;
        for (byte[] body : all(bytes)) {
            zipped += gzip(body);
        }
        return (double) bytes * DIFFERENT / zipped;
    }

    private static int gzip(byte[] body) {
        ByteArrayOutputStream zipped = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(zipped)) {
            gzip.write(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return zipped.size();
    }
}
