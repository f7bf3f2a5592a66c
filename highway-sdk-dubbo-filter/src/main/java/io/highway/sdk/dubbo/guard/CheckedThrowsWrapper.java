// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.guard;

import java.util.List;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.extension.Activate;
import org.apache.dubbo.rpc.Exporter;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Protocol;
import org.apache.dubbo.rpc.ProtocolServer;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.RpcException;

/**
 * Wraps a checked exception of a provider's filter in an {@code RpcException}. Dubbo's server writes the class name of
 * an exception into an error frame, as it does with its own {@code RemotingException} for a missing service: a filter
 * that throws one would claim that the call has not run. This is a protocol wrapper and no filter, since a filter sees
 * only exceptions of filters inside it, and applications can put theirs outside.
 *
 * <p>Its order puts it around the whole filter chain: wrappers with a larger order are closer to the protocol.
 */
@Activate(order = 1000)
public final class CheckedThrowsWrapper implements Protocol {

    private final Protocol protocol;

    /** Called by Dubbo for each of its protocols. */
    public CheckedThrowsWrapper(Protocol protocol) {
        this.protocol = protocol;
    }

    @Override
    public int getDefaultPort() {
        return protocol.getDefaultPort();
    }

    @Override
    public <T> Exporter<T> export(Invoker<T> invoker) throws RpcException {
        return protocol.export(new Unchecked<>(invoker));
    }

    @Override
    public <T> Invoker<T> refer(Class<T> type, URL url) throws RpcException {
        return protocol.refer(type, url);
    }

    @Override
    public void destroy() {
        protocol.destroy();
    }

    @Override
    public List<ProtocolServer> getServers() {
        return protocol.getServers();
    }

    private record Unchecked<T>(Invoker<T> invoker) implements Invoker<T> {

        @Override
        public Result invoke(Invocation invocation) throws RpcException {
            try {
                return invoker.invoke(invocation);
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) { // filters can throw undeclared checked exceptions
                throw new RpcException(e.getMessage(), e);
            }
        }

        @Override
        public Class<T> getInterface() {
            return invoker.getInterface();
        }

        @Override
        public URL getUrl() {
            return invoker.getUrl();
        }

        @Override
        public boolean isAvailable() {
            return invoker.isAvailable();
        }

        @Override
        public void destroy() {
            invoker.destroy();
        }
    }
}
