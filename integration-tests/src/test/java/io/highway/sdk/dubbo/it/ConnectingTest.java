// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.dubbo.GatewayAddress;
import io.highway.sdk.dubbo.TrafficClass;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.network.connection.ConnectionPool;
import io.highway.sdk.dubbo.internal.network.connection.ReconnectingLink;
import io.highway.sdk.dubbo.internal.policy.GatewaySpec;
import java.util.concurrent.TimeUnit;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a call sees of a connection while it comes up. */
@Tag("network")
class ConnectingTest {

    /**
     * A call that sees it as down does not wait for it: home serves the call. Repeated, since it takes two reads that have
     * the moment of the connection between them.
     */
    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS)
    void isNeverSeenAsDown() throws Exception {
        FrameworkModel framework = new FrameworkModel();
        try (RawDubboGateway server = new RawDubboGateway()) {
            GatewaySpec gateway = new GatewaySpec(
                    GatewayAddress.of(TunnelKind.DUBBO, "gateway.zhejiang.test", server.port(), false),
                    null,
                    null,
                    30_000, // a pause of the machine is no failed attempt
                    TrafficClass.INTERACTIVE);
            for (int i = 0; i < 100; i++) {
                ConnectionPool pool = new ConnectionPool(framework.newApplication());
                ReconnectingLink connection = pool.connection(gateway);
                do {
                    assertThat(connection.mayBeUp()).isTrue();
                } while (!connection.isUp());
                pool.destroy();
            }
        } finally {
            framework.destroy();
        }
    }
}
