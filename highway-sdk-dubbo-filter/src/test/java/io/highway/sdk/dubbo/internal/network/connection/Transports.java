// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.connection;

import io.highway.sdk.dubbo.GatewayAddress;
import io.highway.sdk.dubbo.TrafficClass;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.policy.GatewaySpec;

/** Transports for tests of connections. */
public final class Transports {

    private Transports() {}

    /** For Triple without TLS, with a second to connect. */
    public static ConnectionOpener triple() {
        GatewayAddress address = GatewayAddress.of(TunnelKind.TRIPLE, "gateway", 50051, false);
        return new ConnectionOpener(
                new GatewaySpec(address, null, null, 1000, TrafficClass.INTERACTIVE),
                ConnectionPreface.HTTP2,
                new IslandTraffic());
    }
}
