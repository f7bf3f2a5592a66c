// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.entry;

import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.internal.call.DubboCall;
import io.highway.sdk.dubbo.internal.evidence.CallResults;
import io.highway.sdk.dubbo.internal.limits.LogLimit;
import java.util.function.Supplier;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.apache.dubbo.rpc.AsyncRpcResult;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.support.MockInvoker;
import org.apache.dubbo.rpc.support.RpcUtils;

/**
 * The {@code mock} of a reference, for calls to an island that have failed, as it serves calls that fail at home. A
 * forced mock does not apply: a call that names an island needs the island's answer. Dubbo's own
 * {@code MockClusterInvoker} may use a home provider as a mock, which would give a wrong answer here. Thread-safe.
 */
final class MockOnFailure<T> {

    private static final Logger log = LoggerFactory.getLogger(MockOnFailure.class);

    private final Class<T> type;
    private final Supplier<URL> reference;
    private final LogLimit logLimit = new LogLimit();

    /** With the current URL of the reference, which rules replace. */
    MockOnFailure(Class<T> type, Supplier<URL> reference) {
        this.type = type;
        this.reference = reference;
    }

    /** Whether the called method has a mock for failures. */
    private boolean appliesTo(Invocation invocation) {
        String mock = reference.get().getMethodParameter(RpcUtils.getMethodName(invocation), "mock", "");
        return !mock.isEmpty() && !mock.equals("false") && !mock.startsWith("force");
    }

    /** The result, or the mock's if the call has failed already and its method has one. */
    Result unlessFailed(Result result, Invocation invocation) {
        Throwable failure = result instanceof AsyncRpcResult async
                        && async.getResponseFuture().isCompletedExceptionally()
                ? CallResults.failureOf(result)
                : null;
        return failure == null || !appliesTo(invocation) ? result : serve(invocation, failure);
    }

    /**
     * The mock's result for a call that has failed.
     *
     * @throws RpcException the failure, if the service has thrown it or the method has no mock
     */
    Result serveOrThrow(RpcException failure, Invocation invocation) {
        if (failure.isBiz() || !appliesTo(invocation)) {
            throw failure;
        }
        return serve(invocation, failure);
    }

    private Result serve(Invocation invocation, Throwable failure) {
        logLimit.warn(
                log,
                "highway: " + new DubboCall(invocation, reference.get()).name()
                        + " is answered by the reference's mock: "
                        + (failure instanceof HighwayException ended
                                ? ended.reason().word()
                                : failure.toString()));
        try {
            return CallResults.show(new MockInvoker<>(reference.get(), type).invoke(invocation));
        } catch (RpcException e) {
            Throwable thrown = e.getCause();
            if (e.isBiz() && thrown != null) { // an exception of the mock is its answer, as at home
                return CallResults.show(AsyncRpcResult.newDefaultAsyncResult(thrown, invocation));
            }
            e.addSuppressed(failure);
            throw e;
        }
    }
}
