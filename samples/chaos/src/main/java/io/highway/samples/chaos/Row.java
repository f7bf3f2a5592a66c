// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.chaos;

import io.highway.samples.chaos.account.Mode;
import java.util.Map;
import java.util.OptionalLong;

/**
 * What happened after a fault: how long each mode took to deliver again, and until it did so steadily.
 *
 * @param waitedMillis how long that was waited for, at most
 */
record Row(
        int number,
        Fault fault,
        Map<Mode, OptionalLong> firstMillis,
        Map<Mode, OptionalLong> steadyMillis,
        long waitedMillis) {

    Row slower(Row other) {
        return other.slowestFirstMillis() > slowestFirstMillis() ? other : this;
    }

    /** The slowest mode; a mode that did not come back counts with the time it was waited for. */
    long slowestFirstMillis() {
        return firstMillis.values().stream()
                .mapToLong(first -> first.orElse(waitedMillis))
                .max()
                .orElse(0);
    }
}
