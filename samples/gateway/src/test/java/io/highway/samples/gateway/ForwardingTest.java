// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.gateway;

import static io.highway.samples.gateway.TestCaller.to;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Plain Dubbo consumers reach plain Dubbo providers through one gateway and through a chain of two. */
class ForwardingTest {
    private static TestIsland island;
    private static Gateway gateway;
    private static Gateway hub;
    private static TestCaller caller;

    @BeforeAll
    static void start() {
        island = TestIsland.start("shanghai");
        gateway = Gateway.start(GatewayConfig.builder()
                .island("shanghai")
                .listen("gateway.shanghai.test", 0)
                .providers("shanghai", "*", island.dubbo(), island.triple())
                .build());
        hub = Gateway.start(GatewayConfig.builder()
                .island("hub")
                .listen("gateway.hub.test", 0)
                .defaultNext(java.util.List.of("gateway.shanghai.test:" + gateway.port()))
                .build());
        caller = new TestCaller();
    }

    @AfterAll
    static void stop() {
        caller.close();
        hub.close();
        gateway.close();
        island.close();
    }

    @ParameterizedTest
    @CsvSource({"dubbo,hessian2", "dubbo,fastjson2", "tri,hessian2", "tri,fastjson2"})
    void carriesCallsThroughOneGatewayAndThroughTwo(String protocol, String serialization) {
        Map<String, String> parameters = Map.of("serialization", serialization, "prefer.serialization", serialization);
        EchoService direct = caller.refer(EchoService.class, protocol, gateway.port(), parameters);
        EchoService chained = caller.refer(EchoService.class, protocol, hub.port(), parameters);

        assertThat(to("shanghai", () -> direct.echo("one"))).isEqualTo("shanghai:one");
        assertThat(to("shanghai", () -> chained.echo("two"))).isEqualTo("shanghai:two");
    }
}
