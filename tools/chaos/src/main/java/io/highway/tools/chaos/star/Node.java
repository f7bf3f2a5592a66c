// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos.star;

import io.highway.tools.fixtures.faults.FaultyLink;
import io.highway.tools.processes.Processes;
import java.util.List;

/**
 * A process of the star that is killed and started again, with the links that lead to it: they refuse connections while
 * it does not listen, since a link that accepts for a dead target would hide that.
 */
public final class Node {

    private final Processes processes;
    private final String name;
    private final Starter starter;
    private final List<FaultyLink> inFront;
    private int starts;

    /** Starts a process under a name. */
    interface Starter {
        void start(String name);
    }

    Node(Processes processes, String name, Starter starter, List<FaultyLink> inFront) {
        this.processes = processes;
        this.name = name;
        this.starter = starter;
        this.inFront = inFront;
    }

    /** Starts it and does not wait for it. */
    public void start() {
        starts++;
        starter.start(processName());
    }

    /** Waits until it listens. */
    public void awaitReady() {
        processes.ready(processName());
        inFront.forEach(FaultyLink::open);
    }

    /** Kills it without a chance to close connections. */
    public void kill() {
        inFront.forEach(FaultyLink::refuse);
        processes.kill(processName());
    }

    /** Stops it gracefully, and waits for its end. */
    public void end() {
        inFront.forEach(FaultyLink::refuse);
        processes.end(processName());
    }

    /** Pauses it. */
    public void freeze() {
        processes.freeze(processName());
    }

    /** Resumes it. */
    public void thaw() {
        processes.thaw(processName());
    }

    /** Each start has a separate log. */
    private String processName() {
        return starts == 1 ? name : name + "." + starts;
    }
}
