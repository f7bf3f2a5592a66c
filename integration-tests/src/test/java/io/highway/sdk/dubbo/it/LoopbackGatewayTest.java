// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.Highway;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A gateway that listens on loopback only, such as a sidecar: Dubbo would connect to the address of a network card. */
@Tag("network")
@Tag("any-dubbo")
class LoopbackGatewayTest {

    private static Star star;

    @BeforeAll
    static void start() {
        star = new Star();
    }

    @AfterAll
    static void stop() {
        star.close();
    }

    @ParameterizedTest
    @CsvSource({"DUBBO, 127.0.0.1", "DUBBO, localhost", "TRIPLE, 127.0.0.1", "TRIPLE, localhost"})
    void isReached_byAddressAndByName_inBothClasses(Tunnel tunnel, String host) {
        Shop shop = star.shop(
                tunnel,
                "highway.gateways." + tunnel.key(),
                host + ":" + star.gateway().port(),
                "highway.islands.shanghai.bulk.methods",
                "pack");

        Shop inShanghai = Highway.to("shanghai").bind(Shop.class, shop);

        assertThat(inShanghai.sell("tea")).startsWith("shanghai");
        assertThat(inShanghai.pack(new byte[10])).hasSize(10);
    }
}
