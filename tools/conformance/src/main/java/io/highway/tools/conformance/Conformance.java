// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance;

import io.highway.tools.conformance.bench.Islands;
import io.highway.tools.conformance.cases.Case;
import io.highway.tools.conformance.cases.Cases;
import io.highway.tools.gateways.GatewayKind;
import io.highway.tools.gateways.Protocol;
import io.highway.tools.processes.RunCommand;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Checks, case by case, whether a gateway complies with the wire contract. */
@Command(name = "conformance", mixinStandardHelpOptions = true)
public final class Conformance extends RunCommand {

    private static final String CUSTOM = "custom";
    private static final String TABLE = "table";
    private static final String RESENDS = "gateway resends";
    private static final String UPSTREAMS = "one island in each upstream";
    private static final String LOOPBACK_NAME = "gateway.zhejiang.test";

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(
            index = "0",
            paramLabel = "<gateway>",
            description =
                    "envoy, nginx, haproxy, apisix, scg, scg-mvc, zuul, edge, reference, custom for one that is there already,"
                            + " or table for the last runs side by side")
    private String gateway = "";

    @Option(
            names = "--dubbo",
            paramLabel = "[<island>=]<host:port>",
            description = "custom: where it takes the Dubbo protocol, for all islands or for one; may be repeated")
    private List<String> dubbo = List.of();

    @Option(
            names = "--triple",
            paramLabel = "[<island>=]<host:port>",
            description = "custom: where it takes Triple, for all islands or for one; may be repeated")
    private List<String> triple = List.of();

    @Option(
            names = "--http",
            paramLabel = "[<island>=]<host:port>",
            description = "custom: where it takes the HTTP tunnel, for all islands or for one; may be repeated")
    private List<String> http = List.of();

    @Option(names = "--wait", description = "custom: seconds to wait for it, default ${DEFAULT-VALUE}")
    private int waitSeconds = 300;

    @Option(names = "--only", description = "only cases whose name contains this")
    private String only = "";

    @Option(names = "--over", description = "only over one of ${COMPLETION-CANDIDATES}")
    private @Nullable Protocol over;

    @Option(names = "--resends", description = "only \"" + RESENDS + "\", with retries of the gateway: it must fail")
    private boolean resends;

    @Option(
            names = "--both-islands",
            description = "reference: only \"" + UPSTREAMS + "\", with two islands in one upstream: it must fail")
    private boolean bothIslands;

    @Option(names = "--quick", description = "without the cases over 10 s")
    private boolean quick;

    /** Exits with 0 only if no case failed. */
    public static void main(String[] arguments) {
        exit(new Conformance(), arguments);
    }

    @Override
    protected boolean run(Path logs, PrintStream out) throws IOException, InterruptedException {
        if (gateway.equals(TABLE)) {
            new Table(logs).print(out);
            return true;
        }
        List<Case> cases = Cases.all().stream()
                .filter(one -> one.name().contains(resends ? RESENDS : bothIslands ? UPSTREAMS : only))
                .map(one -> over == null ? one : one.over(over))
                .toList();
        ConformanceRun run = new ConformanceRun(logs, cases, quick, resends, bothIslands, out);
        if (gateway.equals(CUSTOM)) {
            if (dubbo.isEmpty() && triple.isEmpty() && http.isEmpty()) {
                throw new ParameterException(commandLine(), "custom needs --dubbo, --triple or --http");
            }
            return run.custom(
                    new CustomStar(Map.of(
                            Protocol.DUBBO, addresses(dubbo),
                            Protocol.TRIPLE, addresses(triple),
                            Protocol.HTTP, addresses(http))),
                    waitSeconds);
        }
        Optional<GatewayKind> kind = GatewayKind.of(gateway);
        if (kind.isEmpty()) {
            throw new ParameterException(
                    commandLine(),
                    "there is no gateway \"" + gateway
                            + "\"; there are envoy, nginx, haproxy, apisix, scg, scg-mvc, zuul, edge, reference, custom");
        }
        return run.of(kind.get());
    }

    private CommandLine commandLine() {
        return spec == null ? new CommandLine(this) : spec.commandLine();
    }

    private Map<String, String> addresses(List<String> written) {
        Map<String, String> addresses = new HashMap<>();
        for (String one : written) {
            int equals = one.indexOf('=');
            String island = equals < 0 ? CustomStar.ANY : one.substring(0, equals);
            String address = one.substring(equals + 1);
            if (!address.matches("[^:]+:\\d+") || (equals >= 0 && !Islands.ALL.contains(island))) {
                throw new ParameterException(
                        commandLine(),
                        "\"" + one + "\" is not host:port or <island>=host:port with an island of " + Islands.ALL);
            }
            // Dubbo swaps a loopback address for the one of a network card, and leaves names alone
            addresses.put(island, address.replaceFirst("^(127\\.0\\.0\\.1|localhost):", LOOPBACK_NAME + ":"));
        }
        return addresses;
    }
}
