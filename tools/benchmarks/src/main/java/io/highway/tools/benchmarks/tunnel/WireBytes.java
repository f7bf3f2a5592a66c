// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.tunnel;

import io.highway.tools.benchmarks.calls.CallPath;
import io.highway.tools.benchmarks.calls.Signing;
import io.highway.tools.benchmarks.measure.Spread;
import io.highway.tools.fixtures.faults.FaultyLink;
import io.highway.tools.fixtures.faults.FaultyLinks;
import io.highway.tools.fixtures.faults.Traffic;
import io.highway.tools.gateways.Protocol;
import java.util.ArrayList;
import java.util.List;

/**
 * Bytes on the caller's connection per call, there and back, without those of TCP and IP: of a plain reference without
 * any attachment to the provider, and of the SDK to a gateway. Counted call by call, so that heartbeats are not
 * included.
 *
 * @param protocol what the calls travel by
 * @param bodyBytes of each request
 * @param plain the median of the plain reference's calls
 * @param sdk the median of the SDK's calls
 */
record WireBytes(Protocol protocol, int bodyBytes, double plain, double sdk) {

    /** The first calls on a connection cost more: HPACK learns the headers. */
    private static final int FIRST = 50;

    private static final int CALLS = 200;
    private static final String HOST = "gateway.zhejiang.test:";

    /** Counts calls one after another. */
    static WireBytes count(Protocol protocol, int providerPort, int gatewayPort, byte[] body, Signing signing) {
        try (FaultyLinks links = new FaultyLinks()) {
            FaultyLink toProvider = links.link(0, providerPort);
            FaultyLink toGateway = links.link(0, gatewayPort);
            try (CallPath plain = CallPath.direct(protocol, HOST + toProvider.port());
                    CallPath sdk = CallPath.through("sdk", protocol, HOST + toGateway.port(), signing.keys())) {
                return new WireBytes(
                        protocol,
                        body.length,
                        perCall(plain, toProvider.traffic(), body),
                        perCall(sdk, toGateway.traffic(), body));
            }
        }
    }

    private static double perCall(CallPath path, Traffic traffic, byte[] body) {
        List<Double> bytes = new ArrayList<>();
        for (int call = 0; call < FIRST + CALLS; call++) {
            long before = traffic.sum();
            path.upload(body);
            if (call >= FIRST) {
                bytes.add((double) (traffic.sum() - before));
            }
        }
        return Spread.of(bytes).median();
    }

    double extra() {
        return sdk - plain;
    }
}
