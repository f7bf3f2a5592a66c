// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.channel;

import io.netty.channel.Channel;
import io.netty.handler.ssl.SslContext;
import java.net.InetAddress;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The open connections to one gateway address, some of which may drain. Thread-safe. */
final class OpenConnections {

    private final Set<Channel> open = ConcurrentHashMap.newKeySet();

    /** A connection begins; it is left out once it is closed. */
    @SuppressWarnings("FutureReturnValueIgnored") // it only listens
    void add(Channel channel) {
        open.add(channel);
        channel.closeFuture().addListener(closed -> open.remove(channel));
    }

    boolean isEmpty() {
        return open.isEmpty();
    }

    /** Compares those in use with new ones, as {@link OpenedConnection#look} does. */
    void look(List<InetAddress> addresses, @Nullable SslContext present) {
        inUse().filter(Channel::isActive)
                .forEach(channel -> OpenedConnection.of(channel).look(channel, addresses, present));
    }

    boolean areOutdated() {
        return inUse().anyMatch(OpenedConnection::isOutdated);
    }

    /** New connections were tried in place of those that are outdated. */
    void renewed() {
        open.forEach(channel -> OpenedConnection.of(channel).tried());
    }

    private Stream<Channel> inUse() {
        return open.stream().filter(channel -> !OpenedConnection.of(channel).isDraining());
    }
}
