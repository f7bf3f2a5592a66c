// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Is told how the ways to islands fare, apart from calls. Called by several threads, so it must be thread-safe and must not
 * block. What it throws is logged and changes nothing.
 */
public interface NetworkListener {

    /**
     * Calls to an island have changed to another tunnel.
     *
     * @param why what was wrong with the other, or that it is sound again
     */
    default void onSwitch(String island, TunnelKind from, TunnelKind to, String why) {}

    /**
     * A heartbeat has ended.
     *
     * @param roundTrip how long the answer took, or null if none came
     */
    default void onHeartbeat(String island, GatewayAddress gateway, @Nullable Duration roundTrip) {}

    /**
     * A breaker has opened, or closed again. What it does in between, letting single calls through, is not told.
     *
     * @param open whether calls over that gateway to that island are refused now
     */
    default void onBreaker(String island, GatewayAddress gateway, boolean open) {}
}
