// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.benchmarks.tunnel;

import io.highway.samples.benchmarks.calls.Protocol;
import io.highway.samples.benchmarks.calls.ProviderProcess;
import io.highway.samples.benchmarks.calls.Signing;
import io.highway.samples.benchmarks.measure.Alternation;
import io.highway.samples.benchmarks.measure.Callers;
import io.highway.samples.benchmarks.measure.Machine;
import io.highway.samples.benchmarks.measure.Report;
import io.highway.samples.benchmarks.measure.Side;
import io.highway.samples.benchmarks.measure.Table;
import io.highway.samples.gateways.Entrance;
import io.highway.samples.gateways.GatewayKind;
import io.highway.samples.gateways.GatewayStar;
import io.highway.samples.gateways.Island;
import io.highway.samples.support.Processes;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Compares the SDK's calls with those of a plain reference that has the gateway's address, and whose caller attaches
 * the destination explicitly: what remains is the SDK's own work, and its bytes.
 */
@Command(name = "tunnel", mixinStandardHelpOptions = true, description = "what the SDK costs on the way to a gateway")
public final class TunnelBenchmark implements Callable<Integer> {

    private static final List<Integer> BODIES = List.of(2 << 10, 80 << 10);
    private static final List<Integer> CALLERS = List.of(1, 64);
    private static final Set<GatewayKind> BOTH = Set.of(GatewayKind.REFERENCE, GatewayKind.ENVOY);
    private static final String HOME = "zhejiang";

    /** One thread serves the connections of both sides, so that neither has an advantage. */
    private static final String[] ONE_WORKER = {"--concurrency", "1"};

    private static final Plan FULL = new Plan(20, 40, 40, Duration.ofSeconds(2));
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
        "CPU us per call: plain, SDK"
    };

    @Option(names = "--quick", description = "three minutes instead of seventy, with wider spreads")
    private boolean quick;

    @Option(names = "--only", split = ",", description = "of reference,envoy; default: both")
    private Set<GatewayKind> only = BOTH;

    @Option(names = "--signed", description = "the SDK's calls are signed, and the provider demands it")
    private boolean signed;

    @Parameters(index = "0", hidden = true)
    private @Nullable Path folder;

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
    TunnelBenchmark(Set<GatewayKind> only, boolean signed) {
        this.only = only;
        this.signed = signed;
    }

    private Signing signing() {
        return signed ? Signing.ON : Signing.OFF;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        Path logs = Files.createDirectories(folder == null ? Path.of("target", "benchmarks") : folder);
        return run(logs, quick ? QUICK : FULL, out) ? 0 : 1;
    }

    /** Returns whether every call was answered. */
    boolean run(Path logs, Plan plan, PrintStream out) throws IOException, InterruptedException {
        Machine machine = Machine.here();
        try (Callers callers = new Callers(CALLERS.get(CALLERS.size() - 1))) {
            Island shanghai = ProviderProcess.start(newProcesses(logs), signing());
            for (GatewayKind kind : GatewayKind.values()) {
                if (only.contains(kind)) {
                    start(kind, shanghai, logs.resolve("tunnel-" + kind.word()));
                }
            }
            measure(plan, callers);
            return report(machine, plan, out, logs);
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

    private void start(GatewayKind kind, Island shanghai, Path own) throws IOException {
        GatewayStar gateway = GatewayStar.single(
                kind, newProcesses(own), own, HOME, shanghai, kind == GatewayKind.ENVOY ? ONE_WORKER : new String[0]);
        for (Protocol protocol : Protocol.values()) {
            Entrance entrance = (protocol == Protocol.DUBBO
                            ? gateway.dubbo(shanghai.id())
                            : gateway.triple(shanghai.id()))
                    .orElseThrow();
            BothPaths both = new BothPaths(protocol, entrance.plain(), shanghai.id(), signing());
            paths.add(both);
            for (int length : BODIES) {
                byte[] body = new byte[length];
                new Random(length).nextBytes(body);
                CALLERS.forEach(callers -> pairs.add(Pair.of(gateway.version(), both, body, callers)));
                if (kind == countedWith()) {
                    String provider = protocol == Protocol.DUBBO ? shanghai.dubbo() : shanghai.triple();
                    bytes.add(WireBytes.count(
                            protocol, Island.port(provider), Island.port(entrance.plain()), body, signing()));
                }
            }
        }
    }

    /** The caller's side is the same with all of them. */
    private GatewayKind countedWith() {
        return only.contains(GatewayKind.REFERENCE) ? GatewayKind.REFERENCE : GatewayKind.ENVOY;
    }

    private Processes newProcesses(Path logs) throws IOException {
        Processes started = new Processes(logs);
        processes.add(started);
        return started;
    }

    private boolean report(Machine machine, Plan plan, PrintStream out, Path logs) throws IOException {
        String command = command();
        Report report = new Report(signed ? "tunnel-signed" : "tunnel", command, machine)
                .field("connections", plan.connections);
        report.field("p50_ratio", worst(pair -> pair.p50Ratio().median()))
                .field("throughput_ratio", -worst(pair -> -pair.throughputRatio()
                        .median()))
                .field("processor_ratio", worst(Pair::processorRatio))
                .field(
                        "extra_bytes",
                        bytes.stream().mapToDouble(WireBytes::extra).max().orElse(Double.NaN));
        out.println("`" + command + "`: " + machine.inWords() + ".");
        out.println(
                plan.connections + " connections of each side, made one after another. p50 and p99: each caller calls"
                        + " plainly and by the SDK alternately; medians of the connections. calls/s: all callers use one side for "
                        + SLICE.toMillis() + " ms and then the other, " + plan.slices
                        + " times per connection; medians of the slices."
                        + " Ratios are the SDK's number divided by the plain reference's of the same connection or slice. CPU is"
                        + " that of the callers' process, over all slices.");
        out.println();
        Table table = new Table(
                out, "The same calls by a plain reference with the gateway's address, and by the SDK", COLUMNS);
        pairs.forEach(pair -> pair.print(table));
        table.end();
        Table onWire = new Table(
                out,
                "Bytes of a call on the caller's connection, both directions",
                "protocol",
                "body",
                "plain",
                "SDK",
                "more");
        for (WireBytes count : bytes) {
            onWire.row(
                    count.protocol().title(),
                    count.bodyBytes(),
                    number(count.plain()),
                    number(count.sdk()),
                    number(count.extra()));
            report.row()
                    .with("protocol", count.protocol().key())
                    .with("body_bytes", count.bodyBytes())
                    .with("plain_bytes", count.plain())
                    .with("sdk_bytes", count.sdk())
                    .with("extra_bytes", count.extra());
        }
        onWire.end();
        pairs.forEach(pair -> pair.add(report));
        report.write(logs.resolve(".."));
        List<Side> failed = pairs.stream()
                .flatMap(Pair::allSides)
                .filter(side -> side.failed() > 0)
                .toList();
        failed.forEach(side -> out.println(side.failed() + " calls failed: " + side.firstFailure()));
        return failed.isEmpty();
    }

    private String command() {
        String kinds = only.stream().map(GatewayKind::word).sorted().collect(Collectors.joining(","));
        return "samples/benchmarks/run.sh tunnel" + (quick ? " --quick" : "") + (signed ? " --signed" : "")
                + (only.containsAll(BOTH) ? "" : " --only " + kinds);
    }

    private static String number(double bytes) {
        return String.format(Locale.ROOT, "%.0f", bytes);
    }

    private double worst(ToDoubleFunction<Pair> value) {
        return pairs.stream().mapToDouble(value).max().orElse(Double.NaN);
    }
}
