// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.sdk.test.HighwayTest;
import io.highway.sdk.test.Islands;
import io.highway.sdk.test.spring.Injected.Sms;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.context.ApplicationContext;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

/** Spring's own annotation, without Boot's. */
@SpringJUnitConfig(classes = Injected.class, initializers = ConfigDataApplicationContextInitializer.class)
@HighwayTest(
        islands = {"shanghai", "beijing"},
        properties = {
            "highway.islands.shanghai.services.com.acme.Pay.gateways.dubbo=pay.test:1",
            "highway.heartbeat.interval=100ms"
        })
@TestPropertySource(properties = "highway.heartbeat.interval=5s")
class ConfigTest {

    @Autowired
    Injected.Orders orders;

    @Test
    void hasTheIslandsOfItsContext(Islands islands, ApplicationContext context) {
        islands.at("shanghai").serves(Sms.class, () -> "shanghai");

        assertThat(orders.inShanghai.where()).isEqualTo("shanghai");
        assertThat(context.getBean(Islands.class)).isSameAs(islands);
        islands.at("shanghai").isDown().recovers();
        assertThat(HighwayRuntime.of(islands.application()).policy().settings().values())
                .containsEntry("highway.heartbeat.interval", "100ms");
    }
}
