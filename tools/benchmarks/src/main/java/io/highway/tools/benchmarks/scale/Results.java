// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.scale;

import io.highway.tools.benchmarks.measure.Spread;
import io.highway.tools.benchmarks.scale.Setting.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** What all caller processes have measured, by what they were like. */
record Results(Scale scale, Map<Setting, List<Measured>> bySetting) {

    Results(Scale scale) {
        this(scale, new LinkedHashMap<>());
    }

    void add(Measured measured) {
        bySetting.computeIfAbsent(measured.setting(), any -> new ArrayList<>()).add(measured);
    }

    Set<Setting> settings() {
        return bySetting.keySet();
    }

    /** The reports of its processes. */
    Spread spread(Setting setting, ToDoubleFunction<Figures> value) {
        return Spread.of(figures(setting), value);
    }

    private double median(Setting setting, ToDoubleFunction<Figures> value) {
        return spread(setting, value).median();
    }

    /** Of start-ups: how many times as much as plain Dubbo, each compared with the one of the same round. */
    Spread ratioToPlain(Setting setting, ToDoubleFunction<Figures> value) {
        return Spread.ratio(figures(setting), figures(scale.plainStart()), value);
    }

    private List<Figures> figures(Setting setting) {
        return of(setting).map(Measured::figures).toList();
    }

    /** To the gateway address that had the most, in the process that had the most. */
    int mostConnections(int services, int islands) {
        return all().filter(one -> one.setting().services() == services
                        && one.setting().islands() == islands
                        && one.setting().kind() == Kind.SDK)
                .mapToInt(Measured::mostConnections)
                .max()
                .orElseThrow();
    }

    /**
     * Bytes in use that one more service costs with the SDK and not without it, when all have been called everywhere.
     */
    double heapPerService() {
        double more = scale.services() - scale.fewServices();
        return (median(scale.sdk(), Figures::heapCalled)
                        - median(scale.sdkFewServices(), Figures::heapCalled)
                        - median(scale.plain(), Figures::heapCalled)
                        + median(scale.plainFewServices(), Figures::heapCalled))
                / more;
    }

    /** The same of plain Dubbo: what a reference costs anyway. */
    double heapPerPlainService() {
        double more = scale.services() - scale.fewServices();
        return (median(scale.plain(), Figures::heapCalled) - median(scale.plainFewServices(), Figures::heapCalled))
                / more;
    }

    /** Bytes in use that one more island costs, when all services have been called for it. */
    double heapPerIsland() {
        double more = scale.islands() - scale.fewIslands();
        return (median(scale.sdk(), Figures::heapCalled) - median(scale.sdkFewIslands(), Figures::heapCalled)) / more;
    }

    /** Calls that were answered as they should be. */
    long answered() {
        return all().mapToLong(one -> one.figures().calls()).sum();
    }

    /** Calls that were not. */
    long failed() {
        return all().mapToLong(one -> one.figures().failed()).sum();
    }

    /** Why one of them was not; empty if all were. */
    String firstFailure() {
        return all().map(one -> one.figures().firstFailure())
                .filter(failure -> !failure.isEmpty())
                .findFirst()
                .orElse("");
    }

    /** The processes of a setting, in the order in which they ran. */
    Stream<Measured> of(Setting setting) {
        return bySetting.getOrDefault(setting, List.of()).stream();
    }

    private Stream<Measured> all() {
        return bySetting.values().stream().flatMap(List::stream);
    }
}
