// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.cases;

import io.highway.tools.conformance.bench.Bench;
import io.highway.tools.conformance.bench.Client;
import io.highway.tools.conformance.service.Desk;
import io.highway.tools.gateways.Protocol;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.service.GenericService;

/** The kinds of call. */
final class Modes {

    private static final int SECONDS = 10;
    private static final String[] TYPES = {"java.lang.String", "java.lang.String"};

    private Modes() {}

    static List<Case> cases() {
        return List.of(Case.all("call modes", Modes::callModes));
    }

    private static String callModes(Bench bench, Protocol protocol) throws Exception {
        Client client = bench.client(protocol);
        Desk desk = client.desk();
        GenericService generic = client.generic();
        for (String island : List.of("shanghai", "beijing")) {
            String id = bench.newId("mode");
            String expected = island + " hello";
            Expect.same("sync", expected, client.to(island, () -> desk.answer(id, "hello")));
            Expect.same(
                    "CompletableFuture",
                    expected,
                    client.to(island, () -> desk.answerLater(id, "hello")).get(SECONDS, TimeUnit.SECONDS));
            Expect.same(
                    "asyncCall",
                    expected,
                    client.to(island, () -> RpcContext.getServiceContext().asyncCall(() -> desk.answer(id, "hello")))
                            .get(SECONDS, TimeUnit.SECONDS));
            Expect.same(
                    "$invoke",
                    expected,
                    client.to(island, () -> generic.$invoke("answer", TYPES, new Object[] {id, "hello"})));
            Expect.same(
                    "$invokeAsync",
                    expected,
                    client.to(island, () -> generic.$invokeAsync("answer", TYPES, new Object[] {id, "hello"}))
                            .get(SECONDS, TimeUnit.SECONDS));
            Expect.same("executions", 5, bench.islands().ledger(island).executions(id));
            oneway(bench, client, island);
        }
        return "sync, CompletableFuture, asyncCall, $invoke, $invokeAsync, oneway";
    }

    private static void oneway(Bench bench, Client client, String island) throws Exception {
        String id = bench.newId("oneway");
        client.to(island, () -> {
            client.desk().note(id, "noted");
            return "";
        });
        Expect.becomes(
                () -> bench.islands().ledger(island).events(id).equals(List.of("noted")),
                3000,
                "a oneway call in " + island,
                () -> Expect.shown(bench.islands().ledger(island).events(id)));
    }
}
