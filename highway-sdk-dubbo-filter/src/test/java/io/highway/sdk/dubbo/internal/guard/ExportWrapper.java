// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.guard;

import java.util.List;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.rpc.Exporter;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Protocol;
import org.apache.dubbo.rpc.ProtocolServer;

/** Something between Dubbo's protocols and the guard; its order is above that of {@link HighwayGuardWrapper}. */
public abstract class ExportWrapper implements Protocol {

    public static final int ORDER = 1001;

    private final Protocol protocol;

    protected ExportWrapper(Protocol protocol) {
        this.protocol = protocol;
    }

    protected abstract <T> Invoker<T> wrap(Invoker<T> invoker);

    @Override
    public <T> Exporter<T> export(Invoker<T> invoker) {
        return protocol.export(wrap(invoker));
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
}
