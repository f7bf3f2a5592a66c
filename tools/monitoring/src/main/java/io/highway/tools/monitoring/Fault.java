// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.monitoring;

import java.util.Set;

/**
 * A fault of the star.
 *
 * @param name what fails
 * @param alerts those that must fire, and no others
 * @param begin breaks it
 * @param end repairs it
 */
record Fault(String name, Set<String> alerts, Runnable begin, Runnable end) {

    Fault(String name, String alert, Runnable begin, Runnable end) {
        this(name, Set.of(alert), begin, end);
    }

    static Fault none() {
        return new Fault("none", Set.of(), () -> {}, () -> {});
    }
}
