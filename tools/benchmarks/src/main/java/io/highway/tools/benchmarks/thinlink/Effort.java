// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.thinlink;

import java.time.Duration;
import java.util.List;

/**
 * How much is measured, and how long.
 *
 * @param widths of the link, in Mbit/s, the thinnest first
 * @param compressionWidths the same for compression: with 10 Mbit/s the link is the limit, and not the processors
 * @param rounds of each side
 * @param warmUp of every path; up to four times as long if it is slow
 * @param slice how long a side calls in a round
 * @param longSlice the same where calls have to find their pace first
 * @param mixedSlice the same for large calls with small ones beside them
 */
record Effort(
        List<Integer> widths,
        List<Integer> compressionWidths,
        int rounds,
        Duration warmUp,
        Duration slice,
        Duration longSlice,
        Duration mixedSlice) {

    static final Effort FULL = new Effort(
            List.of(30, 50),
            List.of(10, 30),
            5,
            Duration.ofSeconds(1),
            Duration.ofMillis(800),
            Duration.ofMillis(3500),
            Duration.ofSeconds(6));

    static final Effort QUICK = new Effort(
            List.of(30),
            List.of(10),
            2,
            Duration.ofMillis(400),
            Duration.ofMillis(400),
            Duration.ofMillis(2500),
            Duration.ofSeconds(3));

    /** For a test: every case on a wide link, too short for its numbers to mean anything. */
    static final Effort TRIAL = new Effort(
            List.of(1000, 2000),
            List.of(1000),
            1,
            Duration.ofMillis(20),
            Duration.ofMillis(20),
            Duration.ofMillis(50),
            Duration.ofMillis(60));

    /** How long a caller waits before it compresses requests with a dictionary; zero to do without. */
    Duration dictionaryWarmUp() {
        return equals(TRIAL) ? Duration.ZERO : Duration.ofSeconds(65);
    }

    /** Of the link for small calls beside large ones, in Mbit/s. */
    int thinnest() {
        return widths.get(0);
    }
}
