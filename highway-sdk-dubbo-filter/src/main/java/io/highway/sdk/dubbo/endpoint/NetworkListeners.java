// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.endpoint;

import io.highway.sdk.dubbo.GatewayAddress;
import io.highway.sdk.dubbo.NetworkListener;
import io.highway.sdk.dubbo.TunnelKind;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.jspecify.annotations.Nullable;

/** All listeners as one; exceptions of a listener are logged. */
final class NetworkListeners implements NetworkListener {

    private static final Logger log = LoggerFactory.getLogger(NetworkListeners.class);

    private final List<NetworkListener> all;

    NetworkListeners(List<NetworkListener> all) {
        this.all = List.copyOf(all);
    }

    @Override
    public void onSwitch(String island, TunnelKind from, TunnelKind to, String why) {
        notifyEach(one -> one.onSwitch(island, from, to, why));
    }

    @Override
    public void onHeartbeat(String island, GatewayAddress gateway, @Nullable Duration roundTrip) {
        notifyEach(one -> one.onHeartbeat(island, gateway, roundTrip));
    }

    @Override
    public void onBreaker(String island, GatewayAddress gateway, boolean open) {
        notifyEach(one -> one.onBreaker(island, gateway, open));
    }

    private void notifyEach(Consumer<NetworkListener> what) {
        for (NetworkListener one : all) {
            try {
                what.accept(one);
            } catch (Throwable e) { // an exception of a listener has no effect
                log.warn("highway: network listener " + one + " failed: " + e);
            }
        }
    }
}
