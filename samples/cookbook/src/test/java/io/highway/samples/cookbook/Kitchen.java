// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.cookbook;

import io.highway.sdk.test.HighwayTest;
import io.highway.sdk.test.Islands;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.dubbo.config.annotation.DubboReference;
import org.apache.dubbo.config.spring.ReferenceBean;
import org.apache.dubbo.rpc.RpcException;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Where the programs run: an application in zhejiang, with a provider at home, joined with three islands. */
@SpringBootTest(
        classes = Kitchen.Application.class,
        webEnvironment = SpringBootTest.WebEnvironment.NONE,
        properties = "dubbo.application.name=orders")
@HighwayTest(
        home = "zhejiang",
        islands = {"shanghai", "beijing", "guangdong"},
        properties = {
            "highway.defaults.tunnel=dubbo",
            "highway.islands.shanghai.keys=31*",
            "highway.islands.beijing.keys=11*",
            "highway.islands.guangdong.bulk.methods=sendAsync",
            "highway.islands.guangdong.bulk.max-concurrent=4",
            "highway.islands.guangdong.bulk.max-wait=60s"
        })
abstract class Kitchen {

    /** The provider fails on this text, after the call has reached it. */
    static final String FAILS = "fails";

    /** Asynchronous calls that a provider serves, and the most of them. */
    private static final AtomicInteger AT_A_TIME = new AtomicInteger();

    static final AtomicInteger MOST_AT_A_TIME = new AtomicInteger();

    @Autowired
    SmsService sms;

    @Configuration
    @EnableAutoConfiguration
    @Import({AsyncNotifications.class, AreaIslands.class, CallMeters.class})
    static class Application {

        @Bean
        @DubboReference
        ReferenceBean<SmsService> sms() {
            return new ReferenceBean<>();
        }

        @Bean
        MeterRegistry meters() {
            return new SimpleMeterRegistry();
        }
    }

    @BeforeEach
    void serve(Islands islands) {
        Stream.of("zhejiang", "shanghai", "beijing", "guangdong")
                .forEach(island -> islands.at(island).serves(SmsService.class, new Provider(island)));
    }

    /** Answers with its island. */
    private record Provider(String island) implements SmsService {

        @Override
        public String send(String text) {
            if (text.equals(FAILS)) {
                throw new RpcException("the phone network is down");
            }
            return text + " in " + island;
        }

        @Override
        public CompletableFuture<String> sendAsync(String text) {
            MOST_AT_A_TIME.accumulateAndGet(AT_A_TIME.incrementAndGet(), Math::max);
            return CompletableFuture.supplyAsync(
                    () -> {
                        AT_A_TIME.decrementAndGet();
                        return send(text);
                    },
                    CompletableFuture.delayedExecutor(2, TimeUnit.MILLISECONDS));
        }

        @Override
        public String sendTo(String area, String text) {
            return send(text);
        }
    }
}
