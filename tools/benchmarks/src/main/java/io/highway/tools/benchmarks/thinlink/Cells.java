// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.thinlink;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Which cases of long links are measured. Where a list is empty, all values that a run has by default, without the cases
 * that add nothing; where none is, all combinations.
 *
 * @param roundTrips in milliseconds
 * @param sizes of bodies in bytes
 * @param callers threads that call side by side
 */
record Cells(List<Integer> roundTrips, List<Integer> sizes, List<Integer> callers) {

    /** A run without any. */
    static final Cells ALL = new Cells(List.of(), List.of(), List.of());

    static final int HUGE = 4 << 20;

    /** The round trip that has every case, in milliseconds. */
    static final int MIDDLE = 60;

    /** The number of callers that has every round trip and size. */
    static final int SOME = 8;

    /** One case for a run that is to be short. */
    static final Cells ONE = new Cells(List.of(MIDDLE), List.of(Group.LARGE), List.of(SOME));

    private static final int KILOBYTES = 10;
    private static final int MEGABYTES = 20;

    private static final List<Integer> ROUND_TRIPS = List.of(20, MIDDLE, 120);
    private static final List<Integer> SIZES = List.of(Group.SMALL, Group.LARGE, HUGE);
    private static final List<Integer> CALLERS = List.of(1, SOME, Group.MANY);

    /**
     * One case.
     *
     * @param roundTrip in milliseconds
     * @param bytes of a body
     * @param callers threads that call side by side
     * @param isDownload whether the body is the answer, and not the request
     */
    record Cell(int roundTrip, int bytes, int callers, boolean isDownload) {

        /** Whether it tells something that no other case does. */
        boolean adds() {
            if (bytes == HUGE && callers == Group.MANY) {
                return false; // as with 8 callers: the link is full
            }
            boolean isOnlyLatency = bytes == Group.SMALL && callers == 1;
            return roundTrip == MIDDLE || callers == SOME || (!isDownload && !isOnlyLatency);
        }
    }

    /** Whether it is a run without any. */
    boolean areAll() {
        return equals(ALL);
    }

    /** Bytes of what the command line has, such as {@code 80KB}. */
    static int bytes(String size) {
        String upper = size.toUpperCase(Locale.ROOT);
        for (int shift : List.of(MEGABYTES, KILOBYTES)) {
            if (upper.endsWith(unit(shift))) {
                return Integer.parseInt(upper.substring(0, upper.length() - 2).strip()) << shift;
            }
        }
        throw new IllegalArgumentException("'" + size + "' is no size such as 80KB or 4MB");
    }

    /** As the command line has it. */
    static String size(int bytes) {
        int shift = bytes % (1 << MEGABYTES) == 0 ? MEGABYTES : KILOBYTES;
        return (bytes >> shift) + unit(shift);
    }

    private static String unit(int shift) {
        return shift == MEGABYTES ? "MB" : "KB";
    }

    /** The shortest round trip first. */
    List<Integer> eachRoundTrip() {
        return roundTrips.isEmpty() ? ROUND_TRIPS : roundTrips;
    }

    /** Those of a round trip. */
    List<Cell> of(int roundTrip) {
        boolean chosen = !roundTrips.isEmpty() && !sizes.isEmpty() && !callers.isEmpty();
        return Stream.of(false, true)
                .flatMap(isDownload -> (sizes.isEmpty() ? SIZES : sizes)
                        .stream().flatMap(bytes -> (callers.isEmpty() ? CALLERS : callers)
                                .stream().map(threads -> new Cell(roundTrip, bytes, threads, isDownload))))
                .filter(cell -> chosen || cell.adds())
                .toList();
    }
}
