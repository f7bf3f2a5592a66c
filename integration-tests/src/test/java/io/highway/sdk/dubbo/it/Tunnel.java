// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import io.highway.sdk.dubbo.TunnelKind;

/** The tunnels of Dubbo's own protocols. What differs by the tunnel is asserted over each {@link TunnelKind}. */
enum Tunnel {
    DUBBO,
    TRIPLE;

    TunnelKind kind() {
        return TunnelKind.valueOf(name());
    }

    String key() {
        return kind().word();
    }
}
