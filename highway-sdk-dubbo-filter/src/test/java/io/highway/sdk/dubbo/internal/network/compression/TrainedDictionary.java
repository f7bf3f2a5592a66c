// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.compression;

import com.github.luben.zstd.ZstdDictTrainer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/** A dictionary for orders as text. */
public final class TrainedDictionary {

    private static final int SAMPLES = 2000;
    private static final String[] NAMES = {"tea", "rice", "silk", "paper", "ink", "salt", "jade", "lamp"};

    private TrainedDictionary() {}

    /** An order of about 1 KB; the same number has the same order. */
    public static String order(int number) {
        Random random = new Random(number);
        StringBuilder text = new StringBuilder("{\"orderNumber\":\"" + random.nextLong() + "\",\"items\":[");
        for (int i = 0; i < 12; i++) {
            text.append("{\"articleName\":\"" + NAMES[random.nextInt(NAMES.length)] + "\",\"pricePerUnit\":"
                    + random.nextInt(100_000) + ",\"currency\":\"CNY\",\"quantity\":" + random.nextInt(100) + "},");
        }
        return text + "],\"deliveryAddress\":\"Nanjing Road " + random.nextInt(1000) + "\"}";
    }

    /** Writes one that is trained from orders that begin at this number. */
    public static Path write(Path file, int first) {
        ZstdDictTrainer trainer = new ZstdDictTrainer(4 * 1024 * 1024, 16 * 1024);
        for (int i = 0; i < SAMPLES; i++) {
            trainer.addSample(order(first + i).getBytes(StandardCharsets.UTF_8));
        }
        try {
            return Files.write(file, trainer.trainSamples());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
