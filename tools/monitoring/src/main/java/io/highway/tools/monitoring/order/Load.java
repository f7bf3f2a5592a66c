// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.monitoring.order;

import io.highway.sdk.Island;
import io.highway.tools.monitoring.service.ReportService;
import io.highway.tools.monitoring.service.SmsService;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.dubbo.config.annotation.DubboReference;
import org.apache.dubbo.rpc.RpcException;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Calls both islands at a constant rate, and does not wait for answers. */
@RestController
@SuppressWarnings("NullAway.Init") // Dubbo sets the references
class Load {

    private static final int OFTEN_MILLIS = 50;
    private static final int SELDOM_MILLIS = 200;
    private static final int THREADS = 5;

    private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(THREADS, task -> {
        Thread thread = new Thread(task, "load");
        thread.setDaemon(true);
        return thread;
    });

    @Island("shanghai")
    @DubboReference
    private SmsService shanghaiSms;

    @Island("shanghai")
    @DubboReference
    private ReportService shanghaiReports;

    @Island("beijing")
    @DubboReference
    private SmsService beijingSms;

    @Island("beijing")
    @DubboReference
    private ReportService beijingReports;

    private volatile boolean forbidden;

    @EventListener(ApplicationReadyEvent.class)
    void begin() {
        every(OFTEN_MILLIS, () -> shanghaiSms.send("text"));
        every(OFTEN_MILLIS, () -> beijingSms.send("text"));
        every(SELDOM_MILLIS, () -> shanghaiReports.report(1));
        every(SELDOM_MILLIS, () -> beijingReports.report(1));
        every(SELDOM_MILLIS, () -> forbidden ? shanghaiSms.purge() : CompletableFuture.completedFuture(""));
    }

    /** Whether it makes calls that the guard in shanghai denies. */
    @PutMapping("/forbidden")
    void makeForbiddenCalls(@RequestBody String on) {
        forbidden = Boolean.parseBoolean(on);
    }

    private void every(int millis, Supplier<CompletableFuture<String>> call) {
        ScheduledFuture<?> unused = timer.scheduleAtFixedRate(
                () -> {
                    try {
                        CompletableFuture<String> unusedAnswer = call.get(); // meters count how it ends
                    } catch (RpcException e) {
                        // refused or lost: counted, too
                    }
                },
                0,
                millis,
                TimeUnit.MILLISECONDS);
    }
}
