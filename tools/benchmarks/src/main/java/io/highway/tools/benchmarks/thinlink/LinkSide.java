// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.thinlink;

import io.highway.tools.benchmarks.measure.Callers;
import io.highway.tools.benchmarks.measure.Measurement;
import io.highway.tools.benchmarks.measure.Side;
import io.highway.tools.benchmarks.measure.Spread;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.ToLongFunction;

/** A side that also counts the traffic of its calls over the link. */
class LinkSide extends Side {

    private static final double NANOS_PER_SECOND = 1e9;

    private final List<Round> rounds = new ArrayList<>();

    private record Round(Measurement calls, Link.Traffic traffic) {}

    LinkSide(String name, int callers, Callable<?> call) {
        super(name, callers, call);
    }

    @Override
    public Measurement round(Callers threads, Duration time) throws InterruptedException {
        try {
            Link.Traffic before = Link.traffic();
            Measurement calls = super.round(threads, time);
            rounds.add(new Round(calls, Link.traffic().since(before)));
            return calls;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** How much of something passed the link for each call. */
    final Spread perCall(ToLongFunction<Link.Traffic> what) {
        return Spread.of(rounds, round -> (double) what.applyAsLong(round.traffic) / Math.max(1, round.calls.calls()));
    }

    /** How full the link was in one of the directions: 1 is as full as it gets. */
    final Spread use(double bytesPerSecond, ToLongFunction<Link.Traffic> bytes) {
        return Spread.of(
                rounds,
                round -> bytes.applyAsLong(round.traffic) / bytesPerSecond * NANOS_PER_SECOND / round.calls.lasted());
    }
}
