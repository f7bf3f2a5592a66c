// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.guard;

import io.highway.sdk.dubbo.internal.config.Subnet;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** The peers of connections over which calls are received. */
final class Peers {

    private Peers() {}

    /** Its address, or null if Dubbo's server does not tell, or it has a name only. */
    static @Nullable InetAddress addressOf(@Nullable InetSocketAddress peer) {
        if (peer == null) {
            return null;
        }
        return peer.isUnresolved() ? Subnet.literal(peer.getHostString()) : peer.getAddress();
    }
}
