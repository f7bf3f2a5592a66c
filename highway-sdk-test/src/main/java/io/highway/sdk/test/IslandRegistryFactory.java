// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import java.util.List;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.URLBuilder;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.registry.NotifyListener;
import org.apache.dubbo.registry.Registry;
import org.apache.dubbo.registry.RegistryFactory;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.ScopeModelAware;
import org.jspecify.annotations.Nullable;

/** Home's registry in a test: it knows one provider of everything, which serves what the test says. Used by Dubbo. */
public final class IslandRegistryFactory implements RegistryFactory, ScopeModelAware {

    private @Nullable Network network;

    /** Called by Dubbo. */
    public IslandRegistryFactory() {}

    @Override
    public void setApplicationModel(ApplicationModel application) {
        network = application.getFrameworkModel().getBeanFactory().getBean(Network.class);
    }

    @Override
    public Registry getRegistry(URL url) {
        return new KnowsHome(url, network);
    }

    /** @param network null where providers of an island ask: with Dubbo 3.2 they see the registry of the tested application */
    private record KnowsHome(URL url, @Nullable Network network) implements Registry {

        @Override
        public URL getUrl() {
            return url;
        }

        @Override
        public boolean isAvailable() {
            return true;
        }

        @Override
        public void destroy() {
            // nothing is open
        }

        @Override
        public void register(URL any) {
            // consumers and providers of the tested application
        }

        @Override
        public void unregister(URL any) {
            // as above
        }

        @Override
        public void subscribe(URL consumer, NotifyListener listener) {
            List<URL> providers = lookup(consumer);
            if (!providers.isEmpty()) {
                listener.notify(providers);
            }
        }

        @Override
        public void unsubscribe(URL consumer, NotifyListener listener) {
            // nothing changes
        }

        @Override
        public List<URL> lookup(URL consumer) {
            if (network == null || !consumer.getProtocol().equals(CommonConstants.CONSUMER)) {
                return List.of(); // a provider asks for rules
            }
            URLBuilder provider = URLBuilder.from(network.home(consumer.clearParameters()))
                    .addParameter("interface", consumer.getServiceInterface())
                    .addParameter("application", "home")
                    .addParameter("category", "providers");
            String protocol = consumer.getParameter("protocol");
            if (protocol != null) { // else the reference would leave the provider out
                provider.setProtocol(protocol.replaceFirst(",.*", "").trim());
            }
            for (String key : List.of("group", "version")) {
                if (consumer.hasParameter(key)) {
                    provider.addParameter(key, consumer.getParameter(key));
                }
            }
            return List.of(provider.build().setScopeModel(consumer.getScopeModel()));
        }
    }
}
