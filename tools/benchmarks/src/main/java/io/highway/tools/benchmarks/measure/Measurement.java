// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.measure;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Calls that were made side by side for a while.
 *
 * @param nanos how long the answered ones took
 * @param failed how many were not answered
 * @param firstFailure why one of those was not; empty if all were
 * @param lasted how long all of it took, in nanoseconds
 * @param processor how much processor time this process had meanwhile, in nanoseconds; not that of providers or gateways
 * @param answering the processor time of the process that answered, if it is measured; otherwise 0
 * @param allocated bytes that threads of this process allocated meanwhile
 */
public record Measurement(
        Histogram nanos,
        long failed,
        String firstFailure,
        long lasted,
        long processor,
        long answering,
        long allocated) {

    private static final double P50 = 50;
    private static final double P99 = 99;

    /** These calls, and others that came after them. */
    Measurement and(Measurement other) {
        Histogram both = nanos.copy();
        both.add(other.nanos);
        return new Measurement(
                both,
                failed + other.failed,
                firstFailure.isEmpty() ? other.firstFailure : firstFailure,
                lasted + other.lasted,
                processor + other.processor,
                answering + other.answering,
                allocated + other.allocated);
    }

    /** Answered calls. */
    public long calls() {
        return nanos.getTotalCount();
    }

    /** Answered calls per second. */
    public double callsPerSecond() {
        return (double) calls() * TimeUnit.SECONDS.toNanos(1) / lasted;
    }

    /** The mean time of a call in milliseconds. */
    public double meanMillis() {
        return millis(nanos.getMean());
    }

    /** The time in milliseconds that half of the calls did not exceed. */
    public double p50Millis() {
        return millis((double) nanos.getValueAtPercentile(P50));
    }

    /** The time in milliseconds that 99 of 100 calls did not exceed. */
    public double p99Millis() {
        return millis((double) nanos.getValueAtPercentile(P99));
    }

    private static double millis(double time) {
        return time / TimeUnit.MILLISECONDS.toNanos(1);
    }
}
