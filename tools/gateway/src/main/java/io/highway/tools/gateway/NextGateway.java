// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Forwards every call to another gateway, which routes it further. */
final class NextGateway implements Route {
    private final AddressList gateways;

    private NextGateway(List<Address> gateways) {
        this.gateways = new AddressList(gateways);
    }

    static RouteSpec spec(List<Address> gateways) {
        return () -> new NextGateway(gateways);
    }

    @Override
    public boolean facesProviders() {
        return false;
    }

    @Override
    public CompletableFuture<List<Address>> candidates(ServiceName service, Protocol protocol) {
        return CompletableFuture.completedFuture(gateways.inTurn());
    }
}
