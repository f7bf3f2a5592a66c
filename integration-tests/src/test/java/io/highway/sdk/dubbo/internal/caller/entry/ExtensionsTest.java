// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.entry;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.network.connection.GatewayClients;
import io.highway.sdk.dubbo.internal.network.connection.TunnelProtocol;
import io.highway.sdk.dubbo.internal.provider.guard.GuardProtocolWrapper;
import io.highway.sdk.dubbo.internal.provider.guard.InboundHopsFilter;
import io.highway.sdk.dubbo.internal.provider.server.DelegatingProtocol;
import io.highway.sdk.dubbo.internal.provider.server.UnwritableAnswerReporter;
import io.highway.sdk.dubbo.it.CountingCluster;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.deploy.ApplicationDeployListener;
import org.apache.dubbo.common.url.component.ServiceConfigURL;
import org.apache.dubbo.config.ConfigInitializer;
import org.apache.dubbo.rpc.AsyncRpcResult;
import org.apache.dubbo.rpc.Filter;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Protocol;
import org.apache.dubbo.rpc.ProxyFactory;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.cluster.Cluster;
import org.apache.dubbo.rpc.cluster.ClusterInvoker;
import org.apache.dubbo.rpc.cluster.Directory;
import org.apache.dubbo.rpc.cluster.directory.StaticDirectory;
import org.apache.dubbo.rpc.cluster.filter.ProtocolFilterWrapper;
import org.apache.dubbo.rpc.filter.ContextFilter;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.apache.dubbo.rpc.model.ModuleModel;
import org.apache.dubbo.rpc.model.PackableMethodFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every extension is found by Dubbo where it is needed. */
class ExtensionsTest {

    interface Sms {}

    private static FrameworkModel framework;

    @BeforeAll
    static void start() {
        framework = new FrameworkModel();
    }

    @AfterAll
    static void stop() {
        framework.destroy();
    }

    private static ModuleModel module(String... keysAndValues) {
        ApplicationModel application = framework.newApplication();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            application.modelEnvironment().updateAppConfigMap(Map.of(keysAndValues[i], keysAndValues[i + 1]));
        }
        return application.newModule();
    }

    private static Cluster cluster(ModuleModel module, String name) {
        return module.getApplicationModel().getExtensionLoader(Cluster.class).getExtension(name);
    }

    /** A provider without callers. */
    private record Idle(URL getUrl) implements Invoker<Sms> {

        @Override
        public Class<Sms> getInterface() {
            return Sms.class;
        }

        @Override
        public Result invoke(Invocation invocation) {
            return AsyncRpcResult.newDefaultAsyncResult(invocation);
        }

        @Override
        public boolean isAvailable() {
            return true;
        }

        @Override
        public void destroy() {
            // nothing to release
        }
    }

    private static Directory<Sms> directory(ModuleModel module) {
        URL url = new ServiceConfigURL(
                        "consumer", "127.0.0.1", 0, Sms.class.getName(), Map.of("interface", Sms.class.getName()))
                .setScopeModel(module);
        return new StaticDirectory<>(url, List.of(new Idle(url)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"failover", "failfast", "failsafe", "zone-aware"})
    void wrapsEveryCluster_outermost(String name) {
        assertThat(cluster(module(), name)) // which asks for the least order
                .isInstanceOfSatisfying(CountingCluster.Outermost.class, users -> assertThat(users.inner())
                        .isInstanceOf(HighwayCluster.class));
    }

    @Test
    void putsTheClusterInvokerInFrontOfAReference_whenOn() {
        ModuleModel module = module("highway.island", "zhejiang");
        Directory<Sms> directory = directory(module);

        Invoker<Sms> invoker = cluster(module, "failover").join(directory, true);

        assertThat(invoker).isInstanceOfSatisfying(HighwayClusterInvoker.class, cluster -> {
            assertThat(cluster.getDirectory()).isSameAs(directory);
            assertThat(cluster.getInterface()).isEqualTo(Sms.class);
            assertThat(cluster.getUrl()).isSameAs(directory.getConsumerUrl());
            assertThat(cluster.getRegistryUrl()).isSameAs(directory.getUrl());
            assertThat(cluster.isDestroyed()).isFalse();
        });
        invoker.destroy();
        assertThat(((ClusterInvoker<Sms>) invoker).isDestroyed()).isTrue();
    }

    @Test
    void addsNothing_whenOff() {
        ModuleModel none = module();
        ModuleModel off = module("highway.island", "zhejiang", "highway.enabled", "false");

        assertThat(cluster(none, "failover").join(directory(none), true)).isNotInstanceOf(HighwayClusterInvoker.class);
        assertThat(cluster(off, "failover").join(directory(off), true)).isNotInstanceOf(HighwayClusterInvoker.class);
    }

    @Test
    void addsNothing_toAJoinWithoutFilters() {
        ModuleModel module = module("highway.island", "zhejiang");

        Invoker<Sms> part = cluster(module, "failover").join(directory(module), false);

        assertThat(part).isNotInstanceOf(HighwayClusterInvoker.class);
    }

    private static List<Filter> filters(String key, String side, String... parameters) {
        ModuleModel module = module();
        URL url = URL.valueOf("dubbo://127.0.0.1:20880/com.foo.Sms").setScopeModel(module);
        for (int i = 0; i < parameters.length; i += 2) {
            url = url.addParameter(parameters[i], parameters[i + 1]);
        }
        return module.getExtensionLoader(Filter.class).getActivateExtension(url, key, side);
    }

    @Test
    void keepsHopsInDubbosContext_onceItIsFilled() {
        List<Filter> filters = filters("service.filter", "provider");

        assertThat(filters).hasAtLeastOneElementOfType(InboundHopsFilter.class);
        int context = indexOf(filters, ContextFilter.class);
        assertThat(indexOf(filters, InboundHopsFilter.class)).isGreaterThan(context);
        assertThat(context).isNotNegative();
        assertThat(filters("reference.filter", "consumer")).doesNotHaveAnyElementsOfTypes(InboundHopsFilter.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"dubbo", "tri", "injvm"})
    void guardsEveryProtocol_outsideOfTheFilters(String name) {
        List<Class<?>> wrappers = wrappers(name);

        assertThat(wrappers).containsSubsequence(ProtocolFilterWrapper.class, GuardProtocolWrapper.class);
    }

    /** From the first that Dubbo calls. */
    private static List<Class<?>> wrappers(String name) {
        Object protocol = framework.getExtensionLoader(Protocol.class).getExtension(name);
        List<Class<?>> wrappers = new ArrayList<>();
        for (Object inner = inner(protocol); inner != null; inner = inner(protocol)) {
            wrappers.add(protocol.getClass());
            protocol = inner;
        }
        return wrappers;
    }

    private static @Nullable Object inner(Object wrapper) {
        try {
            Class<?> type = wrapper instanceof DelegatingProtocol ? DelegatingProtocol.class : wrapper.getClass();
            Field field = type.getDeclaredField("protocol");
            field.setAccessible(true);
            return field.get(wrapper);
        } catch (NoSuchFieldException e) {
            return null; // Dubbo's own
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    private static int indexOf(List<Filter> filters, Class<? extends Filter> type) {
        for (int i = 0; i < filters.size(); i++) {
            if (type.isInstance(filters.get(i))) {
                return i;
            }
        }
        return -1;
    }

    @ParameterizedTest
    @EnumSource
    void hasAProtocolOfEachTunnel(TunnelKind kind) {
        String name = GatewayClients.of(framework).protocol(kind);

        assertThat(framework.getExtensionLoader(Protocol.class).getExtension(name, false))
                .isInstanceOf(TunnelProtocol.class);
    }

    @Test
    void initialisesReferencesAndServices() {
        ModuleModel module = module();
        URL url = URL.valueOf("configInitializer://", module);

        assertThat(module.getExtensionLoader(ConfigInitializer.class).getActivateExtension(url, (String[]) null))
                .hasAtLeastOneElementOfType(HighwayConfigInitializer.class);
    }

    @Test
    void wrapsTheFactoryOfPackableMethods() {
        assertThat(framework.getExtensionLoader(PackableMethodFactory.class).getExtension("default"))
                .isInstanceOf(UnwritableAnswerReporter.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"javassist", "jdk"})
    void wrapsEveryProxyFactory(String name) {
        ProxyFactory factory = framework.getExtensionLoader(ProxyFactory.class).getExtension(name);

        // Dubbo's own wrapper for stubs has the same order, and either may be outside.
        assertThat(factory)
                .satisfiesAnyOf(
                        outer -> assertThat(outer).isInstanceOf(MultiRegistryProxyFactory.class),
                        outer -> assertThat(outer)
                                .extracting("proxyFactory")
                                .isInstanceOf(MultiRegistryProxyFactory.class));
    }

    @Test
    void hearsThatTheApplicationStops() {
        ApplicationModel application = module().getApplicationModel();

        assertThat(application
                        .getExtensionLoader(ApplicationDeployListener.class)
                        .getSupportedExtensionInstances())
                .hasAtLeastOneElementOfType(HighwayLifecycle.class);
    }
}
