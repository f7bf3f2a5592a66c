// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.docs;

import io.highway.sdk.Highway;
import io.highway.sdk.Island;
import io.highway.sdk.IslandResolver;
import io.highway.sdk.dubbo.HighwayCustomizer;
import io.highway.sdk.dubbo.HighwayReport;
import io.highway.sdk.dubbo.OutcomeListener;
import io.micrometer.context.ContextExecutorService;
import io.micrometer.context.ContextSnapshotFactory;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;
import org.apache.dubbo.config.annotation.DubboReference;
import org.apache.dubbo.config.spring.ReferenceBean;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Bean;

/** Every Java snippet of {@code docs/start/spring-boot.md}, compiled; {@code DocsTest} of the Dubbo module compares them. */
@SuppressWarnings("unused")
final class Snippets {

    private static final Logger log = LoggerFactory.getLogger(Snippets.class);

    private Snippets() {}

    interface SmsService {

        String send(String text);
    }

    interface AreaTable {

        String islandOf(String area);
    }

    /** Three references to one service. */
    static final class Orders {

        @DubboReference
        @Island("shanghai")
        private SmsService inShanghai;

        @DubboReference
        @Island("beijing")
        private SmsService inBeijing;

        @DubboReference
        private SmsService atHome;
    }

    @DubboReference
    @Island("shanghai")
    @Target({ElementType.FIELD, ElementType.METHOD})
    @Retention(RetentionPolicy.RUNTIME)
    @interface ShanghaiReference {}

    /** Beans. */
    static final class Beans {

        @Bean
        @DubboReference
        @Island(value = "beijing", when = Island.When.HOME_ABSENT) // home first, beijing if home has no provider
        ReferenceBean<SmsService> beijingSms() {
            return new ReferenceBean<>();
        }

        @Bean
        Supplier<Optional<HighwayReport>> highwayNow(ApplicationModel application) {
            return () -> HighwayReport.of(application); // empty with highway.enabled=false
        }

        @Bean
        IslandResolver islandByArea(AreaTable areas) {
            return areas::islandOf; // for @IslandKey arguments; null: by highway.islands.<id>.keys
        }

        @Bean
        OutcomeListener slowCalls() { // called once per routed call; must not block
            return (outcome, invocation) -> {
                if (outcome.duration().toMillis() > 1000) {
                    log.warn("{} to {} took {}", outcome.call(), outcome.island(), outcome.duration());
                }
            };
        }

        @Bean
        HighwayCustomizer policyOfToday() { // keys set by code win over all others
            return setup -> setup.set("highway.islands.shanghai.deny", "com.foo.SmsService#send*");
        }
    }

    static void carry(SmsService sms, String text, ExecutorService executor) {
        ExecutorService carrying = ContextExecutorService.wrap(
                executor, ContextSnapshotFactory.builder().build()::captureAll);
        Highway.to("shanghai").run(() -> carrying.submit(() -> sms.send(text))); // goes to shanghai
    }
}
