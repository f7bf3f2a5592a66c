// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.cases;

import io.highway.tools.conformance.bench.Bench;
import io.highway.tools.conformance.bench.Client;
import io.highway.tools.conformance.bench.Islands;
import io.highway.tools.conformance.service.Noise;
import io.highway.tools.gateways.BodySizes;
import io.highway.tools.gateways.Protocol;
import java.util.Random;

/**
 * Bodies of all sizes side by side, in both directions: a large one that waits for its window must not disturb the
 * small ones, which calls of one size never show.
 */
final class MixedSizes {

    private static final int CALLERS = 32;
    private static final int CALLS = 20;

    private MixedSizes() {}

    /** With the SDK at the provider, and with Dubbo alone. */
    static String run(Bench bench, Protocol protocol) throws Exception {
        int calls = 0;
        for (String island : Islands.among(protocol, "shanghai", Interop.ADVISED)) {
            calls += load(bench, protocol, island);
        }
        return calls + " calls of " + CALLERS + " callers, 0.5 to 200 KB";
    }

    private static int load(Bench bench, Protocol protocol, String island) throws Exception {
        try (Client client = bench.newClient(protocol, "mixed-" + island, Bench.withoutBreaker(island))) {
            client.to(island, () -> client.desk().answer(bench.newId("warm"), "x"));
            return Load.run(bench, island, CALLERS, CALLS, (id, random) -> call(client, island, id, random));
        }
    }

    /** Half of the bodies go there, half come back. */
    private static void call(Client client, String island, String id, Random random) throws Exception {
        int size = BodySizes.next(random);
        byte[] body = Noise.bytes(size);
        if (random.nextBoolean()) {
            Expect.same("CRC of " + size + " bytes", Noise.crc(body), client.to(island, () -> client.desk()
                    .take(id, body)));
        } else {
            byte[] came = client.to(island, () -> client.desk().give(id, size));
            Expect.same("CRC of " + size + " bytes", Noise.crc(body), Noise.crc(came));
        }
    }
}
