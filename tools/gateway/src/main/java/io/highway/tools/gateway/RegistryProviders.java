// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway;

import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.utils.NetUtils;
import org.apache.dubbo.registry.NotifyListener;
import org.apache.dubbo.registry.Registry;
import org.apache.dubbo.registry.RegistryFactory;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Providers from a Dubbo registry, by interface. A service is subscribed to when it is first called and kept current
 * from then on. Registries block, so all of it runs on a separate thread.
 */
final class RegistryProviders implements Route {
    private static final Logger log = LoggerFactory.getLogger(RegistryProviders.class);

    private final ExecutorService worker =
            Executors.newSingleThreadExecutor(new DefaultThreadFactory("gateway-registry", true));
    private final FrameworkModel framework = new FrameworkModel();
    private final ApplicationModel application = framework.newApplication();
    private final Map<ServiceName, CompletableFuture<Providers>> subscriptions = new ConcurrentHashMap<>();
    private final URL address;

    private RegistryProviders(URL address) {
        this.address = address.setScopeModel(application)
                .setPath(org.apache.dubbo.registry.RegistryService.class.getName())
                .addParameterIfAbsent("timeout", "3000")
                // Dubbo delays every change by five seconds by default, one after the other.
                .addParameterIfAbsent("delay-notification", "10");
        worker.execute(this::connectEarly);
    }

    static Supplier<Route> at(String url) {
        URL address = URL.valueOf(url);
        return () -> new RegistryProviders(address);
    }

    @Override
    public boolean facesProviders() {
        return true;
    }

    @Override
    public CompletableFuture<List<Address>> candidates(ServiceName service, Protocol protocol) {
        return subscriptions
                .computeIfAbsent(service, key -> CompletableFuture.supplyAsync(() -> subscribe(key), worker))
                .handle((providers, failure) -> {
                    AddressList list = providers == null ? null : providers.of(protocol);
                    if (failure != null) {
                        log.warn("Cannot look {} up in {}", service, address.getAddress(), failure);
                        subscriptions.remove(service);
                    }
                    if (list == null || list.isEmpty()) {
                        throw Refusal.noProvider(service);
                    }
                    return list.inTurn();
                });
    }

    private void connectEarly() {
        try {
            registry();
        } catch (RuntimeException e) {
            log.warn("Registry {} is not reachable yet", address.getAddress(), e);
        }
    }

    private Registry registry() {
        return application
                .getExtensionLoader(RegistryFactory.class)
                .getAdaptiveExtension()
                .getRegistry(address);
    }

    private Providers subscribe(ServiceName service) {
        Providers providers = new Providers(service);
        registry().subscribe(consumerOf(service), providers);
        return providers;
    }

    private URL consumerOf(ServiceName service) {
        URL consumer = new URL("consumer", NetUtils.getLocalHost(), 0, service.name())
                .addParameter("interface", service.name())
                .addParameter("category", "providers")
                .addParameter("check", false)
                .setScopeModel(application);
        consumer = service.group() == null ? consumer : consumer.addParameter("group", service.group());
        return service.version() == null ? consumer : consumer.addParameter("version", service.version());
    }

    @Override
    public void close() {
        worker.shutdownNow();
        framework.destroy();
    }

    /** The current providers of one service; a registry sends all of them at every change. */
    private static final class Providers implements NotifyListener {
        private final ServiceName service;
        private volatile Map<Protocol, AddressList> lists = Map.of();

        Providers(ServiceName service) {
            this.service = service;
        }

        @Nullable
        AddressList of(Protocol protocol) {
            return lists.get(protocol);
        }

        @Override
        public void notify(List<URL> urls) {
            List<Address> dubbo = new ArrayList<>();
            List<Address> triple = new ArrayList<>();
            for (URL url : urls) {
                Address provider = new Address(url.getHost(), url.getPort());
                if (url.getProtocol().equals("dubbo")) {
                    dubbo.add(provider);
                }
                if (url.getProtocol().equals("tri")
                        || url.getParameter("ext.protocol", "").contains("tri")) {
                    triple.add(provider);
                }
            }
            Map<Protocol, AddressList> updated = new EnumMap<>(Protocol.class);
            updated.put(Protocol.DUBBO, new AddressList(dubbo));
            updated.put(Protocol.TRIPLE, new AddressList(triple));
            updated.put(Protocol.HTTP, new AddressList(List.of())); // no registry knows its port
            lists = updated;
            log.info("providers of {}: dubbo {}, triple {}", service, dubbo, triple);
        }
    }
}
