// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Receives events of the endpoints to islands, apart from calls. Called by several threads: it must be thread-safe and must
 * not block. Exceptions are logged and have no other effect.
 */
public interface NetworkListener {

    /**
     * The preferred tunnel of an island has changed.
     *
     * @param why the problem of the other tunnel, or that it works again
     */
    default void onSwitch(String island, TunnelKind from, TunnelKind to, String why) {}

    /**
     * A health check has ended.
     *
     * @param roundTrip the time to the answer, or null without an answer
     */
    default void onHeartbeat(String island, GatewayAddress gateway, @Nullable Duration roundTrip) {}

    /**
     * A circuit breaker has opened or closed. Half-open states are not reported.
     *
     * @param open whether calls to the island over this gateway are refused now
     */
    default void onBreaker(String island, GatewayAddress gateway, boolean open) {}
}
