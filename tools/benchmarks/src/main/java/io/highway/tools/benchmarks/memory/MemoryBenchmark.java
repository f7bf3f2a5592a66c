// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.memory;

import io.highway.tools.benchmarks.calls.CallerApplication;
import io.highway.tools.benchmarks.measure.Benchmark;
import io.highway.tools.benchmarks.measure.Machine;
import io.highway.tools.benchmarks.measure.Report;
import io.highway.tools.benchmarks.measure.Spread;
import io.highway.tools.benchmarks.measure.Table;
import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.gateways.Protocol;
import io.highway.tools.processes.Processes;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;

/** What a request in flight of 1 MB costs its provider, with the SDK and in plain Dubbo, each in a new process per round. */
@Command(name = "memory", mixinStandardHelpOptions = true, description = "a provider's memory per request in flight")
public final class MemoryBenchmark extends Benchmark {

    private static final int BODY = 1 << 20;
    private static final int REQUESTS = 50;
    private static final int WARM_UPS = 100;
    private static final int TIMEOUT_MILLIS = 30_000;
    private static final int STEP_MILLIS = 20;
    private static final double KB = 1024;

    /** A request counts until it is answered, and one connection gets a quarter of max-buffered. */
    private static final List<String> SDK = List.of("-Dhighway.island=shanghai", "-Dhighway.max-buffered=512MB");

    @Override
    protected boolean run(Path logs, PrintStream out) throws Exception {
        int rounds = plan(5, 1);
        Report report = report(
                        Machine.here(),
                        rounds + " alternating rounds; " + REQUESTS + " requests of 1 MB of a plain client, which the"
                                + " service holds; heap and direct memory of the provider after a garbage collection, beyond"
                                + " those before the requests, per request. Medians.")
                .field("rounds", rounds);
        Table table = report.table(
                "Memory per request of 1 MB in flight", "protocol", "plain KB", "with the SDK KB", "difference KB");
        for (Protocol protocol : Protocol.OF_DUBBO) {
            List<Double> plain = new ArrayList<>();
            List<Double> sdk = new ArrayList<>();
            for (int round = 0; round < rounds; round++) {
                plain.add(perRequest(logs, protocol, List.of()));
                sdk.add(perRequest(logs, protocol, SDK));
            }
            double less = Spread.of(plain).median();
            double more = Spread.of(sdk).median();
            table.add()
                    .show("protocol", "%s", protocol.scheme())
                    .show("plain_kb", "%.0f", less)
                    .show("sdk_kb", "%.0f", more)
                    .show("difference_kb", "%.0f", more - less);
            report.field("memory_extra_kb_" + protocol.scheme(), more - less);
        }
        return report.publish(out, logs.resolve(".."));
    }

    private static double perRequest(Path logs, Protocol protocol, List<String> options)
            throws IOException, InterruptedException, ExecutionException, TimeoutException {
        int dubbo = FreePorts.next();
        int triple = FreePorts.next();
        try (Processes processes = new Processes(logs);
                CallerApplication client = CallerApplication.plain()) {
            List<String> all = new ArrayList<>(options);
            all.add("-Xmx1g");
            processes.start("memory-provider", all, HoldingProcess.class, dubbo, triple);
            processes.ready("memory-provider");
            int port = protocol == Protocol.DUBBO ? dubbo : triple;
            HoldingService service = client.direct(HoldingService.class, protocol, "shanghai.test:" + port);
            byte[] body = new byte[BODY];
            for (int i = 0; i < WARM_UPS; i++) {
                end(service, send(service, body, 1));
            }
            service.used();
            long before = service.used();
            List<CompletableFuture<Integer>> calls = send(service, body, REQUESTS);
            service.used();
            long after = service.used();
            end(service, calls);
            return (after - before) / KB / REQUESTS;
        }
    }

    private static List<CompletableFuture<Integer>> send(HoldingService service, byte[] body, int requests)
            throws InterruptedException {
        List<CompletableFuture<Integer>> calls = new ArrayList<>();
        for (int i = 0; i < requests; i++) {
            calls.add(service.hold(body));
        }
        while (service.held() < requests) {
            TimeUnit.MILLISECONDS.sleep(STEP_MILLIS);
        }
        return calls;
    }

    private static void end(HoldingService service, List<CompletableFuture<Integer>> calls)
            throws InterruptedException, ExecutionException, TimeoutException {
        service.release();
        for (CompletableFuture<Integer> call : calls) {
            call.get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
        }
    }
}
