// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway;

import static io.highway.tools.gateway.TestCaller.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Providers come and go in a registry. */
@Tag("network")
class RegistryTest {
    @Test
    void followsTheProvidersOfARegistry() throws Exception {
        try (TestingServer zookeeper = new TestingServer();
                TestCaller caller = new TestCaller()) {
            String registry = "zookeeper://registry.test:" + zookeeper.getPort();
            GatewayConfig config =
                    TestProviders.gateway().registry("shanghai", registry).build();
            try (Gateway gateway = Gateway.start(config)) {
                EchoService dubbo = caller.refer(EchoService.class, "dubbo", gateway.port());
                EchoService triple = caller.refer(EchoService.class, "tri", gateway.port());

                assertThatThrownBy(() -> to("shanghai", () -> dubbo.echo("early")))
                        .hasMessageContaining("HIGHWAY-NOT-FORWARDED: shanghai;no-provider");
                TestProviders island = TestProviders.registered("shanghai", registry);
                await().ignoreExceptions().untilAsserted(() -> assertThat(to("shanghai", () -> dubbo.echo("a")))
                        .isEqualTo("shanghai:a"));
                await().ignoreExceptions().untilAsserted(() -> assertThat(to("shanghai", () -> triple.echo("b")))
                        .isEqualTo("shanghai:b"));
                island.close();

                await().untilAsserted(() -> assertThatThrownBy(() -> to("shanghai", () -> dubbo.echo("late")))
                        .hasMessageContaining("HIGHWAY-NOT-FORWARDED: shanghai;no-provider"));
            }
        }
    }
}
