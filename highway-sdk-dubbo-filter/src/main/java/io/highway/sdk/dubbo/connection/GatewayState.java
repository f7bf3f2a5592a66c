// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.connection;

import io.highway.sdk.dubbo.GatewayAddress;
import org.jspecify.annotations.Nullable;

/**
 * How the connection to a gateway address is at this moment.
 *
 * @param address where the gateway listens
 * @param state {@code UNUSED} until a reference needs it, then {@code UP} or {@code DOWN}
 * @param problem why it is down, or null if it is not
 */
public record GatewayState(GatewayAddress address, State state, @Nullable String problem) {

    /** The state of a connection. */
    public enum State {
        /** Calls can go. */
        UP,
        /** It is tried again until it is up. */
        DOWN,
        /** No reference has needed it yet, so nobody has connected. */
        UNUSED
    }

    static GatewayState up(GatewayAddress address) {
        return new GatewayState(address, State.UP, null);
    }

    static GatewayState down(GatewayAddress address, String problem) {
        return new GatewayState(address, State.DOWN, problem);
    }

    /** Nobody has connected to it. */
    public static GatewayState unused(GatewayAddress address) {
        return new GatewayState(address, State.UNUSED, null);
    }

    /** Whether calls can go. */
    public boolean isUp() {
        return state == State.UP;
    }
}
