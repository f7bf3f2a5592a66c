// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.highway.sdk.dubbo.GatewayAddress;
import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.TunnelKind;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class GatewaySpecTest {

    private static final String KEY = "highway.gateways.dubbo";

    @ParameterizedTest
    @CsvSource({
        "gateway.zhejiang.test:20880, gateway.zhejiang.test, 20880",
        "gateway_1:1, gateway_1, 1",
        "GW:65535, GW, 65535",
        "10.0.0.1:20880, 10.0.0.1, 20880",
        "[::1]:20880, ::1, 20880",
        "[fe80::1%eth0]:20880, fe80::1%eth0, 20880",
        "dubbo://gateway.zhejiang.test:20880, gateway.zhejiang.test, 20880",
        "dubbo://[2001:db8::1]:20880, 2001:db8::1, 20880"
    })
    void readsHostAndPort(String text, String host, int port) {
        GatewayAddress address =
                GatewaySpec.parse(TunnelKind.DUBBO, KEY, text, null, null, 3000).address();

        assertThat(address).isEqualTo(GatewayAddress.of(TunnelKind.DUBBO, host, port, false));
        assertThat(text).endsWith(address.hostAndPort());
        assertThat(address).hasToString("dubbo " + address.hostAndPort());
    }

    @ParameterizedTest
    @ValueSource(strings = {"gateway:50051", "tri://gateway:50051", "triple://gateway:50051"})
    void readsTheProtocolByEitherName(String text) {
        GatewayAddress address = GatewaySpec.parse(TunnelKind.TRIPLE, "highway.gateways.triple", text, null, null, 3000)
                .address();

        assertThat(address).isEqualTo(GatewayAddress.of(TunnelKind.TRIPLE, "gateway", 50051, false));
    }

    @ParameterizedTest
    @EnumSource
    void writesWhatItReads(TunnelKind kind) {
        GatewayAddress address = GatewayAddress.of(kind, "2001:db8::1", 50051, false);

        assertThat(GatewaySpec.parse(kind, KEY, address.hostAndPort(), null, null, 3000)
                        .address())
                .isEqualTo(address);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gateway",
                "gateway:",
                ":20880",
                "gateway:0",
                "gateway:-1",
                "gateway:65536",
                "gateway:70000",
                "gateway:99999999999",
                "gateway:http",
                "gateway: 20880",
                "gate way:20880",
                "gateway\r\n:20880",
                "网关:20880",
                "gateway/x:20880",
                "user@gateway:20880",
                "::1:20880",
                "[]:20880",
                "[::1]",
                "dubbo://",
                "dubbo://gateway"
            })
    void refusesAnAddressThatIsNone(String text) {
        assertThatExceptionOfType(HighwayConfigurationException.class)
                .isThrownBy(() -> GatewaySpec.parse(TunnelKind.DUBBO, KEY, text, null, null, 3000))
                .satisfies(e -> assertThat(e.key()).isEqualTo(KEY))
                .satisfies(e -> assertThat(e.problem())
                        .endsWith("is not allowed; allowed: host:port, such as gateway.zhejiang.test:20880"))
                .satisfies(e -> assertThat(e.action())
                        .isEqualTo("Write the gateway's host, a colon and its port (1 to 65535)"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://gateway:80", "tri://gateway:50051", "DUBBO://gateway:20880", "://gateway:20880"})
    void refusesAnotherProtocol_andNamesTheExpectedOne(String text) {
        assertThatExceptionOfType(HighwayConfigurationException.class)
                .isThrownBy(() -> GatewaySpec.parse(TunnelKind.DUBBO, KEY, text, null, null, 3000))
                .withMessage(KEY + ": \"" + text + "\" is not allowed; allowed: host:port, such as"
                        + " gateway.zhejiang.test:20880. Write dubbo://host:port or leave the protocol out");
    }
}
