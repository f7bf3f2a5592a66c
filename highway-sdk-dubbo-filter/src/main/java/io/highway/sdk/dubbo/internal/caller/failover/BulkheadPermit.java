// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.failover;

import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.internal.evidence.CallResults;
import io.highway.sdk.dubbo.internal.limits.Bulkhead;
import io.highway.sdk.dubbo.internal.limits.Bulkhead.Permit;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.dubbo.rpc.AppResponse;
import org.apache.dubbo.rpc.AsyncRpcResult;
import org.apache.dubbo.rpc.Result;
import org.jspecify.annotations.Nullable;

/** Takes the permit of a call within {@code max-concurrent}, from the {@link Bulkhead}, for all its attempts. */
final class BulkheadPermit {

    private BulkheadPermit() {}

    /**
     * Takes a permit, makes the call, and returns the permit with its result. An asynchronous call blocks no thread
     * while it waits.
     *
     * @param attempts makes the call
     * @throws HighwayException if no permit is free, or the call ended without an answer before this method returns
     */
    static Result within(Bulkhead bulkhead, TunnelledCall call, Supplier<Result> attempts) {
        if (bulkhead.waits() && call.isAsynchronous()) {
            CompletableFuture<@Nullable Permit> permit =
                    bulkhead.enterLater(call.time().left());
            return permit.isDone()
                    ? with(permit.join(), bulkhead, call, attempts)
                    : call.resumeAfter(permit, () -> with(permit.join(), bulkhead, call, attempts));
        }
        return with(bulkhead.enter(bulkhead.waits() ? call.time().left() : 0), bulkhead, call, attempts);
    }

    private static Result with(
            @Nullable Permit permit, Bulkhead bulkhead, TunnelledCall call, Supplier<Result> attempts) {
        try {
            if (bulkhead.waits()) {
                call.leaveRestAfter("a permit");
            }
            if (permit == null) {
                if (bulkhead.waits()
                        && !call.isAsynchronous()
                        && Thread.currentThread().isInterrupted()) {
                    throw call.interrupted("a permit");
                }
                throw call.refusedByLimit();
            }
            Result result = attempts.get();
            if (result instanceof AsyncRpcResult async) {
                releaseWhenDone(permit, async.getResponseFuture());
            } else {
                permit.onSuccess();
            }
            return result;
        } catch (Throwable e) { // filters can throw undeclared checked exceptions
            release(permit, e);
            throw e;
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it only listens
    private static void releaseWhenDone(Permit permit, CompletableFuture<AppResponse> response) {
        response.whenComplete((value, thrown) -> {
            Throwable failure = thrown == null ? CallResults.failureIn(value) : CallResults.unwrapped(thrown);
            if (failure == null) {
                permit.onSuccess();
            } else {
                release(permit, failure);
            }
        });
    }

    /** Only a timeout indicates that the connection is overloaded; any other failure does not. */
    private static void release(@Nullable Permit permit, Throwable failure) {
        if (permit == null) {
            return;
        }
        if (failure instanceof HighwayException ended && ended.reason() == Reason.TIMEOUT) {
            permit.onDropped();
        } else {
            permit.onIgnore();
        }
    }
}
