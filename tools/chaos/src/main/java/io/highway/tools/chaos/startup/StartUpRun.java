// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos.startup;

import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.processes.Processes;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Starts an application with 200 references whose gateway is down all the time, and one without highway, alternately,
 * each in a separate process; compares the medians.
 */
public record StartUpRun(Path folder, PrintStream out) {

    private static final int REFERENCES = 200;
    private static final int ROUNDS = 7;
    private static final double ALLOWED = 1.10;

    /** Prints every time, the medians and their ratio; returns whether it is allowed. */
    public boolean run() throws IOException {
        List<Long> without = new ArrayList<>();
        List<Long> with = new ArrayList<>();
        try (Processes processes = new Processes(folder)) {
            String provider = "dubbo://zhejiang.test:" + FreePorts.next();
            for (int round = 0; round < ROUNDS; round++) {
                without.add(start(processes, "without-" + round, provider, false));
                with.add(start(processes, "with-" + round, provider, true));
            }
        }
        double ratio = (double) median(with) / median(without);
        out.println(REFERENCES + " references without highway: " + without + " ms");
        out.println(REFERENCES + " references with highway, gateway down: " + with + " ms");
        out.printf(
                "{\"without_ms\":%d,\"with_ms\":%d,\"start_up_ratio\":%.3f}%n", median(without), median(with), ratio);
        return ratio <= ALLOWED;
    }

    private static long start(Processes processes, String name, String provider, boolean highway) {
        String closed = "gateway.zhejiang.test:" + FreePorts.next();
        List<String> options = highway
                ? List.of(
                        "-Dhighway.island=zhejiang",
                        "-Dhighway.gateways.dubbo=" + closed,
                        "-Dhighway.gateways.triple=" + closed,
                        "-Dhighway.islands.shanghai.tunnel=auto")
                : List.of("-Dhighway.enabled=false");
        processes.start(name, options, ReferencesProcess.class, REFERENCES, provider, highway);
        long millis = Long.parseLong(processes.ready(name).trim());
        processes.end(name);
        return millis;
    }

    private static long median(List<Long> values) {
        return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
    }
}
