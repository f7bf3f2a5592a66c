// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.scale;

import io.highway.tools.benchmarks.measure.Case;
import io.highway.tools.benchmarks.measure.Report;
import io.highway.tools.benchmarks.measure.Spread;
import io.highway.tools.benchmarks.measure.Table;
import io.highway.tools.benchmarks.scale.Setting.Kind;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** Results as tables and as the fields of a report. */
record ScaleReport(Results results, Scale scale, Report report) {

    private static final double MEGABYTE = 1024 * 1024;
    private static final double KILOBYTE = 1024;

    /** The named fields and the tables, then every setting as a case. */
    void add() {
        addFields();
        connections();
        starts();
        memory();
        calls();
        results.settings().forEach(this::addCase);
        report.failed(results.failed(), scale.services() + " services", results.firstFailure());
    }

    private void connections() {
        Table table = report.table(
                "TCP connections to each gateway address",
                "services",
                "islands",
                "addresses per protocol",
                "connections: Dubbo",
                "Triple",
                "calls");
        for (Setting setting : scale.calling()) {
            if (setting.kind() == Kind.SDK) {
                results.of(setting).limit(1).forEach(one -> table.row()
                        .cells(
                                setting.services(),
                                setting.islands(),
                                setting.addresses(),
                                texts(one, 0, setting.addresses()),
                                texts(
                                        one,
                                        setting.addresses(),
                                        one.connections().size()),
                                one.figures().calls()));
            }
        }
    }

    private static String texts(Measured one, int from, int to) {
        return one.connections().subList(from, to).stream().map(String::valueOf).collect(Collectors.joining(" and "));
    }

    private void starts() {
        Table table = report.table(
                "Start-up: creation of " + scale.services() + " references",
                "",
                "ms",
                "least to most",
                "times plain",
                "least to most",
                "first reference, ms",
                "others, ms",
                "times plain",
                "processor ms",
                "times plain",
                "least to most");
        for (Setting setting : scale.starting()) {
            Spread time = results.spread(setting, Figures::startMillis);
            Spread ratio = results.ratioToPlain(setting, Figures::startMillis);
            Spread processor = results.ratioToPlain(setting, Figures::startProcessorMillis);
            Spread others = results.ratioToPlain(setting, Figures::otherReferencesMillis);
            boolean plain = setting.kind() == Kind.PLAIN;
            table.row()
                    .cells(
                            setting.kind().title(),
                            time.median("%.0f"),
                            time.range("%.0f"),
                            plain ? "" : ratio.median("%.2f"),
                            plain ? "" : ratio.range("%.2f"),
                            median(setting, Figures::firstReferenceMillis, "%.0f"),
                            median(setting, Figures::otherReferencesMillis, "%.0f"),
                            plain ? "" : others.median("%.2f"),
                            median(setting, Figures::startProcessorMillis, "%.0f"),
                            plain ? "" : processor.median("%.2f"),
                            plain ? "" : processor.range("%.2f"));
        }
    }

    private void memory() {
        Table table = report.table(
                "Memory in use and threads",
                "",
                "services",
                "islands",
                "MB, started",
                "MB, all called",
                "least to most",
                "threads, all called");
        for (Setting setting : scale.calling()) {
            if (setting.addresses() == 1) {
                Spread called = results.spread(setting, Figures::heapCalled).times(1 / MEGABYTE);
                table.row()
                        .cells(
                                setting.kind().title(),
                                setting.services(),
                                setting.islands(),
                                results.spread(setting, Figures::heapStarted)
                                        .times(1 / MEGABYTE)
                                        .median("%.1f"),
                                called.median("%.1f"),
                                called.range("%.1f"),
                                median(setting, Figures::threads, "%.0f"));
            }
        }
        report.paragraph(Case.text(
                "A service costs plain Dubbo %.1f KB and the SDK %.1f KB more; an island costs %.1f KB.",
                results.heapPerPlainService() / KILOBYTE,
                results.heapPerService() / KILOBYTE,
                results.heapPerIsland() / KILOBYTE));
    }

    private void calls() {
        Table table = report.table(
                "Calls",
                "",
                "services",
                "islands",
                "first call to an island, ms",
                "first call of each other service, ms",
                "the SDK's part of a home call, ns",
                "least to most");
        for (Setting setting : scale.calling()) {
            if (setting.addresses() == 1) {
                Spread home = results.spread(setting, Figures::homeNanos);
                boolean plain = setting.kind() == Kind.PLAIN;
                table.row()
                        .cells(
                                setting.kind().title(),
                                setting.services(),
                                setting.islands(),
                                plain ? "" : median(setting, Figures::firstCallMillis, "%.1f"),
                                setting.services() == 1 ? "" : median(setting, Figures::laterFirstCallMillis, "%.1f"),
                                plain ? "" : home.median("%.0f"),
                                plain ? "" : home.range("%.0f"));
            }
        }
    }

    private String median(Setting setting, ToDoubleFunction<Figures> value, String format) {
        return results.spread(setting, value).median(format);
    }

    private void addFields() {
        Setting sdk = scale.start(Kind.SDK);
        Setting down = scale.start(Kind.GATEWAYS_DOWN);
        double small = results.spread(scale.smallest(), Figures::homeNanos).median();
        double large = results.spread(scale.sdk(), Figures::homeNanos).median();
        report.field("services", scale.services())
                .field("islands", scale.islands())
                .field("calls", results.answered())
                .field("failed", results.failed())
                .field("connections_per_gateway", results.mostConnections(scale.services(), scale.islands()))
                .field("connections_1_service", results.mostConnections(1, 1))
                .field(
                        "connections_" + scale.services() + "_services",
                        results.mostConnections(scale.services(), scale.islands()))
                .field("threads_plain", results.spread(scale.plain(), Figures::threads))
                .field("threads_sdk", results.spread(scale.sdk(), Figures::threads))
                .field("heap_bytes_per_service", results.heapPerService())
                .field("heap_bytes_per_service_plain", results.heapPerPlainService())
                .field("heap_bytes_per_island", results.heapPerIsland())
                .field("startup_ratio", results.ratioToPlain(sdk, Figures::startMillis))
                .field("startup_ratio_gateway_down", results.ratioToPlain(down, Figures::startMillis))
                .field("startup_processor_ratio", results.ratioToPlain(sdk, Figures::startProcessorMillis))
                .field(
                        "startup_processor_ratio_gateway_down",
                        results.ratioToPlain(down, Figures::startProcessorMillis))
                .field(
                        "startup_first_reference_ms_plain",
                        results.spread(scale.plainStart(), Figures::firstReferenceMillis))
                .field("startup_first_reference_ms_sdk", results.spread(sdk, Figures::firstReferenceMillis))
                .field("startup_other_references_ratio", results.ratioToPlain(sdk, Figures::otherReferencesMillis))
                .field("decision_ns_1_service", small)
                .field("decision_ns_" + scale.services() + "_services", large)
                .field("decision_ns_scale_ratio", large / small)
                .field("first_call_ms", results.spread(scale.sdk(), Figures::firstCallMillis))
                .field("first_call_ms_other_services", results.spread(scale.sdk(), Figures::laterFirstCallMillis));
    }

    private void addCase(Setting setting) {
        Case row = report.add()
                .with("kind", setting.kind().key())
                .with("services", setting.services())
                .with("islands", setting.islands())
                .with("addresses_per_protocol", setting.addresses())
                .with("only_starts", setting.times() == 0)
                .with("startup_ms", results.spread(setting, Figures::startMillis))
                .with("startup_first_reference_ms", results.spread(setting, Figures::firstReferenceMillis))
                .with("startup_processor_ms", results.spread(setting, Figures::startProcessorMillis))
                .with("heap_bytes_started", results.spread(setting, Figures::heapStarted))
                .with("failed", results.spread(setting, Figures::failed).most());
        if (setting.times() > 0) {
            row.with("heap_bytes_called", results.spread(setting, Figures::heapCalled))
                    .with("threads", results.spread(setting, Figures::threads))
                    .with("calls", results.spread(setting, Figures::calls).least())
                    .with("first_call_ms", results.spread(setting, Figures::firstCallMillis))
                    .with("first_call_ms_other_services", results.spread(setting, Figures::laterFirstCallMillis));
            if (setting.kind() == Kind.SDK) {
                row.with(
                                "connections",
                                results.of(setting).map(Measured::connections).toList())
                        .with("decision_ns", results.spread(setting, Figures::homeNanos));
            }
        }
    }
}
