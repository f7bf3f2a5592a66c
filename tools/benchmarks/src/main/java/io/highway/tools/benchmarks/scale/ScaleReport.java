// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.scale;

import io.highway.tools.benchmarks.measure.Case;
import io.highway.tools.benchmarks.measure.Report;
import io.highway.tools.benchmarks.measure.Spread;
import io.highway.tools.benchmarks.measure.Table;
import io.highway.tools.benchmarks.scale.Setting.Kind;
import java.util.stream.Stream;

/** Results as tables and as the fields of a report. */
record ScaleReport(Results results, Scale scale, Report report) {

    private static final double MEGABYTE = 1024 * 1024;
    private static final double KILOBYTE = 1024;

    /** The named fields, then every setting as a case, in a table of those that call and one of those that only start. */
    void add() {
        addFields();
        calls();
        starts();
        report.paragraph(Case.text(
                "A service costs plain Dubbo %.1f KB and the SDK %.1f KB more; an island costs %.1f KB.",
                results.heapPerPlainService() / KILOBYTE,
                results.heapPerService() / KILOBYTE,
                results.heapPerIsland() / KILOBYTE));
        report.failed(results.failed(), scale.services() + " services", results.firstFailure());
    }

    private void calls() {
        Table table = table(
                "Calls, memory in use, threads, and TCP connections to each gateway address",
                "MB, all called",
                "threads",
                "calls",
                "first call (SDK: to an island), ms",
                "of each other service, ms",
                "connections, Dubbo first",
                "the SDK's part of a home call, ns",
                "least to most");
        for (Setting setting : scale.calling()) {
            Spread called = results.spread(setting, Figures::heapCalled);
            Case row = add(table, setting)
                    .with("heap_bytes_called", called)
                    .cells(megabytes(called))
                    .show("threads", "%.0f", results.spread(setting, Figures::threads))
                    .show(
                            "calls",
                            "%.0f",
                            results.spread(setting, Figures::calls).least())
                    .show("first_call_ms", "%.1f", results.spread(setting, Figures::firstCallMillis))
                    .show(
                            "first_call_ms_other_services",
                            "%.1f",
                            results.spread(setting, Figures::laterFirstCallMillis));
            if (setting.kind() == Kind.SDK) {
                Spread home = results.spread(setting, Figures::homeNanos);
                row.show(
                                "connections",
                                "%s",
                                results.of(setting).map(Measured::connections).toList())
                        .show("decision_ns", "%.0f", home)
                        .cells(home.range("%.0f"));
            }
        }
    }

    private void starts() {
        Table table = table(
                "Start-up: creation of " + scale.services() + " references",
                "times plain",
                "least to most",
                "other references, ms",
                "times plain",
                "processor, times plain",
                "least to most");
        for (Setting setting : scale.starting()) {
            Spread ratio = results.ratioToPlain(setting, Figures::startMillis);
            Spread processor = results.ratioToPlain(setting, Figures::startProcessorMillis);
            add(table, setting)
                    .cells(
                            ratio.median("%.2f"),
                            ratio.range("%.2f"),
                            results.spread(setting, Figures::otherReferencesMillis)
                                    .median("%.0f"),
                            results.ratioToPlain(setting, Figures::otherReferencesMillis)
                                    .median("%.2f"),
                            processor.median("%.2f"),
                            processor.range("%.2f"));
        }
    }

    private Table table(String title, String... columns) {
        return report.table(
                title,
                Stream.concat(
                                Stream.of(
                                        "",
                                        "services",
                                        "islands",
                                        "addresses per protocol",
                                        "start-up, ms",
                                        "least to most",
                                        "first reference, ms",
                                        "processor, ms",
                                        "MB, started"),
                                Stream.of(columns))
                        .toArray(String[]::new));
    }

    /** What all settings have. */
    private Case add(Table table, Setting setting) {
        Spread start = results.spread(setting, Figures::startMillis);
        Spread started = results.spread(setting, Figures::heapStarted);
        return table.add()
                .with("kind", setting.kind().key())
                .cells(setting.kind().title())
                .show("services", "%d", setting.services())
                .show("islands", "%d", setting.islands())
                .show("addresses_per_protocol", "%d", setting.addresses())
                .with("only_starts", setting.times() == 0)
                .show("startup_ms", "%.0f", start)
                .cells(start.range("%.0f"))
                .show("startup_first_reference_ms", "%.0f", results.spread(setting, Figures::firstReferenceMillis))
                .show("startup_processor_ms", "%.0f", results.spread(setting, Figures::startProcessorMillis))
                .with("heap_bytes_started", started)
                .cells(megabytes(started))
                .with("failed", results.spread(setting, Figures::failed).most());
    }

    private static String megabytes(Spread bytes) {
        return bytes.times(1 / MEGABYTE).median("%.1f");
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
}
