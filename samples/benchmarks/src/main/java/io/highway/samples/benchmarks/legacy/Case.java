// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.benchmarks.legacy;

import io.highway.samples.benchmarks.measure.Measurement;
import io.highway.samples.benchmarks.measure.Side;
import io.highway.samples.benchmarks.measure.Spread;

/** Orders of one size by one variant, by many callers and by one. */
record Case(Variant variant, Size size, Side many, Side one) {

    /** The number of callers when throughput is measured. */
    static final int MANY = 32;

    static Case of(Variant variant, OrderPath path, Size size) {
        return new Case(
                variant,
                size,
                new Side(variant.title(), MANY, () -> path.place(size.order())),
                new Side(variant.title(), 1, () -> path.place(size.order())));
    }

    /** The time of half of the calls of one caller, as a part of that of the other. */
    Spread roundTripTo(Case other) {
        return one.ratioTo(other.one, Measurement::p50Millis);
    }

    /** Calls per second of many callers, as a multiple of those of the other. */
    Spread throughputTo(Case other) {
        return many.ratioTo(other.many, Measurement::callsPerSecond);
    }

    /** Calls that were not answered. */
    long failed() {
        return many.failed() + one.failed();
    }

    /** Why one of them was not; empty if all were. */
    String firstFailure() {
        return many.firstFailure() + one.firstFailure();
    }
}
