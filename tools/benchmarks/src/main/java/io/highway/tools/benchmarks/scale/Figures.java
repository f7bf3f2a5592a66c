// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.scale;

/**
 * What a caller process has measured in itself; 0 where it had nothing to measure.
 *
 * @param startMillis time to create all references
 * @param firstReferenceMillis the part of it until the first one was there, Dubbo's own start included
 * @param startProcessorMillis processor time of the whole process meanwhile
 * @param heapStarted bytes in use when all references were there
 * @param heapCalled bytes in use when every service had been called for every island
 * @param threads live threads then
 * @param calls how many calls were answered by the right service for the right island
 * @param failed how many were not
 * @param firstFailure why one of those was not; empty if all were
 * @param firstCallMillis the first call to an island of the process
 * @param laterFirstCallMillis the first call to an island of each other service, median
 * @param homeNanos what the SDK adds to a call that stays home, before plain Dubbo gets it
 */
public record Figures(
        double startMillis,
        double firstReferenceMillis,
        double startProcessorMillis,
        long heapStarted,
        long heapCalled,
        int threads,
        long calls,
        long failed,
        String firstFailure,
        double firstCallMillis,
        double laterFirstCallMillis,
        double homeNanos) {

    /** Time to create all references but the first. */
    double otherReferencesMillis() {
        return startMillis - firstReferenceMillis;
    }
}
