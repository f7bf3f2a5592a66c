// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos.account;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * How calls ended, counted.
 *
 * @param slowestMillis how long the slowest of them took, 0 where that is not asked
 */
public record Totals(int calls, int delivered, int refused, int notSent, int sentUnknown, int slowestMillis) {

    /** Of all calls. */
    public static Totals of(Accounts accounts) {
        return count(accounts, id -> true, 0);
    }

    /** Of the calls that a mode began under a fault. */
    public static Totals of(Accounts accounts, int fault, Mode mode) {
        return count(
                accounts,
                id -> accounts.faultOf(id) == fault && accounts.mode(id) == mode,
                accounts.slowestMillis(fault, mode));
    }

    /** Of each mode. */
    public static Map<Mode, Totals> byMode(Accounts accounts) {
        Map<Mode, Totals> totals = new EnumMap<>(Mode.class);
        for (Mode mode : Mode.values()) {
            totals.put(mode, count(accounts, id -> accounts.mode(id) == mode, 0));
        }
        return totals;
    }

    /** For programs; the slowest apart. */
    public Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("calls", calls);
        json.put("delivered", delivered);
        json.put("refused", refused);
        json.put("not_sent", notSent);
        json.put("sent_unknown", sentUnknown);
        return json;
    }

    private static Totals count(Accounts accounts, IntPredicate wanted, int slowestMillis) {
        Map<Ending, Integer> counts = new EnumMap<>(Ending.class);
        IntStream.range(0, accounts.size())
                .filter(wanted)
                .forEach(id -> counts.merge(accounts.ending(id), 1, Integer::sum));
        return new Totals(
                counts.values().stream().mapToInt(Integer::intValue).sum(),
                counts.getOrDefault(Ending.DELIVERED, 0),
                counts.getOrDefault(Ending.REFUSED, 0),
                counts.getOrDefault(Ending.NOT_SENT, 0),
                counts.getOrDefault(Ending.SENT_UNKNOWN, 0),
                slowestMillis);
    }
}
