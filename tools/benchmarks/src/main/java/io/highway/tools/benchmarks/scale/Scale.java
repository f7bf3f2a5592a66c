// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.scale;

import io.highway.tools.benchmarks.scale.Setting.Kind;
import java.util.List;

/**
 * How large the application is, and those it is compared with. Smaller ones make as many calls, since a process that
 * has called more keeps other things in memory.
 *
 * @param services how many it has
 * @param fewServices how many the smaller one has, which shows the cost of a service
 * @param islands how many it has
 * @param fewIslands how many the smaller one has, which shows the cost of an island
 */
record Scale(int services, int fewServices, int islands, int fewIslands) {

    private static final int TWO_ADDRESSES = 2;
    private static final int TIMES_SMALLEST = 500;

    /** One service and one island, called often enough for all that is opened lazily, and for the compiler. */
    Setting smallest() {
        return Setting.calling(Kind.SDK, 1, 1).times(TIMES_SMALLEST);
    }

    Setting sdk() {
        return Setting.calling(Kind.SDK, services, islands);
    }

    Setting sdkFewServices() {
        return Setting.calling(Kind.SDK, fewServices, islands).times(services / fewServices);
    }

    Setting sdkFewIslands() {
        return Setting.calling(Kind.SDK, services, fewIslands).times(islands / fewIslands);
    }

    Setting plain() {
        return Setting.calling(Kind.PLAIN, services, islands);
    }

    Setting plainFewServices() {
        return Setting.calling(Kind.PLAIN, fewServices, islands).times(services / fewServices);
    }

    Setting plainStart() {
        return start(Kind.PLAIN);
    }

    Setting start(Kind kind) {
        return Setting.starting(kind, services, islands);
    }

    /** Those that make all their calls; the smallest and the largest also with two addresses for each protocol. */
    List<Setting> calling() {
        return List.of(
                smallest(),
                sdk(),
                smallest().over(TWO_ADDRESSES),
                sdk().over(TWO_ADDRESSES),
                plain(),
                plainFewServices(),
                sdkFewServices(),
                sdkFewIslands());
    }

    /** Those that only start, and are compared in this. */
    List<Setting> starting() {
        return List.of(plainStart(), start(Kind.SDK), start(Kind.GATEWAYS_DOWN));
    }
}
