// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.decision;

import java.util.concurrent.CompletableFuture;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.rpc.AppResponse;
import org.apache.dubbo.rpc.AsyncRpcResult;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;

/** A provider with an immediate constant answer. */
record StubInvoker<T>(Class<T> type, URL url) implements Invoker<T> {

    /** What every call is answered with. */
    static final String ANSWER = "filed";

    private static final CompletableFuture<AppResponse> ANSWERED =
            CompletableFuture.completedFuture(new AppResponse(ANSWER));

    @Override
    public Result invoke(Invocation invocation) {
        return new AsyncRpcResult(ANSWERED, invocation);
    }

    @Override
    public Class<T> getInterface() {
        return type;
    }

    @Override
    public URL getUrl() {
        return url;
    }

    @Override
    public boolean isAvailable() {
        return true;
    }

    @Override
    public void destroy() {
        // nothing to release
    }
}
