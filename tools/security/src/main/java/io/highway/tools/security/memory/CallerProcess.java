// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security.memory;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.tools.processes.ChildProcess;
import io.highway.tools.processes.DubboCaller;
import io.highway.tools.security.service.StoreService;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A caller with the SDK: many calls at a time to beijing, and small ones to shanghai meanwhile and afterwards. */
final class CallerProcess {

    private static final int ENDED_SECONDS = 30;

    private CallerProcess() {}

    /**
     * Arguments: the file for {@link StoreProcess#watch}, and how many calls. It reports the small calls served meanwhile
     * and afterwards, the other calls served, and how the rest ended.
     */
    public static void main(String[] arguments) throws InterruptedException {
        ChildProcess.endWithParent();
        new Thread(() -> StoreProcess.watch(arguments[0]), "watch").start();
        StoreService home = new DubboCaller("orders", Map.of())
                .refer(StoreService.class, "dubbo://zhejiang.test:1", reference -> {});
        StoreService hostile = Highway.to("beijing").bind(StoreService.class, home);
        StoreService healthy = Highway.to("shanghai").bind(StoreService.class, home);
        Executor threads = Executors.newCachedThreadPool();
        served(healthy, MemoryRun.AFTER, threads); // warm
        List<CompletableFuture<String>> calls = new ArrayList<>();
        for (int i = 0; i < Integer.parseInt(arguments[1]); i++) {
            calls.add(call(hostile, threads));
        }
        int meanwhile = served(healthy, MemoryRun.MEANWHILE, threads);
        Answers answers = Answers.of(calls, ENDED_SECONDS);
        int after = served(healthy, MemoryRun.AFTER, threads);
        ChildProcess.ready(meanwhile + " " + after + " " + answers.served() + " " + answers.others());
    }

    private static CompletableFuture<String> call(StoreService service, Executor threads) {
        return CompletableFuture.supplyAsync(
                        () -> {
                            String unused = service.ping("tea");
                            return RawPeer.SERVED;
                        },
                        threads)
                .exceptionally(failure -> failure.getCause() instanceof HighwayException known
                        ? known.reason().toString()
                        : String.valueOf(failure.getCause()));
    }

    /** How many of so many small calls are served. */
    private static int served(StoreService service, int calls, Executor threads) throws InterruptedException {
        List<CompletableFuture<String>> answers = new ArrayList<>();
        for (int i = 0; i < calls; i++) {
            answers.add(call(service, threads));
            TimeUnit.MILLISECONDS.sleep(SmallCalls.PACE_MILLIS);
        }
        return Answers.of(answers, ENDED_SECONDS).served();
    }
}
