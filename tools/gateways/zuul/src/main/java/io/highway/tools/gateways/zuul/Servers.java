// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways.zuul;

import com.netflix.appinfo.InstanceInfo;
import com.netflix.client.config.IClientConfig;
import com.netflix.config.ConfigurationManager;
import com.netflix.loadbalancer.AbstractServerList;
import com.netflix.niws.loadbalancer.DiscoveryEnabledServer;
import java.util.Arrays;
import java.util.List;

/** The providers of an island, from the configuration; Zuul casts servers to those of Eureka. */
public final class Servers extends AbstractServerList<DiscoveryEnabledServer> {

    private List<DiscoveryEnabledServer> servers = List.of();

    static String key(String island) {
        return island + ".ribbon.listOfServers";
    }

    static boolean isKnown(String island) {
        return ConfigurationManager.getConfigInstance().containsKey(key(island));
    }

    @Override
    public void initWithNiwsConfig(IClientConfig config) {
        String[] addresses = ConfigurationManager.getConfigInstance().getStringArray(key(config.getClientName()));
        servers = Arrays.stream(addresses).map(Servers::server).toList();
    }

    private static DiscoveryEnabledServer server(String address) {
        int colon = address.lastIndexOf(':');
        InstanceInfo instance = InstanceInfo.Builder.newBuilder()
                .setAppName("provider")
                .setInstanceId(address)
                .setHostName(address.substring(0, colon))
                .setIPAddr(address.substring(0, colon))
                .setPort(Integer.parseInt(address.substring(colon + 1)))
                .build();
        return new DiscoveryEnabledServer(instance, false, false);
    }

    @Override
    public List<DiscoveryEnabledServer> getInitialListOfServers() {
        return servers;
    }

    @Override
    public List<DiscoveryEnabledServer> getUpdatedListOfServers() {
        return servers;
    }
}
