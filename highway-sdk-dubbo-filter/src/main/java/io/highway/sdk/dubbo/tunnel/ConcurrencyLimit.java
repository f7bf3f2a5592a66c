// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.tunnel;

import com.netflix.concurrency.limits.Limiter;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.endpoint.Bulkhead;
import io.highway.sdk.dubbo.outcome.ResultSupport;
import java.util.concurrent.CompletableFuture;
import org.apache.dubbo.rpc.AppResponse;
import org.apache.dubbo.rpc.AsyncRpcResult;
import org.apache.dubbo.rpc.Result;
import org.jspecify.annotations.Nullable;

/** Makes calls within {@code max-concurrent}: a call takes one permit for all its attempts. */
final class ConcurrencyLimit {

    private ConcurrencyLimit() {}

    /**
     * Takes a permit, makes the call, and returns the permit with its result. An asynchronous call blocks no thread
     * while it waits.
     *
     * @throws HighwayException if no permit is free, or the call ended without an answer before this method returns
     */
    static Result within(Bulkhead bulkhead, Failover<?> call) {
        if (bulkhead.waits() && call.isAsynchronous()) {
            CompletableFuture<Limiter.@Nullable Listener> permit = bulkhead.enterLater(call.millisLeft());
            return permit.isDone()
                    ? with(permit.join(), bulkhead, call)
                    : call.resumeAfter(permit, () -> with(permit.join(), bulkhead, call));
        }
        return with(bulkhead.enter(bulkhead.waits() ? call.millisLeft() : 0), bulkhead, call);
    }

    private static Result with(Limiter.@Nullable Listener permit, Bulkhead bulkhead, Failover<?> call) {
        if (permit == null) {
            throw call.notSent(Reason.BUSY, "the limit of calls in flight, " + bulkhead.limit() + ", is reached");
        }
        try {
            if (bulkhead.waits()) {
                call.leaveRest("a permit", null);
            }
            Result result = call.firstAttempt();
            if (result instanceof AsyncRpcResult async) {
                releaseWhenDone(permit, async.getResponseFuture());
            } else {
                permit.onSuccess();
            }
            return result;
        } catch (HighwayException e) {
            release(permit, e);
            throw e;
        } catch (RuntimeException | Error e) {
            permit.onIgnore();
            throw e;
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it only listens
    private static void releaseWhenDone(Limiter.Listener permit, CompletableFuture<AppResponse> response) {
        response.whenComplete((value, thrown) -> {
            Throwable failure = thrown == null ? ResultSupport.failureIn(value) : ResultSupport.unwrapped(thrown);
            if (failure == null) {
                permit.onSuccess();
            } else {
                release(permit, failure);
            }
        });
    }

    /** Only a timeout indicates that the connection is overloaded; any other failure does not. */
    private static void release(Limiter.Listener permit, Throwable failure) {
        if (failure instanceof HighwayException ended && ended.reason() == Reason.TIMEOUT) {
            permit.onDropped();
        } else {
            permit.onIgnore();
        }
    }
}
