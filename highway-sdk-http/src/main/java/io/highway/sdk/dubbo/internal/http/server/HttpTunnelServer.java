// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.http.server;

import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.common.threadpool.manager.ExecutorRepository;
import org.apache.dubbo.common.utils.ExecutorUtil;
import org.apache.dubbo.common.utils.NetUtils;
import org.apache.dubbo.remoting.Constants;
import org.apache.dubbo.remoting.transport.netty4.NettyEventLoopFactory;
import org.apache.dubbo.remoting.transport.netty4.ssl.SslServerTlsHandler;

/** A port for calls over HTTP/1.1, with the TLS, the limits and the threads of the protocol of a service. */
final class HttpTunnelServer {

    static final String PORT_KEY = "highway.http.port";

    private static final String THREADS = "HighwayHttpServer";
    private static final int STOP_SECONDS = 5;

    private final EventLoopGroup eventLoops;
    private final ChannelGroup channels;

    private HttpTunnelServer(URL url) {
        this.eventLoops = NettyEventLoopFactory.eventLoopGroup(
                url.getPositiveParameter(CommonConstants.IO_THREADS_KEY, Constants.DEFAULT_IO_THREADS), THREADS);
        this.channels = new DefaultChannelGroup(eventLoops.next(), true);
    }

    /** Opens it. */
    static HttpTunnelServer open(URL service, int port) {
        URL url = ExecutorUtil.setThreadName(
                service.setProtocol(CommonConstants.DUBBO).setPort(port), THREADS); // frames, and threads, are Dubbo's
        ExecutorRepository.getInstance(url.getOrDefaultApplicationModel()).createExecutorIfAbsent(url);
        HttpTunnelServer server = new HttpTunnelServer(url);
        ChannelFuture bound = server.bind(url, new CallDispatcher(url)).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            server.close();
            HighwayConfigurationException failure = new HighwayConfigurationException(
                    PORT_KEY,
                    "port " + port + " cannot be opened: " + bound.cause().getMessage(),
                    "Write a port that is free");
            failure.initCause(bound.cause());
            throw failure;
        }
        server.channels.add(bound.channel());
        return server;
    }

    private ChannelFuture bind(URL url, CallDispatcher calls) {
        String host = url.getParameter(Constants.BIND_IP_KEY, url.getHost());
        boolean isAny = url.getParameter(CommonConstants.ANYHOST_KEY, false) || NetUtils.isInvalidLocalHost(host);
        int most = url.getParameter(Constants.ACCEPTS_KEY, Constants.DEFAULT_ACCEPTS);
        return new ServerBootstrap()
                .group(eventLoops)
                .channel(NettyEventLoopFactory.serverSocketChannelClass())
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    @SuppressWarnings("FutureReturnValueIgnored") // nothing follows
                    protected void initChannel(Channel accepted) {
                        channels.add(accepted);
                        if (most > 0 && channels.size() > most + 1) { // the listening one
                            accepted.close();
                        } else {
                            accepted.pipeline().addLast(new SslServerTlsHandler(url), new HttpRequestHandler(calls));
                        }
                    }
                })
                .bind(new InetSocketAddress(isAny ? CommonConstants.ANYHOST_VALUE : host, url.getPort()));
    }

    /** Closes it with all connections. */
    void close() {
        channels.close().awaitUninterruptibly();
        eventLoops.shutdownGracefully(0, STOP_SECONDS, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
