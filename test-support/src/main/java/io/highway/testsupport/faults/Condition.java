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
 */
record Condition(boolean blocked, boolean bytewise, Duration delay) {

    static final Condition FINE = new Condition(false, false, Duration.ZERO);
    static final Condition BLACK_HOLE = new Condition(true, false, Duration.ZERO);
    static final Condition BYTEWISE = new Condition(false, true, Duration.ZERO);

    static Condition delayed(Duration delay) {
        return new Condition(false, false, delay);
    }
}
