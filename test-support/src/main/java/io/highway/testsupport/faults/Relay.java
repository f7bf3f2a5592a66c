// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.testsupport.faults;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.SocketAddress;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One connection over a link: the client's socket, and the one to the target. Used on the event loop only. */
@SuppressWarnings("FutureReturnValueIgnored") // Netty reports a failed write by closing the channel
final class Relay {

    private final Channel client;
    private final Supplier<Condition> ofLink;
    private final Traffic traffic;
    private @Nullable Channel server;
    private @Nullable Direction up;
    private @Nullable Direction down;
    private long lastBytes = System.nanoTime();
    private boolean forgotten;

    Relay(Channel client, Supplier<Condition> ofLink, Traffic traffic) {
        this.client = client;
        this.ofLink = ofLink;
        this.traffic = traffic;
    }

    /** The client is read only once the target has answered. */
    void connect(SocketAddress target) {
        new Bootstrap()
                .group(client.eventLoop())
                .channel(NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.AUTO_READ, false)
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        Direction toServer = new Direction(Relay.this, client, channel, traffic.toTarget());
                        Direction toClient = new Direction(Relay.this, channel, client, traffic.toClients());
                        server = channel;
                        up = toServer;
                        down = toClient;
                        channel.pipeline().addLast(toClient);
                    }
                })
                .connect(target)
                .addListener(connected -> {
                    if (connected.isSuccess() && client.isActive() && up != null) {
                        client.pipeline().addLast(up);
                        pump();
                    } else {
                        reset();
                    }
                });
    }

    Condition condition() {
        return forgotten ? Condition.BLACK_HOLE : ofLink.get();
    }

    void touch() {
        lastBytes = System.nanoTime();
    }

    long idleNanos() {
        return System.nanoTime() - lastBytes;
    }

    void pump() {
        if (up != null && down != null) {
            up.pump();
            down.pump();
        }
    }

    /** Drops everything silently from now on, as when a firewall forgets a connection. */
    void forget() {
        forgotten = true;
        pump();
    }

    /** Closes both sides with a RST; data in flight is lost. */
    void reset() {
        reset(client);
        if (server != null) {
            reset(server);
        }
        if (up != null && down != null) {
            up.drop();
            down.drop();
        }
    }

    /** Closes both sides as a well-behaved peer does. */
    void close() {
        client.close();
        if (server != null) {
            server.close();
        }
    }

    private static void reset(Channel channel) {
        if (channel.isOpen()) {
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
            channel.close();
        }
    }
}
