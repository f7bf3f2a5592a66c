// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.highway.sdk.dubbo.internal.config.ForwardProxy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class GatewayTransportsTest {

    private final GatewayTransports transports = new GatewayTransports();

    private GatewayTransport use(@Nullable ForwardProxy proxy) {
        return transports.use(
                "tri", "gateway:50051", new GatewayTransport(null, proxy, "gateway", 50051, Greeting.HTTP2, 1000));
    }

    @Test
    void shareAnAddress_ofApplicationsWithTheSameProxyOnly() {
        GatewayTransport first = use(new ForwardProxy("http", "proxy", 3128, "app", "secret"));

        assertThat(use(new ForwardProxy("http", "proxy", 3128, "app", "secret")))
                .isSameAs(first);
        assertThatIllegalStateException()
                .isThrownBy(() -> use(null))
                .withMessage(
                        "highway.gateways.proxy: another application of this JVM reaches gateway:50051 with another"
                                + " proxy, and connections are shared by address. Use the same proxy in both");
    }
}
