// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.guard;

import java.util.Map;
import org.apache.dubbo.common.extension.Activate;
import org.apache.dubbo.config.ServiceConfig;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Protocol;

/** Exports a service as a provider without the SDK does. No setting of the SDK or of Dubbo can do that. */
@Activate(order = ExportWrapper.ORDER)
public final class WithoutGuard extends ExportWrapper {

    private static final String KEY = "without-guard";

    public WithoutGuard(Protocol protocol) {
        super(protocol);
    }

    /** Lets this service be exported without the guard. */
    public static void export(ServiceConfig<?> service) {
        service.setParameters(Map.of(KEY, "true"));
    }

    @Override
    protected <T> Invoker<T> wrap(Invoker<T> invoker) {
        return invoker instanceof GuardedService<T> guarded && invoker.getUrl().getParameter(KEY, false)
                ? guarded.service()
                : invoker;
    }
}
