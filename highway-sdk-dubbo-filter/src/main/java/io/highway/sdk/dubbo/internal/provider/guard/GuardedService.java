// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.guard;

import io.highway.sdk.dubbo.internal.call.CallAttributes;
import io.highway.sdk.dubbo.internal.memory.MemoryBudget;
import java.util.function.Consumer;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.protocol.InvokerWrapper;

/** Invokes a service and its filters, which the guard does once it has admitted the call. */
final class GuardedService<T> extends InvokerWrapper<T> {

    private final ProviderGuard guard;

    private final Consumer<GuardedService<?>> unexported;

    /** {@code unexported} is called once it is no longer exported. */
    GuardedService(Invoker<T> service, ProviderGuard guard, Consumer<GuardedService<?>> unexported) {
        super(service, service.getUrl());
        this.guard = guard;
        this.unexported = unexported;
        guard.exported(service);
    }

    /** It is no longer exported. */
    void unexported() {
        unexported.accept(this);
    }

    @Override
    public Result invoke(Invocation invocation) throws RpcException {
        MemoryBudget.Body request = CallAttributes.get(invocation, MemoryBudget.Body.class);
        return request == null ? guard.serve(invoker, invocation) : serve(invocation, request);
    }

    /** Its bytes count until it has ended. */
    private Result serve(Invocation invocation, MemoryBudget.Body request) {
        try {
            return guard.serve(invoker, invocation).whenCompleteWithContext((answer, thrown) -> request.release());
        } catch (RuntimeException | Error e) {
            request.release();
            throw e;
        }
    }

    /** Called when the service is no longer exported. */
    @Override
    public void destroy() {
        unexported();
        super.destroy();
    }

    ProviderGuard guard() {
        return guard;
    }

    /** The service without the guard. */
    Invoker<T> service() {
        return invoker;
    }
}
