// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks;

import io.highway.tools.benchmarks.compression.CompressionBenchmark;
import io.highway.tools.benchmarks.decision.DecisionBenchmark;
import io.highway.tools.benchmarks.facts.FactsBenchmark;
import io.highway.tools.benchmarks.gateways.GatewaysBenchmark;
import io.highway.tools.benchmarks.legacy.LegacyBenchmark;
import io.highway.tools.benchmarks.memory.MemoryBenchmark;
import io.highway.tools.benchmarks.scale.ScaleBenchmark;
import io.highway.tools.benchmarks.thinlink.ThinLinkBenchmark;
import io.highway.tools.benchmarks.tunnel.TunnelBenchmark;
import io.highway.tools.processes.RunCommand;
import picocli.CommandLine.Command;

/** Runs the benchmark that is named. */
@Command(
        name = "run.sh",
        mixinStandardHelpOptions = true,
        subcommands = {
            CompressionBenchmark.class,
            DecisionBenchmark.class,
            FactsBenchmark.class,
            GatewaysBenchmark.class,
            LegacyBenchmark.class,
            MemoryBenchmark.class,
            ScaleBenchmark.class,
            ThinLinkBenchmark.class,
            TunnelBenchmark.class
        })
public final class Benchmarks {

    private Benchmarks() {}

    /** Exits with 0 only if every call was answered. */
    public static void main(String[] arguments) {
        RunCommand.exit(new Benchmarks(), arguments);
    }
}
