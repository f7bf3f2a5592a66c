// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.testsupport.faults;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A TCP link on loopback that forwards connections to a target, with injectable faults. Thread-safe; the effect of a
 * method is in place when it returns.
 */
public final class FaultyLink implements AutoCloseable {

    /** A connection that a firewall has forgotten is reset at last. */
    private static final int FORGOTTEN_SECONDS = 30;

    private final EventLoop loop;
    private SocketAddress listen;
    private SocketAddress target;
    private final Set<Relay> relays = new HashSet<>();
    private final Traffic traffic = new Traffic();
    private Condition condition = Condition.FINE;
    private @Nullable Channel listener;
    private @Nullable Future<?> resets;

    FaultyLink(EventLoop loop, int port, int targetPort) {
        this.loop = loop;
        this.listen = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        this.target = new InetSocketAddress(InetAddress.getLoopbackAddress(), targetPort);
    }

    /** Lets everything pass again, and listens. */
    public void heal() {
        open();
        become(Condition.FINE);
    }

    /** Listens, as the target does. */
    public void open() {
        if (listener == null) {
            listener = new ServerBootstrap()
                    .group(loop)
                    .channel(NioServerSocketChannel.class)
                    .option(ChannelOption.SO_REUSEADDR, true)
                    .childOption(ChannelOption.TCP_NODELAY, true)
                    .childOption(ChannelOption.AUTO_READ, false)
                    .childHandler(new ChannelInitializer<SocketChannel>() {
                        @Override
                        protected void initChannel(SocketChannel client) {
                            accept(client);
                        }
                    })
                    .bind(listen)
                    .syncUninterruptibly()
                    .channel();
            listen = listener.localAddress(); // the same again after it has refused
        }
    }

    /** Where it listens, on loopback. */
    public int port() {
        return ((InetSocketAddress) listen).getPort();
    }

    /** Forwards new connections to another target, as a virtual address does; existing ones stay. */
    public void redirect(int targetPort) {
        onLoop(() -> target = new InetSocketAddress(InetAddress.getLoopbackAddress(), targetPort));
    }

    /** How many bytes have come over all connections so far. */
    public Traffic traffic() {
        return traffic;
    }

    /** Refuses new connections, as a target does that is gone; existing ones stay. */
    public void refuse() {
        if (listener != null) {
            listener.close().syncUninterruptibly();
            // takes effect at the event loop's next iteration only
            loop.schedule(() -> {}, 1, TimeUnit.MILLISECONDS).syncUninterruptibly();
            listener = null;
        }
    }

    /** Connections can be made and stay open, and nothing passes. What is sent arrives when the link heals. */
    public void blackHole() {
        become(Condition.BLACK_HOLE);
    }

    /** Each byte travels alone. */
    public void bytewise() {
        become(Condition.BYTEWISE);
    }

    /** Each packet takes so long in each direction. */
    public void delay(Duration delay) {
        become(Condition.delayed(delay));
    }

    /** Each connection carries so many bytes per second in each direction; nothing is lost. */
    public void limit(long bytesPerSecond) {
        become(Condition.limited(bytesPerSecond));
    }

    /** Resets all connections. */
    public void reset() {
        onLoop(this::resetAll);
    }

    /** Resets all connections again and again. */
    public void resetEvery(Duration interval) {
        onLoop(() -> resets = loop.scheduleAtFixedRate(this::resetAll, 0, interval.toMillis(), TimeUnit.MILLISECONDS));
    }

    /** Closes connections over which nothing has come for so long. */
    public void closeIdle(Duration idle) {
        onLoop(() -> idle(idle, Relay::close));
    }

    /** Silently drops connections that have been idle for this time: nothing passes any more, without a FIN or RST. */
    @SuppressWarnings("FutureReturnValueIgnored") // the loop ends with the star
    public void forgetIdle(Duration idle) {
        onLoop(() -> idle(idle, relay -> {
            relay.forget();
            loop.schedule(relay::reset, FORGOTTEN_SECONDS, TimeUnit.SECONDS);
        }));
    }

    private void become(Condition next) {
        onLoop(() -> {
            if (resets != null) {
                resets.cancel(false);
                resets = null;
            }
            condition = next;
            List.copyOf(relays).forEach(Relay::pump);
        });
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the close future cannot fail
    private void accept(Channel client) {
        Relay relay = new Relay(client, () -> condition, traffic);
        relays.add(relay);
        client.closeFuture().addListener(closed -> relays.remove(relay));
        relay.connect(target);
    }

    private void resetAll() {
        List.copyOf(relays).forEach(Relay::reset);
    }

    private void idle(Duration idle, Consumer<Relay> action) {
        List.copyOf(relays).stream()
                .filter(relay -> relay.idleNanos() >= idle.toNanos())
                .forEach(action);
    }

    private void onLoop(Runnable task) {
        loop.submit(task).syncUninterruptibly();
    }

    /** Refuses new connections and resets those there are. */
    @Override
    public void close() {
        refuse();
        become(Condition.FINE);
        reset();
    }
}
