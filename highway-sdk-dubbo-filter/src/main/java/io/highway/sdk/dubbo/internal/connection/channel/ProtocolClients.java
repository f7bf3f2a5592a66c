// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.channel;

import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.config.ConnectionCounts;
import java.util.Map;
import org.apache.dubbo.common.extension.ExtensionScope;
import org.apache.dubbo.common.extension.SPI;

/** How the connections of one protocol are opened and renewed; an extension has the name of its protocol. Thread-safe. */
@SPI(scope = ExtensionScope.FRAMEWORK)
public interface ProtocolClients {

    /**
     * The parameters with which Dubbo opens connections by the SDK's classes.
     *
     * @param bulk whether they carry bulk calls
     * @param counts how many connections interactive calls have
     */
    Map<String, String> connectionParameters(boolean bulk, ConnectionCounts counts);

    /** What its connections begin with. */
    Greeting greeting();

    /** The name of Dubbo's protocol extension whose invokers use the connections. */
    default String extension(TunnelKind kind) {
        return kind.dubboProtocol();
    }
}
