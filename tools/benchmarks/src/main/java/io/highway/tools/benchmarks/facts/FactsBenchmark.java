// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.facts;

import io.highway.tools.benchmarks.measure.Benchmark;
import io.highway.tools.benchmarks.measure.Machine;
import io.highway.tools.benchmarks.measure.Report;
import io.highway.tools.benchmarks.measure.Spread;
import io.highway.tools.benchmarks.measure.Table;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.dubbo.rpc.model.FrameworkModel;
import picocli.CommandLine.Command;

/** Compares reading the facts of a request with decoding it by Dubbo, on one thread, without network. */
@Command(
        name = "facts",
        mixinStandardHelpOptions = true,
        description = "reading facts of a request, beside decoding it")
public final class FactsBenchmark extends Benchmark {

    private static final int BYTES = 80 << 10;
    private static final int UTF8_BYTES = 3;
    private static final int ENTRY_BYTES = 100;
    private static final int CHINESE = 0x4e00;
    private static final int CHARACTERS = 5000;

    private static final Plan FULL = new Plan(9, 2000);
    private static final Plan QUICK = new Plan(3, 500);

    /**
     * How much is measured.
     *
     * @param rounds how often each request is measured
     * @param times how often it is read and decoded in each
     */
    record Plan(int rounds, int times) {}

    @Override
    protected boolean run(Path logs, PrintStream out) throws Exception {
        return run(logs, plan(FULL, QUICK), out);
    }

    /** Measures, prints and writes. */
    boolean run(Path logs, Plan plan, PrintStream out) throws IOException {
        Report report = report(
                        Machine.here(),
                        "One thread; " + plan.rounds + " alternating rounds with the same request of about 80 KB, "
                                + plan.times
                                + " times each; medians of the processor time. Facts are read from a direct buffer, and Dubbo decodes"
                                + " an array. Document: a list of maps.")
                .field("rounds", plan.rounds);
        Table table = report.table(
                "Reading the facts of a request",
                "serialization",
                "content",
                "facts us",
                "decoding us",
                "facts / decoding");
        FrameworkModel framework = new FrameworkModel();
        try {
            for (String serialization : List.of("hessian2", "fastjson2")) {
                for (Map.Entry<String, Object> content : contents().entrySet()) {
                    Request request = new Request(framework, serialization, content.getValue());
                    request.round(plan.times);
                    List<Request.Round> rounds = new ArrayList<>();
                    for (int round = 0; round < plan.rounds; round++) {
                        rounds.add(request.round(plan.times));
                    }
                    Spread ratio = Spread.of(rounds, Request.Round::ratio);
                    table.add()
                            .show("serialization", "%s", serialization)
                            .show("content", "%s", content.getKey())
                            .show("facts_us", "%.1f", Spread.of(rounds, Request.Round::reading))
                            .show("decoding_us", "%.1f", Spread.of(rounds, Request.Round::decoding))
                            .show("ratio", "%.3f", ratio);
                    report.field("ratio_" + serialization + "_" + content.getKey(), ratio);
                }
            }
        } finally {
            framework.destroy();
        }
        return report.publish(out, logs.resolve(".."));
    }

    private static Map<String, Object> contents() {
        StringBuilder chinese = new StringBuilder();
        List<Map<String, Object>> document = new ArrayList<>();
        for (int index = 0; index < BYTES / UTF8_BYTES; index++) {
            chinese.append((char) (CHINESE + index % CHARACTERS));
        }
        for (int index = 0; index < BYTES / ENTRY_BYTES; index++) {
            document.add(new HashMap<>(Map.of(
                    "id",
                    1_000_000 + index,
                    "name",
                    "article number " + index,
                    "price",
                    index / 100.0,
                    "available",
                    index % 2 == 0,
                    "place",
                    chinese.substring(index, index + 6))));
        }
        Map<String, Object> contents = new LinkedHashMap<>();
        contents.put("bytes", new byte[BYTES]);
        contents.put("text", chinese.toString());
        contents.put("document", document);
        return contents;
    }
}
