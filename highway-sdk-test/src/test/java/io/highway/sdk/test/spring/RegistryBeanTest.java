// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.test.HighwayTest;
import io.highway.sdk.test.Islands;
import io.highway.sdk.test.spring.Injected.Sms;
import org.apache.dubbo.config.ApplicationConfig;
import org.apache.dubbo.config.RegistryConfig;
import org.apache.dubbo.config.annotation.DubboReference;
import org.apache.dubbo.config.spring.ReferenceBean;
import org.apache.dubbo.config.spring.context.annotation.EnableDubbo;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

/** An application whose registry is a bean, whatever its address. */
@SpringJUnitConfig(RegistryBeanTest.Application.class)
@HighwayTest(islands = "shanghai")
class RegistryBeanTest {

    @Configuration
    @EnableDubbo
    static class Application {

        @Bean
        ApplicationConfig orders() {
            return new ApplicationConfig("orders");
        }

        @Bean
        RegistryConfig registry() {
            RegistryConfig registry = new RegistryConfig("registry.test:2181", "zookeeper");
            registry.setId("main");
            return registry;
        }

        @Bean
        @DubboReference(registry = "main")
        ReferenceBean<Sms> sms() {
            return new ReferenceBean<>();
        }
    }

    @Test
    void servesAtHome(Islands islands, @Autowired Sms sms) {
        islands.home().serves(Sms.class, () -> "home");

        assertThat(sms.where()).isEqualTo("home");
    }
}
