// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.measure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * How sides alternate: all are warmed up first, then each round measures every side for a moment, and each round begins
 * with another one, so that what else the machine does falls on all of them.
 *
 * @param rounds how often each side is measured
 * @param warmUp how long each side is called first, without counting; zero if all are warm
 * @param slice how long each side is called in a round
 */
public record Alternation(int rounds, Duration warmUp, Duration slice) {

    private static final int PARTS_WARM_UP = 2;

    /** A plan of about this total duration, for all sides together; slow sides warm up longer. */
    public static Alternation within(Duration total, int rounds, int sides) {
        Duration part = total.dividedBy((long) sides * (PARTS_WARM_UP + rounds));
        return new Alternation(rounds, part.multipliedBy(PARTS_WARM_UP), part);
    }

    /** Measures sides in groups; those of a group are compared with each other, and so run one after another. */
    public void take(List<? extends List<? extends Side>> groups, Callers callers) throws InterruptedException {
        if (!warmUp.isZero()) {
            for (List<? extends Side> group : groups) {
                for (Side side : group) {
                    side.warmUp(callers, warmUp);
                }
            }
        }
        for (int round = 0; round < rounds; round++) {
            for (List<? extends Side> group : groups) {
                for (Side side : order(group, round)) {
                    side.round(callers, slice);
                }
            }
        }
    }

    /** Each round begins with another one. */
    public static <T> List<T> order(List<? extends T> all, int round) {
        List<T> order = new ArrayList<>(all);
        Collections.rotate(order, round);
        return order;
    }
}
