// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos.load;

import io.highway.sdk.Highway;
import io.highway.sdk.HighwayAttachments;
import io.highway.tools.chaos.account.Accounts;
import io.highway.tools.chaos.account.AuditTrail;
import io.highway.tools.chaos.account.CallKind;
import io.highway.tools.chaos.service.DeclinedException;
import io.highway.tools.chaos.service.OrderService;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.dubbo.rpc.RpcContext;
import org.jspecify.annotations.Nullable;

/**
 * Calls of one consumer, alternately idempotent and not. Two threads make synchronous calls and two asynchronous ones;
 * one of each asks for the island by a scope, the other by an attachment.
 */
public final class Load implements AutoCloseable {

    private static final List<CallKind> SYNC = List.of(CallKind.QUERY, CallKind.SUBMIT);
    private static final List<CallKind> ASYNC = List.of(CallKind.QUERY_LATER, CallKind.SUBMIT_LATER);
    private static final long PAUSE_STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final Consumer consumer;
    private final Accounts accounts;
    private final Pace pace;
    private final Semaphore asyncCalls;
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean delivers = true;
    private volatile boolean paused;
    private volatile boolean closed;

    /** Begins at once. */
    public Load(Consumer consumer, Accounts accounts, Pace pace) {
        this.consumer = consumer;
        this.accounts = accounts;
        this.pace = pace;
        this.asyncCalls = new Semaphore(pace.maximumUnderWay());
        start(SYNC, true);
        start(SYNC, false);
        start(ASYNC, true);
        start(ASYNC, false);
    }

    private void start(List<CallKind> kinds, boolean scoped) {
        Thread thread =
                new Thread(() -> run(kinds, scoped), "load-" + consumer.mode().word() + "-" + threads.size());
        thread.setDaemon(true);
        thread.start();
        threads.add(thread);
    }

    /** Makes no new calls for a while. */
    public void pause() {
        paused = true;
    }

    /** Continues after a pause. */
    public void resume() {
        paused = false;
    }

    private void run(List<CallKind> kinds, boolean scoped) {
        long intervalNanos = pace.interval().toNanos();
        long due = System.nanoTime();
        for (int round = 0; !closed; round++) {
            if (paused) {
                LockSupport.parkNanos(PAUSE_STEP_NANOS);
                continue;
            }
            if (!delivers) { // a call that fails at once would be followed by thousands
                LockSupport.parkNanos(PAUSE_STEP_NANOS);
            }
            call(kinds.get(round % kinds.size()), scoped);
            due = Math.max(due + intervalNanos, System.nanoTime() - intervalNanos);
            for (long early = due - System.nanoTime(); early > 0; early = due - System.nanoTime()) {
                LockSupport.parkNanos(early);
            }
        }
    }

    private void call(CallKind kind, boolean scoped) {
        if (kind.isAsync()) {
            asyncCalls.acquireUninterruptibly();
        }
        Accounts.Call call = accounts.begin(consumer.mode(), kind);
        RpcContext.getClientAttachment().setAttachment("traceparent", AuditTrail.traceparent(call.id()));
        if (scoped) {
            Highway.to(Accounts.ISLAND).run(() -> send(kind, call));
        } else {
            RpcContext.getClientAttachment().setAttachment(HighwayAttachments.ISLAND, Accounts.ISLAND);
            send(kind, call);
        }
    }

    private void send(CallKind kind, Accounts.Call call) {
        if (kind.isAsync()) {
            sendLater(kind, call);
            return;
        }
        OrderService orders = consumer.orders();
        String note = consumer.note(call.id());
        try {
            String answer = kind == CallKind.QUERY ? orders.query(call.id(), note) : orders.submit(call.id(), note);
            delivers = call.end(withoutNote(answer, note), null);
        } catch (DeclinedException | RuntimeException e) {
            delivers = call.end(null, e);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // its end is accounted for
    private void sendLater(CallKind kind, Accounts.Call call) {
        OrderService orders = consumer.orders();
        String note = consumer.note(call.id());
        CompletableFuture<String> answer;
        try {
            answer = kind == CallKind.QUERY_LATER
                    ? orders.queryLater(call.id(), note)
                    : orders.submitLater(call.id(), note);
        } catch (RuntimeException e) {
            answer = CompletableFuture.failedFuture(e);
        }
        answer.whenComplete((value, thrown) -> {
            asyncCalls.release();
            delivers = call.end(withoutNote(value, note), thrown);
        });
    }

    /** The rest of an answer that ends with its note; an answer with another note counts as one to another call. */
    private static @Nullable String withoutNote(@Nullable String answer, String note) {
        if (answer == null) {
            return null;
        }
        return answer.endsWith(note) ? answer.substring(0, answer.length() - note.length()) : answer + " (other note)";
    }

    /** Makes no new calls, and waits for its threads, but not for calls that may hang. */
    @Override
    public void close() {
        closed = true;
        try {
            for (Thread thread : threads) {
                thread.join(2L * Consumer.TIMEOUT_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
