// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.decision;

import io.highway.tools.benchmarks.measure.Case;
import io.highway.tools.benchmarks.measure.Spread;
import io.highway.tools.benchmarks.measure.Table;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.TimeValue;

/** What all scenarios have been measured to cost. */
final class Figures {

    private final Forks forks;
    private final Map<Scenario, List<Forks.Nanos>> nanos = new EnumMap<>(Scenario.class);
    private final Map<Scenario, List<Forks.Bytes>> bytes = new EnumMap<>(Scenario.class);

    Figures(Forks forks) {
        this.forks = forks;
    }

    /** Counts bytes of so many calls, each scenario in a separate process. */
    void count(int calls) throws RunnerException {
        for (Scenario scenario : Scenario.values()) {
            bytes.computeIfAbsent(scenario, any -> new ArrayList<>()).add(forks.bytes(scenario, calls));
        }
    }

    /** One more round, each scenario with its base in a separate process. */
    void time(TimeValue warmUp, TimeValue measured) throws RunnerException {
        for (Scenario scenario : Scenario.values()) {
            if (scenario.base() != null) {
                nanos.computeIfAbsent(scenario, any -> new ArrayList<>()).add(forks.nanos(scenario, warmUp, measured));
            }
        }
    }

    /** The time of a call; of a base, beside any of its scenarios. */
    Spread nanos(Scenario scenario) {
        return scenario.base() != null
                ? nanos(Stream.of(scenario), Forks.Nanos::other)
                : nanos(nanos.keySet().stream().filter(other -> other.base() == scenario), Forks.Nanos::base);
    }

    /** The time of a call to the base in the processes of a scenario. */
    Spread baseNanos(Scenario scenario) {
        return nanos(Stream.of(scenario), Forks.Nanos::base);
    }

    /** How much longer than its base in the same process a call takes. */
    Spread extraNanos(Scenario scenario) {
        return nanos(Stream.of(scenario), Forks.Nanos::difference);
    }

    private Spread nanos(Stream<Scenario> scenarios, ToDoubleFunction<Forks.Nanos> which) {
        return Spread.of(
                scenarios
                        .flatMap(scenario -> Objects.requireNonNull(nanos.get(scenario)).stream())
                        .toList(),
                which);
    }

    /** What the calling thread allocates for a call, in whole bytes. */
    long bytes(Scenario scenario) {
        return Math.round(bytes(scenario, Forks.Bytes::thread));
    }

    private double bytes(Scenario scenario, ToDoubleFunction<Forks.Bytes> which) {
        return Spread.of(Objects.requireNonNull(bytes.get(scenario)), which).median();
    }

    /** How much more than its base a call allocates, in bytes. */
    long extraBytes(Scenario scenario, Scenario base) {
        return bytes(scenario) - bytes(base);
    }

    void add(Table table, Scenario scenario) {
        Scenario base = scenario.base();
        Spread time = nanos(scenario);
        Case row = table.add()
                .cells(scenario.title())
                .with("scenario", scenario.key())
                .show("ns", "%.0f", time)
                .cells(time.range("%.0f"));
        if (base == null) {
            row.cells("", "").show("bytes", "%d", bytes(scenario)).cells("");
        } else {
            Spread extra = extraNanos(scenario);
            row.show("extra_ns", "%+.0f", extra)
                    .cells(extra.range("%+.0f"))
                    .show("bytes", "%d", bytes(scenario))
                    .show("extra_bytes", "%+d", extraBytes(scenario, base))
                    .with("base", base.key());
        }
        row.with("bytes_of_all_threads", bytes(scenario, Forks.Bytes::profiler));
    }
}
