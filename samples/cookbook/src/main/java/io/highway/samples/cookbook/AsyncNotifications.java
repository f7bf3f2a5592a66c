// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.cookbook;

import io.highway.sdk.Highway;
import java.util.concurrent.CompletableFuture;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.TaskDecorator;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.stereotype.Service;

@Service
public class AsyncNotifications {

    private final SmsService sms;

    public AsyncNotifications(SmsService sms) {
        this.sms = sms;
    }

    @Async
    public CompletableFuture<String> send(String text) { // in the scope of its caller
        return CompletableFuture.completedFuture(sms.send(text));
    }

    @Configuration
    @EnableAsync
    static class AsyncConfiguration {

        @Bean
        TaskDecorator scopes() { // Spring Boot's executor applies it to each task
            return Highway::wrap;
        }
    }
}
