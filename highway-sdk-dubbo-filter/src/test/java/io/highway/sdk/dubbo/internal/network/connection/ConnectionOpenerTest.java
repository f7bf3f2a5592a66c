// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetAddress;
import java.net.SocketException;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("network")
class ConnectionOpenerTest {

    @SuppressWarnings("deprecation") // its successor is not in Netty 4.1
    private final EventLoopGroup loop = new NioEventLoopGroup(1);

    private final ConnectionOpener opener = Transports.triple();

    @AfterEach
    void stop() {
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    private Channel connection() {
        Channel channel = new NioSocketChannel();
        loop.register(channel).syncUninterruptibly();
        opener.secure(channel);
        return channel;
    }

    /** Dubbo's handlers of Triple would pass it to the end of the pipeline, where Netty logs it with its stack trace. */
    @Test
    void closesAConnectionThatIsReset_andLogsNothing() {
        EmbeddedChannel channel = new EmbeddedChannel();
        opener.secure(channel);

        channel.pipeline().fireExceptionCaught(new SocketException("Connection reset"));

        assertThat(channel.isOpen()).isFalse();
        channel.checkException(); // throws what has passed all handlers
    }

    @Test
    void namesTheCauseOfAFailure_alsoOneWithoutAMessage() {
        assertThat(new TcpConnector(opener.gateway())
                        .failed(InetAddress.getLoopbackAddress(), new ClosedChannelException()))
                .isEqualTo("java.nio.channels.ClosedChannelException (127.0.0.1 port 50051)");
    }
}
