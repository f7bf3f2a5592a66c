// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Addresses listed by service key, of providers or of another gateway; {@code *} lists those of every other service. */
final class StaticRoute implements Route {
    static final String ANY_SERVICE = "*";

    private final Map<String, Map<Protocol, AddressList>> services = new HashMap<>();

    private final boolean facesProviders;

    /** With separate turns for each protocol. */
    StaticRoute(Map<String, Map<Protocol, List<Address>>> listed, boolean facesProviders) {
        this.facesProviders = facesProviders;
        listed.forEach((service, addresses) -> {
            Map<Protocol, AddressList> lists = new HashMap<>();
            addresses.forEach((protocol, list) -> lists.put(protocol, new AddressList(list)));
            services.put(service, lists);
        });
    }

    @Override
    public boolean facesProviders() {
        return facesProviders;
    }

    @Override
    public CompletableFuture<List<Address>> candidates(ServiceName service, Protocol protocol) {
        Map<Protocol, AddressList> lists = services.get(service.toString());
        if (lists == null) {
            lists = services.getOrDefault(ANY_SERVICE, Map.of());
        }
        AddressList list = lists.get(protocol);
        return list == null || list.isEmpty()
                ? CompletableFuture.failedFuture(Refusal.noProvider(service))
                : CompletableFuture.completedFuture(list.inTurn());
    }
}
