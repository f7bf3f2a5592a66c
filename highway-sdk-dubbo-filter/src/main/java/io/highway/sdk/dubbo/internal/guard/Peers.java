// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.guard;

import io.highway.sdk.dubbo.internal.config.Subnet;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.apache.dubbo.rpc.RpcContext;
import org.jspecify.annotations.Nullable;

/** The peer of the connection over which the current thread received its call. No header is read. */
final class Peers {

    private Peers() {}

    /** Its address, or null if Dubbo's server does not tell. */
    static @Nullable InetAddress current() {
        InetSocketAddress peer = RpcContext.getServiceContext().getRemoteAddress();
        return peer == null ? null : addressOf(peer);
    }

    /** Its address, or null if it has a name only. */
    static @Nullable InetAddress addressOf(InetSocketAddress peer) {
        return peer.isUnresolved() ? Subnet.literal(peer.getHostString()) : peer.getAddress();
    }
}
