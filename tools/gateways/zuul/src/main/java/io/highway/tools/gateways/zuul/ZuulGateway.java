// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways.zuul;

import com.netflix.appinfo.ApplicationInfoManager;
import com.netflix.appinfo.InstanceInfo;
import com.netflix.appinfo.MyDataCenterInstanceConfig;
import com.netflix.config.ConfigurationManager;
import com.netflix.netty.common.accesslog.AccessLogPublisher;
import com.netflix.netty.common.channel.config.ChannelConfig;
import com.netflix.netty.common.channel.config.CommonChannelConfigKeys;
import com.netflix.netty.common.metrics.EventLoopGroupMetrics;
import com.netflix.netty.common.proxyprotocol.StripUntrustedProxyHeadersHandler.AllowWhen;
import com.netflix.netty.common.status.ServerStatusManager;
import com.netflix.spectator.api.NoopRegistry;
import com.netflix.zuul.DefaultFilterFactory;
import com.netflix.zuul.StaticFilterLoader;
import com.netflix.zuul.context.ZuulSessionContextDecorator;
import com.netflix.zuul.netty.server.BaseServerStartup;
import com.netflix.zuul.netty.server.DefaultEventLoopConfig;
import com.netflix.zuul.netty.server.DirectMemoryMonitor;
import com.netflix.zuul.netty.server.NamedSocketAddress;
import com.netflix.zuul.netty.server.ZuulServerChannelInitializer;
import com.netflix.zuul.origins.BasicNettyOriginManager;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.group.ChannelGroup;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Set;

/** One gateway; its settings are in {@code zuul.properties}, and each may be given as a system property. */
public final class ZuulGateway extends BaseServerStartup {

    private static final String LISTENER = "http";

    private final int port;

    private ZuulGateway(int port, NoopRegistry registry, ApplicationInfoManager application) {
        super(
                new ServerStatusManager(application),
                new StaticFilterLoader(new DefaultFilterFactory(), Set.of(Routes.class, Statements.class)),
                new ZuulSessionContextDecorator(new BasicNettyOriginManager(registry)),
                (filter, status) -> {},
                (request, response) -> {},
                registry,
                new DirectMemoryMonitor(registry),
                new EventLoopGroupMetrics(registry),
                new DefaultEventLoopConfig(),
                null,
                application,
                new AccessLogPublisher("ACCESS", (channel, request) -> ""));
        this.port = port;
    }

    /** Runs until the process is ended; the arguments are the port, and for each island {@code id=host:port,...}. */
    public static void main(String[] arguments) throws Exception {
        ConfigurationManager.loadPropertiesFromResources("zuul.properties");
        for (int at = 1; at < arguments.length; at++) {
            String[] route = arguments[at].split("=", 2);
            ConfigurationManager.getConfigInstance().setProperty(Servers.key(route[0]), route[1].split(",", -1));
        }
        InstanceInfo instance =
                InstanceInfo.Builder.newBuilder().setAppName("gateway").build();
        ApplicationInfoManager application =
                new ApplicationInfoManager(new MyDataCenterInstanceConfig(), instance, null);
        ZuulGateway gateway = new ZuulGateway(Integer.parseInt(arguments[0]), new NoopRegistry(), application);
        gateway.init();
        gateway.server().start();
        gateway.server().awaitTermination();
    }

    @Override
    protected Map<NamedSocketAddress, ChannelInitializer<?>> chooseAddrsAndChannels(ChannelGroup clients) {
        ChannelConfig config = defaultChannelConfig(LISTENER);
        config.set(CommonChannelConfigKeys.allowProxyHeadersWhen, AllowWhen.ALWAYS);
        config.set(CommonChannelConfigKeys.preferProxyProtocolForClientIp, false);
        config.set(CommonChannelConfigKeys.isSSlFromIntermediary, false);
        config.set(CommonChannelConfigKeys.withProxyProtocol, false);
        return Map.of(
                new NamedSocketAddress(LISTENER, new InetSocketAddress(port)),
                new ZuulServerChannelInitializer(LISTENER, config, defaultChannelDependencies(LISTENER), clients));
    }
}
