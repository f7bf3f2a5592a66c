// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.highway.sdk.dubbo.GatewayAddress;
import io.highway.sdk.dubbo.TrafficClass;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.policy.ForwardProxy;
import io.highway.sdk.dubbo.internal.policy.GatewaySpec;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Applications that use the same gateway address, and the end of what they share. */
class GatewayClientsTest {

    private final FrameworkModel framework = new FrameworkModel();
    private final GatewayClients clients = GatewayClients.of(framework);

    @AfterEach
    void stop() {
        framework.destroy();
    }

    private static GatewaySpec gateway(TunnelKind kind, TrafficClass calls, @Nullable ForwardProxy proxy) {
        return new GatewaySpec(GatewayAddress.of(kind, "gateway", 50051, false), null, proxy, 1000, calls);
    }

    private GatewayClient use(@Nullable ForwardProxy proxy) {
        return clients.use(gateway(TunnelKind.TRIPLE, TrafficClass.INTERACTIVE, proxy), 1);
    }

    @Test
    void areShared_byApplicationsWithTheSameProxyOnly() {
        GatewayClient first = use(new ForwardProxy("http", "proxy", 3128, "app", "secret"));

        assertThat(use(new ForwardProxy("http", "proxy", 3128, "app", "secret")))
                .isSameAs(first);
        assertThatIllegalStateException()
                .isThrownBy(() -> use(null))
                .withMessage(
                        "highway.gateways.proxy: another application of this JVM reaches gateway:50051 with another"
                                + " proxy, and connections are shared by address. Use the same proxy in both");
    }

    @ParameterizedTest
    @EnumSource
    void areClosed_withTheirLastUser(TunnelKind kind) {
        GatewaySpec gateway = gateway(kind, TrafficClass.INTERACTIVE, null);
        GatewayClient first = clients.use(gateway, 1);
        assertThat(clients.isShared(gateway)).isFalse();
        assertThat(clients.use(gateway(kind, TrafficClass.BULK, null), 1)).isNotSameAs(first);
        assertThat(clients.use(gateway, 1)).isSameAs(first);
        assertThat(clients.isShared(gateway)).isTrue();

        clients.release(gateway);
        assertThat(first.needsRenewal()).isTrue();
        clients.release(gateway);

        assertThat(first.needsRenewal()).isFalse();
        assertThat(clients.use(gateway, 1)).isNotSameAs(first);
    }

    @ParameterizedTest
    @EnumSource
    void areClosed_withTheirFramework_howeverLateTheyWereCreated(TunnelKind kind) {
        GatewayClient before = clients.use(gateway(kind, TrafficClass.INTERACTIVE, null), 1);

        clients.destroy();

        assertThat(before.needsRenewal()).isFalse();
        GatewayClient after = clients.use(gateway(kind, TrafficClass.BULK, null), 1);
        assertThat(after.needsRenewal()).isFalse();
    }
}
