// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.testsupport.faults;

import java.time.Duration;

/**
 * How a link treats bytes. Immutable.
 *
 * @param blocked nothing passes; data is queued and delivered late, as in a network that drops packets
 * @param bytewise every byte is a separate packet
 * @param delay how long each packet takes
 * @param bytesPerSecond the rate of each connection, in each direction
 */
record Condition(boolean blocked, boolean bytewise, Duration delay, long bytesPerSecond) {

    private static final long UNLIMITED = Long.MAX_VALUE;

    static final Condition FINE = new Condition(false, false, Duration.ZERO, UNLIMITED);
    static final Condition BLACK_HOLE = new Condition(true, false, Duration.ZERO, UNLIMITED);
    static final Condition BYTEWISE = new Condition(false, true, Duration.ZERO, UNLIMITED);

    static Condition delayed(Duration delay) {
        return new Condition(false, false, delay, UNLIMITED);
    }

    static Condition limited(long bytesPerSecond) {
        return new Condition(false, false, Duration.ZERO, bytesPerSecond);
    }

    /** How long a connection is busy with so many bytes. */
    long nanos(int bytes) {
        return bytesPerSecond == UNLIMITED ? 0 : bytes * 1_000_000_000L / bytesPerSecond;
    }
}
