// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.endpoint;

import io.highway.sdk.dubbo.NetworkListener;
import io.highway.sdk.dubbo.internal.limits.Listeners;
import io.highway.sdk.dubbo.internal.network.compression.PeerEncodings;
import io.highway.sdk.dubbo.internal.network.connection.ConnectionPool;

/**
 * What all destinations of an island share.
 *
 * @param encodings what the island's answers have shown
 */
record IslandContext(
        String island,
        ConnectionPool connections,
        HealthChecker heartbeat,
        Listeners<NetworkListener> listeners,
        PeerEncodings encodings) {}
