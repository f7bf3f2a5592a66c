// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.Island;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.apache.dubbo.config.annotation.DubboReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What docs/guides/production.md says of the order in which an application stops. */
@Tag("network")
class StopOrderTest {

    /** Stops in the phase in which Spring Boot's web servers end their requests, the first one. */
    private static final class LikeAWebServer implements SmartLifecycle {

        private final AtomicReference<Object> atTheEnd = new AtomicReference<>();
        private final UnaryOperator<String> sms;
        private volatile boolean running;

        LikeAWebServer(UnaryOperator<String> sms) {
            this.sms = sms;
        }

        @Override
        public void start() {
            running = true;
        }

        @Override
        public void stop() {
            running = false;
            try {
                atTheEnd.set(sms.apply("late"));
            } catch (RuntimeException e) {
                atTheEnd.set(e);
            }
        }

        @Override
        public boolean isRunning() {
            return running;
        }

        @Override
        public int getPhase() {
            return Integer.MAX_VALUE;
        }
    }

    @Configuration
    @EnableAutoConfiguration
    static class Application {

        @DubboReference(check = false)
        @Island("shanghai")
        private Sms sms;

        @Bean
        LikeAWebServer server() {
            return new LikeAWebServer(text -> sms.send(text));
        }
    }

    @Test
    void dubboStopsBeforeTheWebServer_soALateRequestCallsNoIsland() {
        try (Star star = new Star()) {
            ConfigurableApplicationContext context = star.start(Application.class);
            LikeAWebServer server = context.getBean(LikeAWebServer.class);
            String before = server.sms.apply("in time");

            context.close();

            assertThat(before).contains("shanghai");
            assertThat(server.atTheEnd.get()).isInstanceOf(RuntimeException.class);
        }
    }
}
