// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.benchmarks.thinlink;

import java.util.List;
import java.util.Locale;

/**
 * The common settings of paths that are compared with each other.
 *
 * @param width of the link in Mbit/s
 * @param content of the bodies
 * @param bytes of a body
 * @param callers threads that call side by side
 */
record Group(int width, Content content, int bytes, int callers) {

    static final int SMALL = 2 << 10;
    private static final int LARGE = 80 << 10;

    /** Of bodies, in bytes. */
    static final List<Integer> SIZES = List.of(SMALL, LARGE);

    /** Enough to fill the link with either size. */
    static final int MANY = 64;

    /** How many callers there are besides. */
    static final List<Integer> FEW = List.of(1, 8);

    private static final int KILOBYTE = 1 << 10;

    /** For tables. */
    String title() {
        return String.format(
                Locale.ROOT,
                "%d Mbit/s, %s bodies of %d KB, %d %s",
                width,
                content.word(),
                bytes / KILOBYTE,
                callers,
                callers == 1 ? "caller" : "callers");
    }

    /** For the names of fields, such as {@code 2k}. */
    static String size(int bytes) {
        return bytes / KILOBYTE + "k";
    }
}
