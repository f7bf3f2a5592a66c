// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.cases;

import io.highway.tools.conformance.bench.Bench;
import io.highway.tools.fixtures.http.HttpOrigin;
import io.highway.tools.fixtures.http.HttpOrigin.Then;
import io.highway.tools.fixtures.http.RawPost;
import io.highway.tools.gateways.PairGateway;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Whether a gateway sends the POST of a call again after a server has read it. */
final class Resends {

    private static final int[] LENGTHS = {2 << 10, 1 << 20};

    private Resends() {}

    static List<Case> cases() {
        return List.of(Case.http("gateway resends", (bench, protocol) -> run(bench)));
    }

    /** Two servers read each request whole and then reset, close or answer 503. */
    private static String run(Bench bench) throws Exception {
        List<String> twice = new ArrayList<>();
        int calls = 0;
        try (HttpOrigin one = new HttpOrigin(0);
                HttpOrigin other = new HttpOrigin(0)) {
            PairGateway gateway = bench.pair(one.port(), other.port());
            RawPost client = new RawPost(gateway.http());
            for (Then then : List.of(Then.RESET, Then.CLOSE, Then.UNAVAILABLE)) {
                one.then(then);
                other.then(then);
                for (int length : LENGTHS) {
                    String id = bench.newId("resend");
                    send(client, id, length);
                    calls++;
                    int executions = one.executions(id) + other.executions(id);
                    if (executions != 1) {
                        twice.add(executions + " times after " + then + " with " + length + " bytes");
                    }
                }
            }
            Expect.holds(
                    twice.isEmpty(),
                    "each call to be sent once",
                    String.join(", ", twice) + "; the setting: " + gateway.advice());
        }
        return calls + " calls that ended without an answer, each sent once";
    }

    private static void send(RawPost client, String id, int length) throws InterruptedException {
        try {
            client.send("shanghai", id, new byte[length]);
        } catch (IOException e) {
            // no answer, as the case intends
        }
    }
}
