// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos.standby;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.CallOutcome;
import io.highway.sdk.dubbo.HighwayCustomizer;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.HighwayReport;
import io.highway.sdk.dubbo.HighwayReport.Endpoint.State;
import io.highway.tools.chaos.account.CallKind;
import io.highway.tools.chaos.account.Mode;
import io.highway.tools.chaos.service.DeclinedException;
import io.highway.tools.chaos.service.OrderService;
import io.highway.tools.processes.DubboCaller;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An application in zhejiang, and threads that call an island until they are told to stop. */
final class Callers implements AutoCloseable {

    /** The timeout of each call. */
    static final int TIMEOUT_MILLIS = 1000;

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long HUNG_MILLIS = 5000;
    private static final Set<State> TAKEN = EnumSet.of(State.UP, State.UNKNOWN, State.SUSPECT, State.HALF_OPEN);

    private final Calls calls;
    private final DubboCaller application;
    private final OrderService orders;
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean closed;
    private volatile long markNanos;
    private volatile long firstNanos;

    /** @param onEach gets the outcome of each call */
    Callers(Calls calls, Mode mode, Map<String, String> more, Consumer<CallOutcome> onEach) {
        this.calls = calls;
        Map<String, String> keys = new HashMap<>(Map.of(
                "highway.island",
                "zhejiang",
                "highway.defaults.tunnel",
                mode.word(),
                "highway.defaults.timeout",
                TIMEOUT_MILLIS + "ms"));
        more.forEach((key, value) -> keys.put("highway." + key, value));
        this.application = new DubboCaller("standby-" + mode.word(), keys);
        HighwayCustomizer listening = setup -> setup.outcomeListener((outcome, call) -> onEach.accept(outcome));
        application.dubbo().getApplicationModel().getBeanFactory().registerBean(listening);
        this.orders = application.refer(OrderService.class, "dubbo://zhejiang.test:1", reference -> {});
    }

    /** Calls until a call is answered; a cold application may fail. */
    void warmUp(String island) {
        for (int answered = 0; answered < 100; ) {
            try {
                answered += Highway.to(island).call(orders::island).isEmpty() ? 0 : 1;
            } catch (HighwayException e) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    /** Lets so many threads make calls, of these kinds in turn. */
    void begin(int count, String island, List<CallKind> kinds) {
        for (int i = 0; i < count; i++) {
            int first = i;
            Thread thread = new Thread(() -> {
                for (int round = first; !closed; round++) {
                    call(island, kinds.get(round % kinds.size()));
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            });
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
    }

    /** One call that is accounted for. */
    void call(String island, CallKind kind) {
        int id = calls.begin(kind);
        String value = null;
        Throwable failure = null;
        try {
            value = Highway.to(island).callChecked(() -> answer(id, kind));
        } catch (ExecutionException | CompletionException e) {
            failure = e.getCause();
        } catch (Exception e) {
            failure = e;
        }
        if (firstNanos == 0 && value != null && value.startsWith("beijing ")) {
            firstNanos = System.nanoTime();
        }
        if (!(failure instanceof TimeoutException)) { // it hangs
            calls.end(id, failure instanceof DeclinedException declined ? declined.getMessage() : value, failure);
        }
    }

    private String answer(int id, CallKind kind) throws Exception {
        return switch (kind) {
            case QUERY -> orders.query(id, "");
            case SUBMIT -> orders.submit(id, "");
            case QUERY_LATER -> orders.queryLater(id, "").get(HUNG_MILLIS, TimeUnit.MILLISECONDS);
            case SUBMIT_LATER -> orders.submitLater(id, "").get(HUNG_MILLIS, TimeUnit.MILLISECONDS);
        };
    }

    /** Something fails now. */
    void mark() {
        firstNanos = 0;
        markNanos = System.nanoTime();
    }

    /** Watches until beijing has answered a call; the time before no endpoint of shanghai takes calls does not count. */
    void watch() {
        boolean wasDown = false;
        while (firstNanos == 0 && !closed) {
            if (!wasDown && isDown()) {
                wasDown = true;
                markNanos = System.nanoTime();
            }
            LockSupport.parkNanos(PAUSE_NANOS / 10);
        }
    }

    /** How long beijing's first answer took after that, milliseconds; -1 without one. */
    long firstMillis() {
        return firstNanos == 0 ? -1 : Math.max(0, firstNanos - markNanos) / 1_000_000;
    }

    private boolean isDown() {
        HighwayReport report = report();
        return report != null
                && Objects.requireNonNull(report.islands().get("shanghai")).endpoints().stream()
                        .noneMatch(endpoint -> TAKEN.contains(endpoint.state()));
    }

    /** The version of the active policy. */
    @Nullable
    String policy() {
        HighwayReport report = report();
        return report == null ? null : report.policy().version();
    }

    private @Nullable HighwayReport report() {
        return HighwayReport.of(application.dubbo().getApplicationModel()).orElse(null);
    }

    /** Makes no new calls, and waits for those in flight, unless they hang. */
    void end() throws InterruptedException {
        closed = true;
        for (Thread thread : threads) {
            thread.join(HUNG_MILLIS);
        }
    }

    @Override
    public void close() {
        closed = true;
        application.close();
    }
}
