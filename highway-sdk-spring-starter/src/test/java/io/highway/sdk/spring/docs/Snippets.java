// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.docs;

import io.highway.sdk.Highway;
import io.highway.sdk.Island;
import io.highway.sdk.dubbo.HighwayReport;
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
import org.springframework.context.annotation.Bean;

/** Every Java snippet of {@code docs/start/begin.md}, compiled; {@code DocsTest} of the Dubbo module compares them. */
@SuppressWarnings("unused")
final class Snippets {

    private Snippets() {}

    interface SmsService {

        String send(String text);
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
    }

    static void carry(SmsService sms, String text, ExecutorService executor) {
        ExecutorService carrying = ContextExecutorService.wrap(
                executor, ContextSnapshotFactory.builder().build()::captureAll);
        Highway.to("shanghai").run(() -> carrying.submit(() -> sms.send(text))); // goes to shanghai
    }
}
