// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.thinlink;

import io.highway.tools.benchmarks.measure.Callers;
import io.highway.tools.benchmarks.measure.Measurement;
import io.highway.tools.benchmarks.measure.Spread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** A side that also counts the processor time of callers and provider. */
final class ExchangeSide extends LinkSide {

    private final LongSupplier providerNanos;
    private final List<Double> micros = new ArrayList<>();

    /** Asks the provider for its processor time. */
    ExchangeSide(String name, Callable<?> call, LongSupplier providerNanos) {
        super(name, Group.MANY, call);
        this.providerNanos = providerNanos;
    }

    @Override
    public Measurement round(Callers threads, Duration time) throws InterruptedException {
        long before = providerNanos.getAsLong();
        Measurement calls = super.round(threads, time);
        double nanos = calls.processor() + (double) (providerNanos.getAsLong() - before);
        micros.add(nanos / TimeUnit.MICROSECONDS.toNanos(1) / Math.max(1, calls.calls()));
        return calls;
    }

    /** Processor time per call of both processes, in microseconds. */
    Spread bothProcessorMicros() {
        return Spread.of(micros);
    }

    /** How many times as much as on the other side, each round compared with the same round there. */
    Spread processorRatioTo(ExchangeSide other) {
        return Spread.ratio(micros, other.micros, Double::doubleValue);
    }
}
