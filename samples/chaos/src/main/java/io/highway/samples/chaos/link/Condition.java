// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.chaos.link;

import java.time.Duration;

/**
 * How a link treats bytes. Immutable.
 *
 * @param held nothing passes; what arrives waits, as behind a network that drops packets, and arrives late
 * @param bytewise every byte is a packet of its own
 * @param delay how long each packet takes
 */
record Condition(boolean held, boolean bytewise, Duration delay) {

    static final Condition FINE = new Condition(false, false, Duration.ZERO);
    static final Condition BLACK_HOLE = new Condition(true, false, Duration.ZERO);
    static final Condition BYTEWISE = new Condition(false, true, Duration.ZERO);

    static Condition delayed(Duration delay) {
        return new Condition(false, false, delay);
    }
}
