// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.benchmarks.gateways;

import io.highway.samples.benchmarks.measure.Machine;
import io.highway.samples.benchmarks.measure.Measurement;
import io.highway.samples.benchmarks.measure.Spread;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The numbers for programs. */
final class Json {

    private final String command;
    private final Machine machine;
    private final int hops;
    private final int rounds;
    private final List<String> cases = new ArrayList<>();

    Json(String command, Machine machine, int hops, int rounds) {
        this.command = command;
        this.machine = machine;
        this.hops = hops;
        this.rounds = rounds;
    }

    void add(Case one, Case direct) {
        Spread calls = one.callsPerSecond();
        Spread loss = one.lossAgainst(direct);
        cases.add(String.format(
                Locale.ROOT,
                "{\"protocol\":\"%s\",\"body_bytes\":%d,\"way\":\"%s\",\"calls_per_second\":%.1f,"
                        + "\"calls_per_second_least\":%.1f,\"calls_per_second_most\":%.1f,\"loss_percent\":%.2f,"
                        + "\"loss_percent_least\":%.2f,\"loss_percent_most\":%.2f,\"mean_ms\":%.4f,\"p99_ms\":%.4f,"
                        + "\"alone_mean_ms\":%.4f,\"alone_p99_ms\":%.4f,\"failed\":%d}",
                one.way().protocol().key(),
                one.bodyBytes(),
                one.way().name(),
                calls.median(),
                calls.least(),
                calls.most(),
                loss.median(),
                loss.least(),
                loss.most(),
                one.many(Measurement::meanMillis).median(),
                one.many(Measurement::p99Millis).median(),
                one.one(Measurement::meanMillis).median(),
                one.one(Measurement::p99Millis).median(),
                one.failed()));
    }

    void write(Path file) throws IOException {
        String head = String.format(
                Locale.ROOT,
                "{\"benchmark\":\"gateways\",\"command\":\"%s\",\"date\":\"%s\",\"cores\":%d,\"jdk\":\"%s\","
                        + "\"system\":\"%s\",\"dubbo\":\"%s\",\"load_before\":%.2f,\"hops\":%d,\"rounds\":%d,"
                        + "\"callers\":%d,\"cases\":[",
                command,
                machine.date(),
                machine.cores(),
                machine.jdk(),
                machine.system(),
                machine.dubbo(),
                machine.loadBefore(),
                hops,
                rounds,
                Case.MANY);
        Files.writeString(file, head + "\n" + String.join(",\n", cases) + "\n]}\n");
    }
}
