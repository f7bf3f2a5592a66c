// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Calls by HTTP, over a server that passes their frames on to a Dubbo gateway. */
@Tag("network")
@Tag("any-dubbo")
class HttpTunnelTest {

    private static Star star;
    private static HttpBridge bridge;

    @BeforeAll
    static void start() {
        star = new Star();
        bridge = star.closing(new HttpBridge(star.gatewayAddress()));
    }

    @AfterAll
    static void stop() {
        star.close();
    }

    private static Shop shop(String... more) {
        Map<String, String> keys = star.properties(Tunnel.DUBBO, more);
        keys.put("highway.gateways.http", bridge.address());
        keys.put("highway.defaults.tunnel", "http");
        return star.reference(Shop.class, keys, config -> {});
    }

    @Test
    void callsAnIsland() {
        assertThat(shop().sellIn("310000", "tea")).isEqualTo("shanghai:tea");
        assertThat(bridge.posted)
                .filteredOn(call -> call.path().endsWith("/sellIn"))
                .singleElement()
                .satisfies(call -> {
                    assertThat(call.path()).isEqualTo("/highway/shanghai/" + Shop.class.getName() + "/sellIn");
                    assertThat(call.header("Highway-island")).isEqualTo("shanghai");
                    assertThat(call.header("Highway-from")).isEqualTo("zhejiang/zhejiang-app/1");
                    assertThat(call.header("Highway-call-id")).matches("[0-9a-f]{32}");
                    assertThat(call.headBytes()).isLessThan(350);
                });
    }
}
