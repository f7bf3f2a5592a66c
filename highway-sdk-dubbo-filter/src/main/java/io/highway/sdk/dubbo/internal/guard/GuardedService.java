// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.guard;

import io.highway.sdk.dubbo.internal.intent.CallState;
import io.highway.sdk.dubbo.internal.limits.BufferedBytes;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.RpcException;

/** A service and its filters, behind the guard. */
final class GuardedService<T> implements Invoker<T> {

    private final Invoker<T> service;
    private final Guard guard;

    GuardedService(Invoker<T> service, Guard guard) {
        this.service = service;
        this.guard = guard;
        guard.exported(service);
    }

    /** Nobody will call it. */
    void exportFailed() {
        guard.unexported(service);
    }

    @Override
    public Result invoke(Invocation invocation) throws RpcException {
        BufferedBytes.Body request = CallState.get(invocation, BufferedBytes.Body.class);
        return request == null ? guard.serve(service, invocation) : serve(invocation, request);
    }

    /** Its bytes count until it has ended. */
    private Result serve(Invocation invocation, BufferedBytes.Body request) {
        try {
            return guard.serve(service, invocation).whenCompleteWithContext((answer, thrown) -> request.release());
        } catch (RuntimeException | Error e) {
            request.release();
            throw e;
        }
    }

    @Override
    public Class<T> getInterface() {
        return service.getInterface();
    }

    @Override
    public URL getUrl() {
        return service.getUrl();
    }

    @Override
    public boolean isAvailable() {
        return service.isAvailable();
    }

    /** Called when the service is no longer exported. */
    @Override
    public void destroy() {
        guard.unexported(service);
        service.destroy();
    }

    /** The service without the guard. */
    Invoker<T> service() {
        return service;
    }
}
