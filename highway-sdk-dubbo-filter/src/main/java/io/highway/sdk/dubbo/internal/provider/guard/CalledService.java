// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.guard;

import io.highway.sdk.dubbo.internal.provider.server.PreDecodeCheck.ServiceName;
import org.apache.dubbo.rpc.Constants;
import org.apache.dubbo.rpc.Invoker;
import org.jspecify.annotations.Nullable;

/**
 * The service that a call is for.
 *
 * @param service the service, or null if none of this name is exported
 * @param name the full name of its interface; of one that is not exported, the printable path
 * @param key {@code [group/]interface[:version]}, which the signature covers
 */
record CalledService(@Nullable Invoker<?> service, String name, String key) {

    static CalledService of(Invoker<?> service) {
        return new CalledService(
                service,
                service.getUrl().getServiceInterface(),
                service.getUrl().getServiceKey());
    }

    static CalledService of(@Nullable Invoker<?> service, ServiceName name) {
        return service != null ? of(service) : new CalledService(null, MethodCheck.printable(name.path()), name.key());
    }

    /** Whether it is called in this process only. */
    boolean isLocal() {
        return service != null
                && Constants.LOCAL_PROTOCOL.equals(service.getUrl().getProtocol());
    }
}
