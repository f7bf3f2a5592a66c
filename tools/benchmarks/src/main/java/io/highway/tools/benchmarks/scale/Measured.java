// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.scale;

import java.util.List;

/**
 * One caller process.
 *
 * @param setting what it was like
 * @param figures its report
 * @param connections how many TCP connections it had to each gateway address in the end, those for the Dubbo protocol
 *     first
 */
record Measured(Setting setting, Figures figures, List<Integer> connections) {

    /** To the gateway address that has the most. */
    int mostConnections() {
        return connections.stream().mapToInt(Integer::intValue).max().orElse(0);
    }
}
