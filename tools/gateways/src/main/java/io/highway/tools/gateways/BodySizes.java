// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways;

import java.util.Random;

/** Mixed sizes of bodies, log-uniform: as many from 1 to 2 KB as from 100 to 200 KB. One size of bodies hides what they disturb. */
public final class BodySizes {

    /** The smallest, bytes. */
    public static final int SMALLEST = 512;

    /** The largest, bytes. */
    public static final int LARGEST = 200 << 10;

    private BodySizes() {}

    /** The next one, bytes. */
    public static int next(Random random) {
        return (int) (SMALLEST * Math.pow((double) LARGEST / SMALLEST, random.nextDouble()));
    }
}
