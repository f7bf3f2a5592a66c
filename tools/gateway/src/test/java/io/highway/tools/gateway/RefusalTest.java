// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway;

import static io.highway.tools.gateway.TestCaller.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.highway.tools.fixtures.ports.FreePorts;
import java.util.List;
import org.apache.dubbo.rpc.RpcContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A call that cannot be forwarded is refused at once, with the reason. */
@Tag("network")
class RefusalTest {
    private int deadPort;
    private Gateway gateway;
    private TestCaller caller;

    @BeforeEach
    void start() {
        deadPort = FreePorts.next();
        gateway = Gateway.start(TestProviders.gateway()
                .providers("shanghai", "com.foo.Sms", List.of("shanghai.test:1"), List.of("shanghai.test:1"))
                .next("beijing", List.of("gateway.beijing.test:" + deadPort))
                .maxFrame(1 << 20)
                .build());
        caller = new TestCaller();
    }

    @AfterEach
    void stop() {
        RpcContext.removeContext();
        caller.close();
        gateway.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"dubbo", "tri"})
    void statesNotForwarded(String protocol) {
        EchoService service = caller.refer(EchoService.class, protocol, gateway.port());
        String name = EchoService.class.getName();

        assertThatThrownBy(() -> service.echo("x")).hasMessageContaining("HIGHWAY-NOT-FORWARDED: no-island");
        assertThatThrownBy(() -> to("tokyo", () -> service.echo("x")))
                .hasMessageContaining("HIGHWAY-NOT-FORWARDED: tokyo;unknown-island tokyo");
        assertThatThrownBy(() -> to("shanghai", () -> service.echo("x")))
                .hasMessageContaining("HIGHWAY-NOT-FORWARDED: shanghai;no-provider " + name);
        assertThatThrownBy(() -> to("beijing", () -> service.echo("x")))
                .hasMessageContaining(
                        "HIGHWAY-NOT-FORWARDED: beijing;upstream-unreachable gateway.beijing.test:" + deadPort);
        assertThat(gateway.stats().refused()).isEqualTo(4);
        assertThat(gateway.stats().forwarded()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"dubbo"})
    void refusesFramesOverTheLimit_andKeepsTheConnection(String protocol) {
        EchoService service = caller.refer(EchoService.class, protocol, gateway.port());

        assertThatThrownBy(() -> to("beijing", () -> service.bytes(new byte[2 << 20])))
                .hasMessageContaining("HIGHWAY-NOT-FORWARDED: unreadable frame of 20");
        assertThatThrownBy(() -> service.echo("x")).hasMessageContaining("no-island");
        assertThat(gateway.stats().dubboConnections()).isEqualTo(1);
    }
}
