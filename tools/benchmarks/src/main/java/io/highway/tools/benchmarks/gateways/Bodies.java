// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.gateways;

import io.highway.tools.gateways.BodySizes;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;

/**
 * What is uploaded.
 *
 * @param title as tables have it
 * @param bytes of each, or 0 if sizes are mixed
 * @param all of which one is taken for each call
 */
record Bodies(String title, int bytes, List<byte[]> all) {

    private static final int KILOBYTE = 1024;
    private static final int MIXED = 256;

    static Bodies of(int bytes) {
        byte[] body = new byte[bytes];
        new Random(bytes).nextBytes(body);
        return new Bodies(bytes / KILOBYTE + " KB", bytes, List.of(body));
    }

    static Bodies mixed() {
        Random random = new Random(MIXED);
        List<byte[]> all = new ArrayList<>();
        for (int i = 0; i < MIXED; i++) {
            byte[] body = new byte[BodySizes.next(random)];
            random.nextBytes(body);
            all.add(body);
        }
        return new Bodies("0.5 to 200 KB", 0, all);
    }

    byte[] next() {
        return all.get(ThreadLocalRandom.current().nextInt(all.size()));
    }
}
