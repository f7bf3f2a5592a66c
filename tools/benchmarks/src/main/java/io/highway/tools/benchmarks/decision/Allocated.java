// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.decision;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * What the calling thread allocates in an iteration. JMH's own profiler adds what other threads allocate meanwhile: its own, and
 * those that look after gateways.
 */
@AuxCounters(AuxCounters.Type.EVENTS)
@State(Scope.Thread)
public class Allocated {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** Read by JMH. */
    public long bytes;

    private long before;

    /** Before the first call. */
    @Setup(Level.Iteration)
    public void begin() {
        before = THREADS.getCurrentThreadAllocatedBytes();
    }

    /** After the last one. */
    @TearDown(Level.Iteration)
    public void end() {
        bytes = THREADS.getCurrentThreadAllocatedBytes() - before;
    }
}
