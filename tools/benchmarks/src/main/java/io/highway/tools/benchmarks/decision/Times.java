// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.decision;

import io.highway.tools.benchmarks.measure.Spread;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The times of an iteration's slices; medians, so that a pause affects one slice only. */
@AuxCounters(AuxCounters.Type.EVENTS)
@State(Scope.Thread)
public class Times {

    private final List<Forks.Nanos> slices = new ArrayList<>();

    /** Before the first slice. */
    @Setup(Level.Iteration)
    public void begin() {
        slices.clear();
    }

    /** One slice, in nanoseconds per call. */
    void add(double base, double other) {
        slices.add(new Forks.Nanos(base, other, other - base));
    }

    /** Of a call to the base; read by JMH. */
    public double base() {
        return Spread.of(slices, Forks.Nanos::base).median();
    }

    /** Of a call to the other; read by JMH. */
    public double other() {
        return Spread.of(slices, Forks.Nanos::other).median();
    }

    /** How much longer the other took than the base in the same slice; read by JMH. */
    public double difference() {
        return Spread.of(slices, Forks.Nanos::difference).median();
    }
}
