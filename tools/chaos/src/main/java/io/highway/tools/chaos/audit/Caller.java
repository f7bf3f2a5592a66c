// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos.audit;

import io.highway.sdk.Highway;
import io.highway.tools.processes.DubboCaller;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.dubbo.common.stream.StreamObserver;
import org.apache.dubbo.rpc.RpcException;

/** An application in zhejiang that calls shanghai's provider by one tunnel. */
final class Caller implements AutoCloseable {

    private final DubboCaller caller;
    private final FaultyService service;
    private final StreamService streams;

    /** Calls that have not ended; what hangs and streams never do. */
    private final AtomicInteger inFlight;

    Caller(String tunnel, String dubbo, String triple, AtomicInteger inFlight) {
        this.inFlight = inFlight;
        Map<String, String> keys = new HashMap<>();
        keys.put("highway.island", "zhejiang");
        keys.put("highway.gateways.dubbo", dubbo);
        keys.put("highway.gateways.triple", triple);
        keys.put("highway.islands.shanghai.tunnel", tunnel);
        keys.put("highway.islands.shanghai.timeout", "1s");
        keys.put("highway.heartbeat.interval", "none");
        this.caller = new DubboCaller("orders", keys);
        String absent = "dubbo://zhejiang.test:9?lazy=true"; // home has no provider
        this.service = caller.refer(FaultyService.class, absent, reference -> {});
        this.streams = caller.refer(StreamService.class, absent, reference -> {});
    }

    /** A call of each kind. */
    void call(int first) {
        call(() -> service.answer(first), true);
        call(() -> service.error(first + 1), true);
        call(() -> service.hang(first + 2), false); // in flight there, whatever it is here
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it only counts
    private void call(Supplier<CompletableFuture<String>> call, boolean ends) {
        inFlight.incrementAndGet();
        try {
            Highway.to("shanghai").call(call).whenComplete((answer, failure) -> inFlight.addAndGet(ends ? -1 : 0));
        } catch (RpcException e) {
            inFlight.decrementAndGet();
        }
    }

    /** Begins a stream that stays open. */
    void stream(int call) {
        inFlight.incrementAndGet();
        Highway.to("shanghai")
                .run(() -> streams.idle(call, new StreamObserver<>() {
                    @Override
                    public void onNext(String answer) {}

                    @Override
                    public void onError(Throwable failure) {}

                    @Override
                    public void onCompleted() {}
                }));
    }

    /** Leaves, with calls in flight. */
    @Override
    public void close() {
        caller.close();
    }
}
