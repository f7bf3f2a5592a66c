// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.endpoint;

import io.highway.sdk.dubbo.NetworkListener;
import io.highway.sdk.dubbo.internal.limits.Listeners;

/** All listeners as one. */
record NetworkListeners(Listeners<NetworkListener> all) implements NetworkListener {

    @Override
    public void onTunnelChange(TunnelChange change) {
        all.forEach(one -> one.onTunnelChange(change));
    }

    @Override
    public void onHealthCheck(HealthCheck check) {
        all.forEach(one -> one.onHealthCheck(check));
    }

    @Override
    public void onBreakerChange(BreakerChange change) {
        all.forEach(one -> one.onBreakerChange(change));
    }
}
