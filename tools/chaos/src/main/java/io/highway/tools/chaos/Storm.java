// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos;

import io.highway.tools.chaos.account.Accounts;
import io.highway.tools.chaos.account.Mode;
import io.highway.tools.chaos.account.Recovery;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Injects a fault, repairs it, and waits until every mode delivers again.
 *
 * @param clear cleans up what no mode recovers from
 */
record Storm(Accounts accounts, Runnable clear) {

    /** A mode that has not recovered by then is reported as not recovered. */
    static final long PATIENCE_SECONDS = 15;

    private static final double SHARE_UNDER_FAULT = 0.45;

    /** Earlier calls have ended by then, and count for the time before. */
    private static final long BETWEEN_FAULTS_MILLIS = 100;

    /** Takes at least this time, and longer where starting processes or recovering does. */
    Row pass(int number, Fault fault, long millis) throws InterruptedException {
        long begun = System.nanoTime();
        Recovery recovery = accounts.recovery();
        accounts.fault(number);
        TimeUnit.MILLISECONDS.sleep(BETWEEN_FAULTS_MILLIS);
        fault.begin().run();
        sleepUntil(begun, (long) (millis * SHARE_UNDER_FAULT));
        fault.end().run(recovery::begin);
        boolean steady = recovery.awaitSteady(PATIENCE_SECONDS);
        sleepUntil(begun, millis);
        Row row = new Row(
                number,
                fault,
                byMode(recovery::firstMillis),
                byMode(recovery::steadyMillis),
                TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
        if (!steady) {
            clear.run();
            recovery.begin();
            recovery.awaitSteady(PATIENCE_SECONDS);
        }
        return row;
    }

    private static void sleepUntil(long begun, long millis) throws InterruptedException {
        long rest = millis - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
        if (rest > 0) {
            TimeUnit.MILLISECONDS.sleep(rest);
        }
    }

    private static Map<Mode, OptionalLong> byMode(Function<Mode, OptionalLong> value) {
        Map<Mode, OptionalLong> values = new EnumMap<>(Mode.class);
        for (Mode mode : Mode.values()) {
            values.put(mode, value.apply(mode));
        }
        return values;
    }
}
