// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.evidence;

import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.internal.call.DubboCall;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.apache.dubbo.remoting.Constants;
import org.apache.dubbo.rpc.AppResponse;
import org.apache.dubbo.rpc.AsyncRpcResult;
import org.apache.dubbo.rpc.InvokeMode;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.protocol.dubbo.FutureAdapter;
import org.apache.dubbo.rpc.support.RpcUtils;
import org.jspecify.annotations.Nullable;

/** Reads and replaces the results of calls, synchronous or asynchronous. */
public final class CallResults {

    private CallResults() {}

    /**
     * Replaces failures of the call by the exception that {@code explain} creates. Values and business exceptions are
     * unchanged.
     *
     * @throws RpcException if the call is synchronous and has failed
     */
    public static Result settle(
            Result result, RpcInvocation invocation, Function<Throwable, ? extends RpcException> explain) {
        if (!(result instanceof AsyncRpcResult async)) {
            return result;
        }
        CompletableFuture<AppResponse> response = async.getResponseFuture();
        if (invocation.getInvokeMode() == InvokeMode.SYNC) {
            Throwable failure = failureOf(async);
            if (failure != null) {
                throw explain.apply(failure);
            }
            return result;
        }
        replace(async, response.handle((value, thrown) -> {
            Throwable failure = thrown != null ? thrown : failureIn(value);
            if (failure != null) {
                throw new CompletionException(explain.apply(failure));
            }
            return value;
        }));
        return result;
    }

    /**
     * Ends a call before it is sent: throws for a synchronous call, otherwise fails the future.
     *
     * @throws HighwayException if the call is synchronous
     */
    public static Result failed(HighwayException failure, DubboCall call) {
        RpcInvocation invocation = (RpcInvocation) call.invocation();
        invocation.setInvokeMode(RpcUtils.getInvokeMode(call.consumerUrl(), invocation));
        if (invocation.getInvokeMode() == InvokeMode.SYNC) {
            throw failure;
        }
        CompletableFuture<AppResponse> response = CompletableFuture.failedFuture(failure);
        AsyncRpcResult result = new AsyncRpcResult(response, invocation);
        return show(result);
    }

    /** Makes this result's future the caller's, in Dubbo's context. */
    public static Result show(Result result) {
        if (result instanceof AsyncRpcResult async) {
            RpcContext.getServiceContext().setFuture(new FutureAdapter<>(async.getResponseFuture()));
        }
        return result;
    }

    /**
     * Makes a copy of this result's future the caller's, in Dubbo's context: cancelling the result's own would keep its
     * filters from seeing the end.
     *
     * @param done runs once the caller's future is done: the caller may cancel or complete it
     */
    @SuppressWarnings("FutureReturnValueIgnored") // it only listens
    public static void show(AsyncRpcResult result, Runnable done) {
        CompletableFuture<?> shown =
                new FutureAdapter<>(result.getResponseFuture().copy());
        shown.whenComplete((answer, failure) -> done.run());
        RpcContext.getServiceContext().setFuture(shown);
    }

    /** Replaces the future of a call; the caller's future is the one in Dubbo's context. */
    public static void replace(AsyncRpcResult result, CompletableFuture<AppResponse> response) {
        result.setResponseFuture(response);
        show(result);
    }

    /** Why a call has ended without an answer; null if it has one, or has not ended. */
    public static @Nullable Throwable failureOf(Result result) {
        if (!(result instanceof AsyncRpcResult async)
                || !async.getResponseFuture().isDone()) {
            return null;
        }
        try {
            return failureIn(async.getResponseFuture().join());
        } catch (CancellationException | CompletionException e) {
            return unwrapped(e);
        }
    }

    /** The cause of a failed future, unwrapped. */
    public static Throwable unwrapped(Throwable thrown) {
        return thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
    }

    /**
     * An {@code RpcException} in an answer is a failure of the transport, and so is one of Dubbo's own server; any other
     * exception is one of the service. An answer of Triple whose message is missing, or was lost because it could not be
     * read, has the value null at Dubbo; every answer has a message, null as a value, too.
     */
    public static @Nullable Throwable failureIn(@Nullable AppResponse response) {
        Throwable thrown = response == null ? null : response.getException();
        if (response != null && thrown == null && response.getValue() == null && isWithoutMessage(response)) {
            return FailureClassifier.withoutMessage();
        }
        return thrown instanceof RpcException || FailureClassifier.isOfTheServer(thrown) ? thrown : null;
    }

    /** Dubbo sets the size for Triple only. */
    private static boolean isWithoutMessage(AppResponse response) {
        return Integer.valueOf(0).equals(response.getAttribute(Constants.CONTENT_LENGTH_KEY));
    }
}
