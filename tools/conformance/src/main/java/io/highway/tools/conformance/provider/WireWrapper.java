// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.provider;

import io.highway.tools.conformance.service.Ledger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.extension.Activate;
import org.apache.dubbo.rpc.Exporter;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Protocol;
import org.apache.dubbo.rpc.ProtocolServer;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.protocol.InvokerWrapper;

/**
 * Records the attachments on the wire of each call of the kit, in front of the SDK's guard, which removes its keys. The
 * guard is in front of all filters, so this is a protocol wrapper, too, and closer to the protocol by its order.
 */
@Activate(order = 1001)
public final class WireWrapper implements Protocol {

    private final Protocol protocol;

    /** Called by Dubbo for each of its protocols. */
    public WireWrapper(Protocol protocol) {
        this.protocol = protocol;
    }

    @Override
    public <T> Exporter<T> export(Invoker<T> invoker) {
        if (invoker.getInterface().equals(Ledger.class)) {
            return protocol.export(invoker);
        }
        return protocol.export(new Recorded<>(invoker));
    }

    @Override
    public <T> Invoker<T> refer(Class<T> type, URL url) {
        return protocol.refer(type, url);
    }

    @Override
    public int getDefaultPort() {
        return protocol.getDefaultPort();
    }

    @Override
    public List<ProtocolServer> getServers() {
        return protocol.getServers();
    }

    @Override
    public void destroy() {
        protocol.destroy();
    }

    private static final class Recorded<T> extends InvokerWrapper<T> {

        Recorded(Invoker<T> service) {
            super(service, service.getUrl());
        }

        @Override
        public Result invoke(Invocation invocation) {
            Journal journal = getUrl().getOrDefaultApplicationModel()
                    .getBeanFactory()
                    .getBean(Journal.class); // only providers of the kit have one
            Object[] arguments = invocation.getArguments();
            if (journal != null && arguments != null && arguments.length > 0 && arguments[0] instanceof String id) {
                Map<String, String> attachments = new HashMap<>();
                invocation.getObjectAttachments().forEach((key, value) -> {
                    if (value instanceof String text) {
                        attachments.put(key, text);
                    }
                });
                journal.arrived(id, attachments);
            }
            return super.invoke(invocation);
        }
    }
}
