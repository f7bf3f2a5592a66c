// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.connection;

import io.highway.sdk.dubbo.GatewayAddress;
import io.highway.sdk.dubbo.HighwayReport.Gateway.State;
import org.jspecify.annotations.Nullable;

/**
 * The state of the connection to a gateway address at one moment.
 *
 * @param address the gateway address
 * @param state {@code UNUSED} until a reference needs it, then {@code UP} or {@code DOWN}
 * @param problem why it is down, or null if it is not
 */
public record ConnectionStatus(GatewayAddress address, State state, @Nullable String problem) {

    /** The state of a connection that was never opened. */
    public static ConnectionStatus unused(GatewayAddress address) {
        return new ConnectionStatus(address, State.UNUSED, null);
    }

    /** Whether calls can use it. */
    public boolean isUp() {
        return state == State.UP;
    }
}
