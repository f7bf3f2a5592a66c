// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.Highway;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CallModesTest {

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
    @EnumSource
    void sendsThroughTheTunnel_whenScopeNamesAnIsland(Tunnel tunnel) {
        Shop shop = star.shop(tunnel);

        String answer = Highway.to("shanghai").call(() -> shop.sell("tea"));

        assertThat(answer).isEqualTo("shanghai:tea");
        assertThat(shop.sell("tea")).isEqualTo("zhejiang:tea");
    }
}
