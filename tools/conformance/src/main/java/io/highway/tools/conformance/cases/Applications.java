// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.cases;

import io.highway.tools.conformance.bench.Bench;
import io.highway.tools.conformance.bench.Client;
import io.highway.tools.conformance.service.billing.Bills;
import io.highway.tools.gateways.ApplicationsGateway;
import io.highway.tools.gateways.Protocol;
import java.util.List;
import java.util.Map;

/** Several applications behind one island. */
final class Applications {

    private static final String ISLAND = "shanghai";
    private static final int CALLS = 20;

    private Applications() {}

    static List<Case> cases() {
        return List.of(Case.both("two applications", Applications::both));
    }

    /** Each has services that the other has not. */
    private static String both(Bench bench, Protocol protocol) throws Exception {
        bench.entrance(protocol, ISLAND);
        ApplicationsGateway gateway = bench.applications();
        Map<String, String> billing = protocol == Protocol.DUBBO
                ? Map.of(
                        "highway.islands." + ISLAND + ".services." + Bills.class.getPackageName() + ".*.gateways.dubbo",
                        gateway.billingDubbo())
                : Map.of();
        String entrance = protocol == Protocol.DUBBO ? gateway.smsDubbo() : gateway.triple();
        try (Client client = bench.newClient(protocol, "applications", any -> entrance, billing)) {
            client.awaitConnected();
            Bills bills = client.refer(Bills.class);
            for (int call = 0; call < CALLS; call++) {
                String id = bench.newId("applications");
                Expect.same("answer of sms", ISLAND + " x", client.to(ISLAND, () -> client.desk()
                        .answer(id, "x")));
                Expect.same("answer of billing", ISLAND + " charged x", client.to(ISLAND, () -> bills.charge(id, "x")));
            }
        }
        return CALLS + " calls to each, both answer";
    }
}
