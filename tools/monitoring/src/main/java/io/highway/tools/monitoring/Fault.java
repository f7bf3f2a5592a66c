// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.monitoring;

import io.highway.tools.monitoring.star.Policies;
import io.highway.tools.processes.Node;
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

    /** Killed, and started again. */
    static Fault killed(String name, Node node, String... alerts) {
        return new Fault(name, Set.of(alerts), node::kill, node::restart);
    }

    /** What happens to the rules, which ends with the first one published again. */
    static Fault ofPolicy(String name, Policies policies, Runnable begin, String... alerts) {
        return new Fault(name, Set.of(alerts), begin, policies::rollBack);
    }

    static Fault none() {
        return new Fault("none", Set.of(), () -> {}, () -> {});
    }
}
