// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos.soak;

import io.highway.tools.processes.Folders;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.ToLongFunction;

/** Samples over time, and whether they are flat: the last third against the first. */
public final class Samples {

    private static final double HEAP_GROWTH = 1.2;
    private static final long MORE_THREADS = 4;
    private static final long MORE_CONNECTIONS = 4;
    private static final int THIRDS = 3;
    private static final String LINE = "%10s %12s %10s %8s %12s%n";

    private final Set<Integer> gatewayPorts;
    private final Path threadNames;
    private final List<Sample> samples = new ArrayList<>();
    private final List<Long> seconds = new ArrayList<>();
    private final long begun = System.nanoTime();

    /**
     * Connections to these ports are counted.
     *
     * @param threadNames a file that gets the names of threads, for the case that they grow
     */
    public Samples(Set<Integer> gatewayPorts, Path threadNames) {
        this.gatewayPorts = gatewayPorts;
        this.threadNames = threadNames;
    }

    /** Takes one; no call should be in flight. */
    public void take(int calls) throws IOException {
        samples.add(Sample.take(calls, gatewayPorts));
        Folders.append(threadNames, calls + " calls: " + Sample.threadNames());
        seconds.add((System.nanoTime() - begun) / 1_000_000_000);
    }

    /** Whether nothing has grown since the first third. */
    public boolean isFlat() {
        return largest(Sample::heapKilobytes, false) <= largest(Sample::heapKilobytes, true) * HEAP_GROWTH
                && largest(Sample::threads, false) <= largest(Sample::threads, true) + MORE_THREADS
                && largest(Sample::connections, false) <= largest(Sample::connections, true) + MORE_CONNECTIONS;
    }

    private long largest(ToLongFunction<Sample> value, boolean first) {
        int third = Math.max(1, samples.size() / THIRDS);
        List<Sample> part = first ? samples.subList(0, third) : samples.subList(samples.size() - third, samples.size());
        return part.stream().mapToLong(value).max().orElse(0);
    }

    /** Prints the table. */
    public void print(PrintStream out) {
        out.printf(LINE, "seconds", "calls", "heap KB", "threads", "connections");
        for (int i = 0; i < samples.size(); i++) {
            Sample sample = samples.get(i);
            out.printf(
                    LINE,
                    seconds.get(i),
                    sample.calls(),
                    sample.heapKilobytes(),
                    sample.threads(),
                    sample.connections());
        }
        if (!isFlat()) {
            out.println(
                    "not flat: the last third is above the first by more than a fifth of the heap, 4 threads or 4 connections");
        }
    }
}
