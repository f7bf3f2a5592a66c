// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.it;

import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.gateway.Gateway;
import io.highway.tools.gateway.GatewayConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.TestingServer;
import org.apache.dubbo.config.spring.context.DubboSpringInitCustomizerHolder;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.apache.dubbo.rpc.model.ModuleModel;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Home (zhejiang) with its gateway and a ZooKeeper without any provider, joined with shanghai and beijing. */
final class Star implements AutoCloseable {

    final TestIsland shanghai = new TestIsland("shanghai");
    final TestIsland beijing = new TestIsland("beijing");
    /** A provider at home, for references with its url; home's registry does not know it. */
    final TestIsland home = new TestIsland("zhejiang");

    final Gateway gateway;
    private final TestingServer zookeeper;
    private Consumer<ModuleModel> preparation = any -> {};
    private final List<FrameworkModel> frameworks = new ArrayList<>();
    private final List<ConfigurableApplicationContext> contexts = new ArrayList<>();

    Star() {
        gateway = Gateway.start(GatewayConfig.builder()
                .island("zhejiang")
                .listen("gateway.zhejiang.test", 0)
                .next("shanghai", List.of(shanghai.gatewayAddress()))
                .next("beijing", List.of(beijing.gatewayAddress()))
                .build());
        try {
            zookeeper = new TestingServer(FreePorts.next(), true);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** The three keys a user writes, and a time-out for slow machines, as lines of a properties file. */
    String keys() {
        return String.join(
                "\n",
                "highway.island=zhejiang",
                "highway.gateways.dubbo=gateway.zhejiang.test:" + gateway.port(),
                "highway.islands.shanghai.tunnel=dubbo",
                "highway.islands.beijing.tunnel=dubbo",
                "highway.defaults.timeout=5s");
    }

    /** Does something to the Dubbo models of the next application. */
    void beforeDubboStarts(Consumer<ModuleModel> preparation) {
        this.preparation = preparation;
    }

    /** Starts an application at home, with the keys and what a machine of tests needs. */
    ConfigurableApplicationContext start(Class<?> application, String... properties) {
        return startWithoutKeys(
                application,
                Stream.concat(keys().lines(), Stream.of(properties)).toArray(String[]::new));
    }

    /**
     * Starts an application at home without any highway key. It has separate Dubbo models: otherwise the first context
     * would take those of an island, which are the first of this JVM.
     */
    ConfigurableApplicationContext startWithoutKeys(Class<?> application, String... properties) {
        List<String> all = new ArrayList<>(List.of(
                "home.url=dubbo://" + home.providerAddress,
                "spring.application.name=orders",
                "dubbo.application.name=orders",
                "dubbo.application.qos-enable=false",
                "dubbo.registry.address=zookeeper://registry.test:" + zookeeper.getPort(),
                "dubbo.service.shutdown.wait=100"));
        all.addAll(List.of(properties));
        FrameworkModel framework = new FrameworkModel();
        frameworks.add(framework);
        ModuleModel module = framework.newApplication().getDefaultModule();
        preparation.accept(module);
        preparation = any -> {};
        DubboSpringInitCustomizerHolder.get().addCustomizer(context -> context.setModuleModel(module));
        ConfigurableApplicationContext context = new SpringApplicationBuilder(application)
                .web(WebApplicationType.NONE)
                .registerShutdownHook(false)
                .logStartupInfo(false)
                .properties(all.toArray(String[]::new))
                .run();
        contexts.add(context);
        return context;
    }

    /** The children of a node in home's registry. */
    List<String> registered(String path) throws Exception {
        try (CuratorFramework client =
                CuratorFrameworkFactory.newClient(zookeeper.getConnectString(), new RetryOneTime(100))) {
            client.start();
            return client.getChildren().forPath(path);
        }
    }

    void stopApplications() {
        contexts.forEach(ConfigurableApplicationContext::close);
        contexts.clear();
        frameworks.forEach(FrameworkModel::destroy);
        frameworks.clear();
    }

    @Override
    public void close() {
        stopApplications();
        gateway.closeNow();
        home.close();
        shanghai.close();
        beijing.close();
        try {
            zookeeper.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
