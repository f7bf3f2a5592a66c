// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.cases;

import static io.highway.tools.conformance.bench.Islands.UNKNOWN;

import io.highway.sdk.dubbo.HighwayException;
import io.highway.tools.conformance.bench.Bench;
import io.highway.tools.conformance.bench.Client;
import io.highway.tools.conformance.bench.Islands;
import io.highway.tools.conformance.service.Grouped;
import io.highway.tools.gateways.Protocol;
import java.util.List;
import org.apache.dubbo.rpc.service.EchoService;

/** Where calls go. */
final class Routing {

    private static final int TURNS = 20;

    private Routing() {}

    static List<Case> cases() {
        return List.of(
                Case.all("routing to each island", Routing::eachIsland),
                Case.all("one island in each upstream", Routing::oneIsland),
                Case.all("unknown island", Routing::unknownIsland),
                Case.all("group and version", Routing::groupAndVersion),
                Case.all("heartbeat", Routing::heartbeat));
    }

    private static String eachIsland(Bench bench, Protocol protocol) throws Exception {
        Client client = bench.client(protocol);
        // sichuan over Triple is a separate case
        List<String> islands = Islands.among(protocol, Islands.PROVIDERS.toArray(String[]::new)).stream()
                .filter(island -> protocol == Protocol.DUBBO || !island.equals(Interop.STOCK))
                .toList();
        for (String island : islands) {
            String id = bench.newId("route");
            Expect.answer(client, island, id, "hello");
            Expect.same(
                    "executions in " + island, 1, bench.islands().ledger(island).executions(id));
            Expect.same("executions everywhere", 1, bench.islands().executions(id));
        }
        return "answered by " + String.join(", ", islands);
    }

    /** A provider that consents to stand in for another island serves its calls, too: routes keep them apart. */
    private static String oneIsland(Bench bench, Protocol protocol) throws Exception {
        Client client = bench.client(protocol);
        String prefix = bench.newId("upstream") + "-";
        for (int call = 0; call < TURNS; call++) {
            String id = prefix + call;
            client.to(Islands.REPLACEABLE, () -> client.desk().answer(id, "hello"));
        }
        int there =
                bench.islands().ledger(Islands.REPLACEABLE).executionsOf(prefix).size();
        Expect.holds(
                there == TURNS,
                TURNS + " calls that ran in " + Islands.REPLACEABLE,
                there + "; the setting: the upstream of an island has providers of another one, which stand in for it");
        return there + " calls in turn, all in " + Islands.REPLACEABLE;
    }

    private static String unknownIsland(Bench bench, Protocol protocol) {
        Client client = bench.client(protocol);
        String id = bench.newId("unknown");
        HighwayException refusal = Expect.notSent(
                bench, id, () -> client.to(UNKNOWN, () -> client.desk().answer(id, "hello")));
        return refusal.reason() + ", not sent";
    }

    private static String groupAndVersion(Bench bench, Protocol protocol) throws Exception {
        Client client = bench.client(protocol);
        for (String[] there : new String[][] {{"blue", "1.0.0"}, {"green", "2.0.0"}}) {
            Grouped service = client.grouped(there[0], there[1]);
            String id = bench.newId("group");
            Expect.same(
                    "answer",
                    "shanghai " + there[0] + ":" + there[1],
                    client.to("shanghai", () -> service.whoAreYou(id)));
        }
        String reasons = "";
        for (String[] missing : new String[][] {{"red", "1.0.0"}, {"blue", "2.0.0"}}) {
            Grouped service = client.grouped(missing[0], missing[1]);
            String id = bench.newId("group");
            HighwayException refusal =
                    Expect.notSent(bench, id, () -> client.to("shanghai", () -> service.whoAreYou(id)));
            reasons = refusal.reason().word();
        }
        return "right ones found, wrong ones " + reasons;
    }

    private static String heartbeat(Bench bench, Protocol protocol) throws Exception {
        Client client = bench.client(protocol);
        List<String> islands = Islands.among(protocol, "shanghai", "yunnan");
        for (String island : islands) {
            String id = bench.newId("echo");
            Expect.same("echo", id, client.to(island, () -> ((EchoService) client.desk()).$echo(id)));
            Expect.same(
                    "island on the wire of $echo",
                    island,
                    bench.islands().ledger(island).wire(id).get("highway-island"));
        }
        return "$echo reached " + String.join(", ", islands);
    }
}
