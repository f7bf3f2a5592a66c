// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.server;

import io.netty.channel.ChannelHandlerAdapter;
import io.netty.channel.ChannelHandlerContext;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.remoting.ChannelHandler;
import org.apache.dubbo.remoting.RemotingException;
import org.apache.dubbo.remoting.api.WireProtocol;
import org.apache.dubbo.remoting.api.connection.AbstractConnectionClient;
import org.apache.dubbo.remoting.api.pu.AbstractPortUnificationServer;
import org.apache.dubbo.remoting.api.pu.ChannelHandlerPretender;
import org.apache.dubbo.remoting.api.pu.ChannelOperator;
import org.apache.dubbo.remoting.api.pu.PortUnificationTransporter;
import org.apache.dubbo.remoting.transport.netty4.NettyPortUnificationServer;
import org.apache.dubbo.remoting.transport.netty4.NettyPortUnificationTransporter;

/**
 * Bounds what Dubbo's servers for several protocols, Triple among them, buffer ({@link ServerPipelineCustomizer}), and decodes
 * only Dubbo frames that the guard admits.
 *
 * @param transporter what Dubbo lets it wrap
 */
public record GuardedPortUnification(PortUnificationTransporter transporter) implements PortUnificationTransporter {

    @Override
    public AbstractPortUnificationServer bind(URL url, ChannelHandler handler) throws RemotingException {
        AbstractPortUnificationServer server = transporter instanceof NettyPortUnificationTransporter
                ? new Admitting(url, handler)
                : transporter.bind(url, handler);
        if (ServerPipelineCustomizer.areWanted(url)) {
            server.getProtocols().replaceAll((name, protocol) -> bounded(protocol));
        }
        return server;
    }

    @Override
    public AbstractConnectionClient connect(URL url, ChannelHandler handler) throws RemotingException {
        return transporter.connect(url, handler);
    }

    /** Decodes only what the guard admits, if the Dubbo protocol is one of its protocols. */
    private static final class Admitting extends NettyPortUnificationServer {

        /** Connections may come before the first protocol is added. */
        Admitting(URL url, ChannelHandler handler) throws RemotingException {
            super(served(url), admitting(url, handler));
        }

        @Override
        public void addSupportedProtocol(URL url, ChannelHandler handler) {
            super.addSupportedProtocol(served(url), admitting(url, handler));
        }

        private static URL served(URL url) {
            return ServerPipelineCustomizer.areWanted(url) ? GuardedCodec.on(url) : url;
        }

        /** Triple passes no requests to its handler. */
        private static ChannelHandler admitting(URL url, ChannelHandler handler) {
            return ServerPipelineCustomizer.areWanted(url)
                    ? new AdmissionHandler(url.getOrDefaultFrameworkModel(), handler)
                    : handler;
        }
    }

    /** The same protocol, whose servers bound their pipelines. By proxies, since the interfaces differ between Dubbo 3.2 and 3.3. */
    private static WireProtocol bounded(WireProtocol protocol) {
        return proxy(WireProtocol.class, protocol, arguments -> {
            if (arguments.length == 2 && arguments[1] instanceof ChannelOperator operator) {
                URL url = (URL) arguments[0];
                TripleWindows.set(url);
                arguments[1] = proxy(ChannelOperator.class, operator, handlers -> addLast(handlers, url));
            }
        });
    }

    private static void addLast(Object[] arguments, URL url) {
        if (arguments[0] instanceof List<?> handlers) {
            List<Object> all = new ArrayList<>(handlers);
            all.add(new ChannelHandlerPretender(new Installing(url)));
            arguments[0] = all;
        }
    }

    /** @param change changes the arguments of a call in place */
    private static <T> T proxy(Class<T> type, T target, Consumer<Object[]> change) {
        InvocationHandler changing = (proxy, method, arguments) -> {
            if (arguments != null) {
                change.accept(arguments);
            }
            try {
                return method.invoke(target, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, changing));
    }

    /** Added to the pipeline to get it; removes itself. */
    private static final class Installing extends ChannelHandlerAdapter {

        private final URL server;

        Installing(URL server) {
            this.server = server;
        }

        @Override
        public void handlerAdded(ChannelHandlerContext context) {
            ServerPipelineCustomizer.bound(context.pipeline(), server);
            context.pipeline().remove(this);
        }
    }
}
