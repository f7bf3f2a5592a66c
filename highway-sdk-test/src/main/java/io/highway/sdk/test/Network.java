// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.network.connection.GatewayClient;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.jspecify.annotations.Nullable;

/** The addresses of one framework model that lead to islands without sockets. Thread-safe. */
final class Network {

    /** The protocol of addresses without sockets. */
    static final String NAME = "highway-test";

    /** The registry, which knows home. */
    static final String REGISTRY = NAME + "://home";

    private final @Nullable ManualClock clock;
    private final String home;
    private final Map<String, IslandState> byAddress = new ConcurrentHashMap<>();

    /**
     * Has no address yet.
     *
     * @param home the address of home's providers
     * @param clock the clock that the test moves, or null if time passes by itself
     */
    Network(String home, @Nullable ManualClock clock) {
        this.home = home;
        this.clock = clock;
    }

    static Network of(FrameworkModel framework) {
        Network network = framework.getBeanFactory().getBean(Network.class);
        if (network == null) {
            throw new IllegalStateException(
                    "the protocol highway-test is for tests with Islands, which has not started here");
        }
        return network;
    }

    @Nullable
    ManualClock clock() {
        return clock;
    }

    long now() {
        return clock == null ? System.nanoTime() : clock.getAsLong();
    }

    /** Counts the time that calls of this thread take, nanoseconds. */
    long taken() {
        return clock == null ? System.nanoTime() : clock.taken();
    }

    void put(String address, IslandState island) {
        byAddress.put(address, island);
    }

    /** Null at an address of an earlier test. */
    @Nullable
    IslandState at(String address) {
        IslandState known = byAddress.get(address);
        return known == null ? null : known.behindGateways();
    }

    void remove(String address) {
        byAddress.remove(address);
    }

    /** The tunnel of this protocol, or null. */
    static @Nullable TunnelKind tunnel(String protocol) {
        return Arrays.stream(TunnelKind.values())
                .filter(kind -> kind.dubboProtocol().equals(protocol))
                .findFirst()
                .orElse(null);
    }

    /** Whether the SDK reaches a gateway by it. */
    static boolean isGateway(URL url) {
        return GatewayClient.known(url) != null;
    }

    /** The same reference, to the providers of home. */
    URL home(URL url) {
        return url.setProtocol(NAME).setAddress(home);
    }
}
