// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.decision;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.url.component.ServiceConfigURL;
import org.apache.dubbo.config.ApplicationConfig;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.cluster.Cluster;
import org.apache.dubbo.rpc.cluster.Constants;
import org.apache.dubbo.rpc.cluster.directory.StaticDirectory;
import org.apache.dubbo.rpc.cluster.support.FailoverCluster;
import org.apache.dubbo.rpc.cluster.support.registry.ZoneAwareCluster;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.FrameworkModel;

/** A Dubbo application in zhejiang with what it calls: clusters of stubs, put together as Dubbo does it for a reference. */
final class HomeApplication implements AutoCloseable {

    static final String HOME = "zhejiang";

    /** The tag that most providers have. */
    static final String TAG = "gray";

    /** How many providers there are behind routers. */
    static final int PROVIDERS = 5;

    /** How many of them have the tag. */
    static final int TAGGED = PROVIDERS - 1;

    private static final int PORT = 20880;

    private final FrameworkModel framework = new FrameworkModel();
    private final ApplicationModel application = framework.newApplication();

    /** With these keys of the SDK; with {@code highway.enabled=false} it is not there. */
    HomeApplication(Map<String, String> highway) {
        application.modelEnvironment().updateAppConfigMap(highway);
        application.getApplicationConfigManager().setApplication(new ApplicationConfig("caller"));
    }

    /** Keys as an application has them that calls two islands; no gateway is connected, since none is there. */
    static Map<String, String> twoIslands() {
        Map<String, String> keys = new HashMap<>();
        keys.put("highway.island", HOME);
        keys.put("highway.gateways.dubbo", "gateway.zhejiang.test:9");
        keys.put("highway.gateways.triple", "gateway.zhejiang.test:10");
        keys.put("highway.islands.shanghai.tunnel", "auto");
        keys.put("highway.islands.beijing.tunnel", "dubbo");
        return keys;
    }

    /** One provider. */
    <T> StaticDirectory<T> directory(Class<T> service, Map<String, String> parameters) {
        return directory(service, parameters, List.of(provider(service, PORT, "")));
    }

    /**
     * Five providers, all but one with the tag, behind the routers that a reference has.
     *
     * @param routers empty for all, {@code -tag} for all but that one
     */
    <T> StaticDirectory<T> behindRouters(Class<T> service, String routers) {
        List<Invoker<T>> five = IntStream.range(0, PROVIDERS)
                .mapToObj(i -> provider(service, PORT + i, i < TAGGED ? TAG : ""))
                .toList();
        StaticDirectory<T> directory = directory(service, Map.of("router", routers), five);
        directory.buildRouterChain();
        return directory;
    }

    private <T> StaticDirectory<T> directory(
            Class<T> service, Map<String, String> parameters, List<Invoker<T>> providers) {
        Map<String, String> own = new HashMap<>(parameters);
        own.put("side", "consumer");
        own.put("timeout", "3000");
        URL consumer = url("consumer", service, 0, own);
        return new StaticDirectory<>(
                url("registry", service, PORT, parameters)
                        .putAttribute(Constants.REFER_KEY, own)
                        .putAttribute(Constants.CONSUMER_URL_KEY, consumer),
                providers);
    }

    private <T> Invoker<T> provider(Class<T> service, int port, String tag) {
        return new StubInvoker<>(
                service,
                url(
                        "dubbo",
                        service,
                        port,
                        tag.isEmpty()
                                ? Map.of("remote.application", "provider")
                                : Map.of("remote.application", "provider", "dubbo.tag", tag)));
    }

    private URL url(String protocol, Class<?> service, int port, Map<String, String> parameters) {
        Map<String, String> all = new HashMap<>(parameters);
        all.put("interface", service.getName());
        all.put("application", "caller");
        return new ServiceConfigURL(protocol, "zhejiang.test", port, service.getName(), all)
                .setScopeModel(application.getDefaultModule());
    }

    /** What a reference calls: Dubbo's default cluster, with its filters and all wrappers. */
    <T> Invoker<T> cluster(StaticDirectory<T> directory) {
        return Cluster.getCluster(application.getDefaultModule(), FailoverCluster.NAME)
                .join(directory, true);
    }

    /** What a reference with two registries calls. */
    <T> Invoker<T> overRegistries(Class<T> service, String zone, String otherZone) {
        List<Invoker<T>> registries = List.of(
                cluster(directory(service, Map.of("zone", otherZone))),
                cluster(directory(service, Map.of("zone", zone))));
        URL url = url("registry", service, PORT, Map.of());
        return Cluster.getCluster(application.getDefaultModule(), ZoneAwareCluster.NAME, false)
                .join(new StaticDirectory<>(url, registries), false);
    }

    @Override
    public void close() {
        framework.destroy();
    }
}
