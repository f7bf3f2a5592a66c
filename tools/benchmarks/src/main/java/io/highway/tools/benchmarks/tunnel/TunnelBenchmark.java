// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.tunnel;

import io.highway.tools.benchmarks.calls.ProviderProcess;
import io.highway.tools.benchmarks.calls.Signing;
import io.highway.tools.benchmarks.measure.Alternation;
import io.highway.tools.benchmarks.measure.Benchmark;
import io.highway.tools.benchmarks.measure.Callers;
import io.highway.tools.benchmarks.measure.Machine;
import io.highway.tools.benchmarks.measure.Report;
import io.highway.tools.benchmarks.measure.Side;
import io.highway.tools.benchmarks.measure.Table;
import io.highway.tools.gateways.GatewayKind;
import io.highway.tools.gateways.GatewayStar;
import io.highway.tools.gateways.Island;
import io.highway.tools.gateways.Protocol;
import io.highway.tools.processes.Processes;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Compares the SDK's calls with those of a plain reference that has the gateway's address, and whose caller attaches
 * the destination explicitly: what remains is the SDK's own work, and its bytes.
 */
@Command(name = "tunnel", mixinStandardHelpOptions = true, description = "what the SDK costs on the way to a gateway")
public final class TunnelBenchmark extends Benchmark {

    private static final List<Integer> BODIES = List.of(2 << 10, 80 << 10);
    private static final List<Integer> CALLERS = List.of(1, 64);
    private static final Set<String> DEFAULTS = Set.of(GatewayKind.REFERENCE.word(), GatewayKind.ENVOY.word());

    /** Straight to the provider. */
    private static final String DIRECT = "direct";

    private static final String HOME = "zhejiang";

    /** One thread serves the connections of both sides, so that neither has an advantage. */
    private static final String[] ONE_WORKER = {"--concurrency", "1"};

    private static final Plan FULL = new Plan(7, 40, 40, Duration.ofSeconds(2));
    private static final Plan QUICK = new Plan(2, 10, 12, Duration.ofMillis(400));
    /** Many callers wait for each other, so p50 differs more from mix to mix. */
    private static final int MORE_OF_MANY = 3;

    private static final Duration MIX = Duration.ofMillis(60);
    private static final Duration SLICE = Duration.ofMillis(35);

    private static final String[] COLUMNS = {
        "gateway",
        "protocol",
        "body",
        "callers",
        "p50 ms: plain, SDK",
        "ratio",
        "least to most",
        "p99 ms: plain, SDK",
        "calls/s: plain, SDK",
        "ratio",
        "CPU us per call: plain, SDK",
        "ratio",
        "provider's",
        "allocated: ratio"
    };

    @Option(names = "--only", split = ",", description = "of direct,nginx,reference,envoy; default: reference,envoy")
    private Set<String> only = DEFAULTS;

    @Option(names = "--signed", description = "the SDK's calls are signed, and the provider demands it")
    private boolean signed;

    @Option(names = "--connections", description = "of each side, one after another; default: 7, of --quick 2")
    private int connections;

    private final List<Processes> processes = new ArrayList<>();
    private final List<BothPaths> paths = new ArrayList<>();
    private final List<Pair> pairs = new ArrayList<>();
    private final List<WireBytes> bytes = new ArrayList<>();

    /**
     * How much is measured.
     *
     * @param connections how many each side has, one after another
     * @param mixes how often a caller begins to call both sides alternately over each, for a few hundredths of a
     *     second; of many callers, three times as often
     * @param slices how often they call one side and then the other, as shortly, but each at least once: what else
     *     happens falls on both sides
     * @param warmUp how long each side is called first, without counting; where it is slow, longer
     */
    record Plan(int connections, int mixes, int slices, Duration warmUp) {}

    /** For picocli. */
    public TunnelBenchmark() {}

    /** With these gateways, independent of the command line. */
    TunnelBenchmark(Set<String> only, boolean signed) {
        this.only = only;
        this.signed = signed;
    }

    private Signing signing() {
        return signed ? Signing.ON : Signing.OFF;
    }

    @Override
    protected boolean run(Path logs, PrintStream out) throws IOException, InterruptedException {
        return run(logs, plan(), out);
    }

    private Plan plan() {
        Plan plan = plan(FULL, QUICK);
        return connections == 0 ? plan : new Plan(connections, plan.mixes, plan.slices, plan.warmUp);
    }

    /** Returns whether every call was answered. */
    boolean run(Path logs, Plan plan, PrintStream out) throws IOException, InterruptedException {
        Machine machine = Machine.here();
        try {
            Processes provider = newProcesses(logs);
            Island shanghai = ProviderProcess.start(provider, signing());
            for (String way : new TreeSet<>(only)) {
                start(way, shanghai, logs.resolve("tunnel-" + way));
            }
            ProcessHandle answering =
                    ProcessHandle.of(provider.get(ProviderProcess.NAME).pid()).orElseThrow();
            try (Callers callers = new Callers(CALLERS.get(CALLERS.size() - 1), answering)) {
                measure(plan, callers);
            }
            return report(machine, plan).publish(out, logs.resolve(".."));
        } finally {
            paths.forEach(BothPaths::close);
            processes.forEach(Processes::close);
        }
    }

    private void measure(Plan plan, Callers callers) throws InterruptedException {
        List<List<Side>> alone = pairs.stream().map(pair -> pair.alone().both()).toList();
        Duration warmUp = plan.warmUp;
        for (int connection = 0; connection < plan.connections; connection++) {
            if (connection > 0) {
                paths.forEach(BothPaths::reconnect);
                warmUp = MIX;
            }
            new Alternation(plan.slices, warmUp, SLICE).take(alone, callers);
            for (Pair pair : pairs) {
                int mixes = pair.callers() == 1 ? plan.mixes : MORE_OF_MANY * plan.mixes;
                Side.roundAlternately(pair.mixed().both(), callers, mixes, MIX);
            }
        }
    }

    private void start(String way, Island shanghai, Path own) throws IOException {
        String[] options = way.equals(GatewayKind.ENVOY.word()) ? ONE_WORKER : new String[0];
        GatewayStar gateway = way.equals(DIRECT)
                ? null
                : GatewayStar.single(
                        GatewayKind.of(way).orElseThrow(), newProcesses(own), own, HOME, shanghai, options);
        String title = gateway == null ? DIRECT : gateway.version();
        for (Protocol protocol : Protocol.OF_DUBBO) {
            String provider = protocol == Protocol.DUBBO ? shanghai.dubbo() : shanghai.triple();
            String entrance = gateway == null
                    ? provider
                    : gateway.entrance(protocol, shanghai.id()).orElseThrow().plain();
            BothPaths both = new BothPaths(protocol, entrance, shanghai.id(), signing());
            paths.add(both);
            for (int length : BODIES) {
                byte[] body = new byte[length];
                new Random(length).nextBytes(body);
                CALLERS.forEach(callers -> pairs.add(Pair.of(title, both, body, callers)));
                if (way.equals(only.contains(DIRECT) ? DIRECT : new TreeSet<>(only).last())) { // gateways add headers
                    bytes.add(WireBytes.count(protocol, Island.port(provider), Island.port(entrance), body, signing()));
                }
            }
        }
    }

    private Processes newProcesses(Path logs) throws IOException {
        Processes started = new Processes(logs);
        processes.add(started);
        return started;
    }

    private Report report(Machine machine, Plan plan) {
        Report report = new Report(
                        signed ? "tunnel-signed" : "tunnel",
                        command(),
                        machine,
                        plan.connections
                                + " connections of each side, made one after another. p50 and p99: each caller calls"
                                + " plainly and by the SDK alternately; medians of the connections. calls/s: all"
                                + " callers use one side for "
                                + SLICE.toMillis() + " ms and then the other, " + plan.slices
                                + " times per connection; medians of the slices. Ratios are the SDK's number divided"
                                + " by the plain reference's of the same connection or slice. CPU is that of the"
                                + " callers' process and of the provider's, over all slices.")
                .field("connections", plan.connections)
                .field("p50_ratio", worst(pair -> pair.p50Ratio().median()))
                .field("throughput_ratio", -worst(pair -> -pair.throughputRatio()
                        .median()))
                .field("processor_ratio", worst(pair -> pair.costRatio(Side::processorMicros)))
                .field("provider_ratio", worst(pair -> pair.costRatio(Side::answeringMicros)))
                .field("allocated_ratio", worst(pair -> pair.costRatio(Side::allocatedBytes)))
                .field(
                        "extra_bytes",
                        bytes.stream().mapToDouble(WireBytes::extra).max().orElse(Double.NaN));
        Table table =
                report.table("The same calls by a plain reference with the gateway's address, and by the SDK", COLUMNS);
        pairs.forEach(pair -> pair.add(table));
        Table onWire = report.table(
                "Bytes of a call on the caller's connection, both directions",
                "protocol",
                "body",
                "plain",
                "SDK",
                "more");
        bytes.forEach(count -> onWire.add()
                .with("protocol", count.protocol().word())
                .cells(count.protocol().title())
                .show("body_bytes", "%d", count.bodyBytes())
                .show("plain_bytes", "%.0f", count.plain())
                .show("sdk_bytes", "%.0f", count.sdk())
                .show("extra_bytes", "%.0f", count.extra()));
        return report;
    }

    private String command() {
        String ways = String.join(",", new TreeSet<>(only));
        return command(signed ? " --signed" : "", only.equals(DEFAULTS) ? "" : " --only " + ways);
    }

    private double worst(ToDoubleFunction<Pair> value) {
        return pairs.stream().mapToDouble(value).max().orElse(Double.NaN);
    }
}
