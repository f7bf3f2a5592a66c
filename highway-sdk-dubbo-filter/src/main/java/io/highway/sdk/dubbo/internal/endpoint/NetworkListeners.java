// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.endpoint;

import io.highway.sdk.dubbo.NetworkListener;
import java.util.List;
import java.util.function.Consumer;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;

/** All listeners as one; exceptions of a listener are logged. */
final class NetworkListeners implements NetworkListener {

    private static final Logger log = LoggerFactory.getLogger(NetworkListeners.class);

    private final List<NetworkListener> all;

    NetworkListeners(List<NetworkListener> all) {
        this.all = List.copyOf(all);
    }

    @Override
    public void onTunnelChange(TunnelChange change) {
        notifyEach(one -> one.onTunnelChange(change));
    }

    @Override
    public void onHealthCheck(HealthCheck check) {
        notifyEach(one -> one.onHealthCheck(check));
    }

    @Override
    public void onBreakerChange(BreakerChange change) {
        notifyEach(one -> one.onBreakerChange(change));
    }

    private void notifyEach(Consumer<NetworkListener> what) {
        for (NetworkListener one : all) {
            try {
                what.accept(one);
            } catch (Throwable e) { // an exception of a listener has no effect
                log.warn("highway: network listener " + one.getClass().getName() + " failed", e);
            }
        }
    }
}
