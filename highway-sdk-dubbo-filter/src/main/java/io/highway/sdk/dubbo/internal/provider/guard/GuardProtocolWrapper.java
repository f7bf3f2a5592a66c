// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.guard;

import io.highway.sdk.dubbo.internal.provider.server.DelegatingProtocol;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.extension.Activate;
import org.apache.dubbo.common.utils.UrlUtils;
import org.apache.dubbo.rpc.Exporter;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Protocol;
import org.apache.dubbo.rpc.RpcException;

/**
 * Puts the {@link ProviderGuard} in front of every service that is exported, Dubbo's own {@code MetadataService} included. This
 * is a protocol wrapper and no filter: a service's {@code filter} setting removes filters, and applications can put
 * theirs outside of any other.
 *
 * <p>Its order puts it around the whole filter chain: wrappers with a larger order are closer to the protocol. The export
 * to a registry passes here, too, before that of the service itself.
 */
@Activate(order = 1000)
public final class GuardProtocolWrapper extends DelegatingProtocol {

    /** Called by Dubbo for each of its protocols. */
    public GuardProtocolWrapper(Protocol protocol) {
        super(protocol);
    }

    @Override
    public <T> Exporter<T> export(Invoker<T> invoker) throws RpcException {
        URL url = invoker.getUrl();
        if (UrlUtils.isRegistry(url)) {
            return protocol.export(invoker);
        }
        Guards guards = Guards.of(url.getOrDefaultFrameworkModel());
        GuardedService<T> guarded =
                new GuardedService<>(invoker, ProviderGuard.of(url.getOrDefaultApplicationModel()), guards::unexported);
        guards.exported(guarded);
        try {
            return protocol.export(guarded);
        } catch (RuntimeException | Error e) {
            guarded.unexported();
            throw e;
        }
    }
}
