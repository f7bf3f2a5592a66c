// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.config.ConnectionCounts;
import io.highway.sdk.dubbo.internal.connection.channel.Greeting;
import io.highway.sdk.dubbo.internal.connection.channel.ProtocolClients;
import java.util.Map;

/** Opens no connection: {@link CopyingInvoker} calls the provider. */
final class CopyingClients implements ProtocolClients {

    @Override
    public Map<String, String> connectionParameters(boolean bulk, ConnectionCounts counts) {
        return Map.of(Network.NAME, "true");
    }

    @Override
    public Greeting greeting() {
        return Greeting.DUBBO;
    }

    @Override
    public String extension(TunnelKind kind) {
        return Network.NAME;
    }
}
