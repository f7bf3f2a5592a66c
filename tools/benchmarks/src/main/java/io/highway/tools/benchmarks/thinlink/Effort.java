// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.thinlink;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** How much is measured, and how long. */
enum Effort {
    FULL(30, 50, 5, Duration.ofSeconds(1), Duration.ofMillis(800), Duration.ofMillis(3500), Duration.ofSeconds(6)),

    QUICK(30, 30, 2, Duration.ofMillis(400), Duration.ofMillis(400), Duration.ofMillis(2500), Duration.ofSeconds(3)),

    /** For a test: every case on a wide link, too short for its numbers to mean anything. */
    TRIAL(1000, 2000, 1, Duration.ofMillis(20), Duration.ofMillis(20), Duration.ofMillis(50), Duration.ofMillis(60));

    private final int thinnest;
    private final int widest;
    private final int rounds;
    private final Duration warmUp;
    private final Duration slice;
    private final Duration longSlice;
    private final Duration mixedSlice;

    Effort(
            int thinnest,
            int widest,
            int rounds,
            Duration warmUp,
            Duration slice,
            Duration longSlice,
            Duration mixedSlice) {
        this.thinnest = thinnest;
        this.widest = widest;
        this.rounds = rounds;
        this.warmUp = warmUp;
        this.slice = slice;
        this.longSlice = longSlice;
        this.mixedSlice = mixedSlice;
    }

    /** How long a caller waits before it compresses requests with a dictionary; zero to do without. */
    Duration dictionaryWarmUp() {
        return this == TRIAL ? Duration.ZERO : Duration.ofSeconds(65);
    }

    /** Of the link, in Mbit/s, the thinnest first. */
    List<Integer> widths() {
        return Stream.of(thinnest, widest).distinct().toList();
    }

    /** The same for compression: with 10 Mbit/s the link is the limit, and not the processors. */
    List<Integer> compressionWidths() {
        return switch (this) {
            case FULL -> List.of(10, 30);
            case QUICK -> List.of(10);
            case TRIAL -> List.of(1000);
        };
    }

    /** Of the link for small calls beside large ones, in Mbit/s. */
    int thinnest() {
        return thinnest;
    }

    int rounds() {
        return rounds;
    }

    /** The warm-up of every path; up to four times as long if it is slow. */
    Duration warmUp() {
        return warmUp;
    }

    /** How long a side calls in a round. */
    Duration slice() {
        return slice;
    }

    /** The same for large calls with small ones beside them. */
    Duration mixedSlice() {
        return mixedSlice;
    }

    /** The same where calls have to find their pace first. */
    Duration longSlice() {
        return longSlice;
    }
}
