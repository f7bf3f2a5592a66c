// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.http.server;

import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.sdk.dubbo.internal.policy.Policy;
import io.highway.sdk.dubbo.internal.provider.server.DelegatingProtocol;
import java.util.List;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.extension.Activate;
import org.apache.dubbo.common.utils.UrlUtils;
import org.apache.dubbo.rpc.Constants;
import org.apache.dubbo.rpc.Exporter;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Protocol;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.listener.ListenerExporterWrapper;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.jspecify.annotations.Nullable;

/**
 * Serves what any protocol exports also over HTTP/1.1, at {@code http.port}. By its order it is inside the guard: wrappers with
 * a larger order are closer to the protocol, so what is exported here is guarded already.
 */
@Activate(order = 2000)
public final class HttpProtocolWrapper extends DelegatingProtocol {

    /** Called by Dubbo for each of its protocols. */
    public HttpProtocolWrapper(Protocol protocol) {
        super(protocol);
    }

    @Override
    public <T> Exporter<T> export(Invoker<T> invoker) throws RpcException {
        URL url = invoker.getUrl();
        Integer port = port(url);
        if (port == null) {
            return protocol.export(invoker);
        }
        HttpTunnelServers.requireOtherPort(url, port);
        FrameworkModel framework = url.getOrDefaultFrameworkModel();
        HttpServices services = HttpServices.of(framework);
        Exporter<T> exporter = protocol.export(invoker);
        try {
            HttpTunnelServers.of(framework).open(url, port);
            services.exported(exporter.getInvoker(), port);
        } catch (RuntimeException | Error e) {
            exporter.unexport();
            throw e;
        }
        return new ListenerExporterWrapper<>(exporter, List.of()) {
            @Override
            public void unexport() {
                services.unexported(getInvoker());
                super.unexport();
            }
        };
    }

    private static @Nullable Integer port(URL url) {
        if (UrlUtils.isRegistry(url) || url.getProtocol().equals(Constants.LOCAL_PROTOCOL)) {
            return null;
        }
        Policy policy = HighwayRuntime.of(url.getOrDefaultApplicationModel()).policyIfEnabled();
        return policy == null ? null : policy.local().httpPort();
    }
}
