// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.cases;

import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Reason;
import io.highway.tools.conformance.bench.Bench;
import io.highway.tools.conformance.bench.Client;
import io.highway.tools.conformance.service.Noise;
import io.highway.tools.gateways.Protocol;
import java.util.Arrays;
import java.util.List;

/** Small and large requests and answers. */
final class Bodies {

    private static final int KB = 1 << 10;
    private static final int MB = 1 << 20;

    /** The SDK's limit, less the bytes around the body. */
    private static final int JUST_UNDER = 4 * MB - 4 * KB;

    private Bodies() {}

    static List<Case> cases() {
        return List.of(
                Case.all("request bodies up to 4 MB", Bodies::up),
                Case.all("answers up to 7 MB", Bodies::down),
                Case.all("request over the limit", Bodies::over));
    }

    private static String up(Bench bench, Protocol protocol) throws Exception {
        Client client = bench.client(protocol);
        for (int size : new int[] {2 * KB, 80 * KB, MB, JUST_UNDER}) {
            byte[] body = Noise.bytes(size);
            String id = bench.newId("up");
            Expect.same("CRC of " + size + " bytes", Noise.crc(body), client.to("shanghai", () -> client.desk()
                    .take(id, body)));
        }
        return "2 KB, 80 KB, 1 MB, 4 MB - 4 KB";
    }

    private static String down(Bench bench, Protocol protocol) throws Exception {
        Client client = bench.client(protocol);
        for (int size : new int[] {2 * KB, 80 * KB, MB, 7 * MB}) {
            String id = bench.newId("down");
            byte[] came = client.to("shanghai", () -> client.desk().give(id, size));
            Expect.holds(
                    Arrays.equals(Noise.bytes(size), came),
                    size + " bytes as they were sent",
                    came.length + " bytes, CRC " + Noise.crc(came));
        }
        return "2 KB, 80 KB, 1 MB, 7 MB";
    }

    private static String over(Bench bench, Protocol protocol) {
        Client client = bench.client(protocol);
        String id = bench.newId("over");
        HighwayException refusal = Expect.notSent(
                bench, id, () -> client.to("shanghai", () -> client.desk().take(id, new byte[4 * MB + 1])));
        Expect.same("reason", Reason.TOO_LARGE, refusal.reason());
        return "too-large, not sent";
    }
}
