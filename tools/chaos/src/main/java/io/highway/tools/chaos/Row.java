// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos;

import io.highway.tools.chaos.account.Mode;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The recovery after a fault: how long each mode took to deliver again, and to deliver steadily.
 *
 * @param waitedMillis the maximum wait
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

    /** The slowest mode; a mode that did not recover counts with the time waited. */
    long slowestFirstMillis() {
        return firstMillis.values().stream()
                .mapToLong(first -> first.orElse(waitedMillis))
                .max()
                .orElse(0);
    }
}
