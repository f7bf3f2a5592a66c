// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.connection;

import io.highway.sdk.dubbo.HighwayProbe.Step.Name;
import io.highway.sdk.dubbo.internal.limits.BytesInFlight;
import io.highway.sdk.dubbo.internal.network.tls.CertificateRole;
import io.highway.sdk.dubbo.internal.network.tls.UnusableTlsException;
import io.highway.sdk.dubbo.internal.policy.GatewaySpec;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.dubbo.remoting.transport.netty4.NettyEventLoopFactory;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections to one gateway address, with TLS, until the first answer, and keeps track of them. Dubbo's own TLS
 * is not used: it is application-wide, sends no server name in the handshake, checks no host name and offers no HTTP/2
 * (3.3.6, {@code SslClientTlsHandler} and {@code SslContexts}). Thread-safe.
 */
public final class ConnectionOpener {

    /** A gateway that ends connections sooner, without a call, gets no other one at once. */
    private static final long LEAST_USE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final GatewaySpec gateway;
    private final ConnectionTls security;
    private final ConnectionPreface greeting;
    private final TcpConnector connector;
    private final int connectTimeout;

    private volatile @Nullable Channel latest;
    private volatile long latestNanos;
    private volatile @Nullable Channel useless;
    private volatile @Nullable InetAddress connected;
    private final BytesInFlight bytes = new BytesInFlight(() -> latest);
    private volatile @Nullable String problem;
    private volatile @Nullable String unanswered;
    private volatile boolean accepted;
    private final Set<Channel> open = ConcurrentHashMap.newKeySet();

    /** Of a check only. */
    private @Nullable Steps steps;

    /** Receives the steps of opening a connection as they end, on the thread that opens it. */
    interface Steps {

        /**
         * A step has ended.
         *
         * @param problem why it failed, or null if it did not
         */
        void ended(Name step, @Nullable String problem, InetAddress address, Channel channel);
    }

    private final ConnectionHandler.Listener watch = new ConnectionHandler.Listener() {
        @Override
        public void accepted() {
            accepted = true;
        }

        @Override
        public void ended(Channel channel, boolean used) {
            ConnectionOpener.this.ended(channel, used);
        }

        @Override
        public void failed(Throwable cause) {
            problem = ConnectionTls.problem(cause);
        }
    };

    private final IslandTraffic traffic;

    /**
     * Describes an address.
     *
     * @param gateway whose name or IP address its certificate must contain
     * @param greeting what its connections begin with
     * @param traffic counts the bytes of its connections
     */
    public ConnectionOpener(GatewaySpec gateway, ConnectionPreface greeting, IslandTraffic traffic) {
        this.gateway = gateway;
        this.connectTimeout = gateway.connectMillis();
        this.security = new ConnectionTls(gateway, greeting.isHttp2());
        this.greeting = greeting;
        this.connector = new TcpConnector(gateway);
        this.traffic = traffic;
    }

    /** The gateway, as the application that used its address first has configured it. */
    public GatewaySpec gateway() {
        return gateway;
    }

    /** Sets how names are resolved from now on. For tests. */
    public void resolver(Function<String, List<InetAddress>> other) {
        connector.addresses().resolver(other);
    }

    /** Whether a connection is open. */
    public boolean isInUse() {
        return !open.isEmpty();
    }

    /** The bytes in flight to the gateway. */
    public BytesInFlight bytesInFlight() {
        return bytes;
    }

    /** The bytes of its connections, by island. */
    public IslandTraffic traffic() {
        return traffic;
    }

    /** Starts a connection attempt and clears the problem of the last one. */
    public void begin() {
        problem = null;
        unanswered = null;
        accepted = false;
    }

    /**
     * Reads the files again, so that the next connection uses a renewed certificate.
     *
     * @throws UnusableTlsException if a file cannot be used
     */
    public void refresh() throws UnusableTlsException {
        security.refresh();
    }

    /** When a certificate ends, or null if there is none or it is unknown. Does not block. */
    public @Nullable Instant certificateEnds(CertificateRole kind) {
        return security.certificateEnds(kind, latest);
    }

    /**
     * Looks whether the TLS files have changed since connections were opened, and whether the gateway's name still leads to
     * them. Reads files and resolves a name; one thread at a time.
     */
    public void look() {
        List<InetAddress> addresses = connector.addresses().all();
        SslContext present = security.contextOfFiles();
        inUse().filter(Channel::isActive)
                .forEach(channel -> ConnectionHandler.of(channel).look(channel, addresses, present));
    }

    private Stream<Channel> inUse() {
        return open.stream().filter(channel -> !ConnectionHandler.of(channel).isDraining());
    }

    /** Whether a new connection in place of one in use would have other certificates, or another address. */
    public boolean isOutdated() {
        return inUse().anyMatch(ConnectionHandler::isOutdated);
    }

    /** Outdated connections were to be replaced; what is still in use then is tried again after the next look. */
    public void renewed() {
        open.forEach(channel -> ConnectionHandler.of(channel).tried());
    }

    /** The lasting problem of the gateway's TLS, certificates or protocol; null if there is none. */
    public @Nullable String problem() {
        return problem;
    }

    /** What is awaited of the first connection, if it was accepted; else null. */
    public @Nullable String unansweredYet() {
        return accepted && connected == null
                ? "the gateway accepted the connection and has not answered " + greeting.wanted() + " yet"
                : null;
    }

    /** Why the connection of this attempt cannot be used; null if it can. */
    public @Nullable String unanswered() {
        return unanswered;
    }

    /**
     * The gateway has said that it ends a connection, or another one has replaced it.
     *
     * @param processed whether it has processed a call of it
     */
    public void drains(Channel channel, boolean processed) {
        ConnectionHandler.of(channel).drains();
        ended(channel, processed);
    }

    private void ended(Channel channel, boolean used) {
        if (channel == latest && !used && System.nanoTime() - latestNanos < LEAST_USE_NANOS) {
            useless = channel;
        }
    }

    /** Whether a call was written to the last connection. */
    public boolean isUsed() {
        Channel last = latest;
        return last != null && ConnectionHandler.isUsed(last);
    }

    /** Whether the last connection was accepted, then lost within a second, and the gateway has processed no call of it. */
    public boolean isUseless() {
        Channel last = latest;
        return last != null && last == useless;
    }

    /** Whether this attempt has opened a connection, whatever became of it. */
    public boolean wasAccepted() {
        return accepted;
    }

    /**
     * Opens a connection, and waits until the gateway has answered in the right protocol. The name, or that of the proxy, is
     * resolved each time. Of several addresses, the next one follows until each has failed since one could be used, or the
     * time for connecting is over; then one is tried at a time.
     *
     * @param handlers adds those of a new connection, but TLS
     * @throws IOException if no connection can be used, with the reasons; they are closed then
     */
    public Channel open(Consumer<Channel> handlers) throws IOException {
        Bootstrap bootstrap = bootstrap(handlers);
        ResolvedAddresses addresses = connector.addresses();
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(connectTimeout);
        for (int left = addresses.all().size() - 1; ; left--) {
            try {
                return open(bootstrap, addresses);
            } catch (IOException e) {
                if (left <= 0 || addresses.haveAllFailed() || System.nanoTime() - end >= 0) {
                    throw e;
                }
                problem = null; // of that address
            }
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the wait for the answer reports the result
    private Channel open(Bootstrap bootstrap, ResolvedAddresses addresses) throws IOException {
        Channel before = latest;
        InetAddress address = addresses.next();
        if (address == null) {
            unanswered = connector.named(addresses.unknown());
            throw new IOException(unanswered);
        }
        ChannelFuture connecting;
        try {
            connecting = connector.connect(bootstrap, address);
        } catch (IOException e) {
            unanswered = connector.named(String.valueOf(e.getMessage()));
            throw new IOException(unanswered, e);
        }
        Channel channel = connecting.channel();
        if (connecting.awaitUninterruptibly(connectTimeout, TimeUnit.MILLISECONDS) && connecting.isSuccess()) {
            ended(Name.CONNECT, null, address, channel);
            String insecure = awaitSecured(channel);
            ended(Name.TLS, insecure, address, channel);
            if (insecure == null
                    && (steps != null || !greeting.isHttp2())) { // HTTP/2 has a codec that begins by itself
                greet(channel);
            }
            unanswered = insecure != null ? insecure : awaitAnswer(channel);
            if (insecure == null) {
                ended(Name.PROTOCOL, unanswered, address, channel);
            }
            if (unanswered != null) {
                unanswered = addresses.unanswered(address, unanswered);
            }
        } else {
            unanswered = connector.failed(address, connecting.cause());
            ended(Name.CONNECT, unanswered, address, channel);
        }
        if (unanswered != null) {
            if (before != null && before.isActive()) {
                latest = before;
            }
            TcpConnector.abort(channel);
            throw new IOException(problem != null ? problem : unanswered);
        }
        addresses.connected();
        connected = address;
        return channel;
    }

    private void ended(Name step, @Nullable String failure, InetAddress address, Channel channel) {
        Steps listener = steps;
        if (listener != null) {
            listener.ended(step, failure, address, channel);
        }
    }

    /** Below the codecs, which write calls. */
    @SuppressWarnings("FutureReturnValueIgnored") // the wait for the answer reports the result
    private void greet(Channel channel) {
        ChannelHandlerContext lowest = channel.pipeline().context(ConnectionHandler.class);
        if (lowest != null) { // else it is closed
            lowest.writeAndFlush(
                    Unpooled.wrappedBuffer(greeting.bytes(gateway.address().hostAndPort())));
        }
    }

    /**
     * Opens one more connection, to the address that has answered last. Does not wait: the result is set on the
     * connection's event loop, once TLS is ready.
     *
     * @param handlers adds those of the new connection, but TLS
     */
    public CompletableFuture<Channel> openAnother(Consumer<Channel> handlers) {
        InetAddress known = connected;
        return known == null
                ? CompletableFuture.failedFuture(new IOException("not connected"))
                : connector.connectSecured(bootstrap(handlers), known);
    }

    private Bootstrap bootstrap(Consumer<Channel> handlers) {
        return TcpConnector.bootstrap(NettyEventLoopFactory.NIO_EVENT_LOOP_GROUP.get(), connectTimeout, channel -> {
            handlers.accept(channel);
            secure(channel);
        });
    }

    /**
     * Waits for something of the first answer over a new connection.
     *
     * @throws IOException if it does not come in time; the connection is closed then
     */
    public <T> T await(CompletableFuture<T> answer, Channel channel) throws IOException {
        try {
            return answer.get(connectTimeout, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            TcpConnector.abort(channel);
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while connecting", e);
        } catch (ExecutionException | TimeoutException e) {
            TcpConnector.abort(channel);
            throw new IOException("the gateway's first answer is incomplete", e);
        }
    }

    /**
     * Adds TLS to a new connection before it connects. A connection that should be secured is never left in plaintext.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // of closing, and of a listener
    public void secure(Channel channel) {
        SslContext current = security.context();
        ConnectionHandler opened = ConnectionHandler.begin(channel, greeting, current, watch); // before others see it
        latest = channel;
        latestNanos = System.nanoTime();
        open.add(channel);
        channel.closeFuture().addListener(closed -> open.remove(channel));
        ChannelPipeline pipeline = channel.pipeline();
        if (current != null) {
            pipeline.addFirst(security.handler(current, channel), opened);
        } else if (gateway.tls() == null) {
            pipeline.addFirst(opened);
        } else {
            problem = "TLS: its files have not been read yet";
            channel.close();
        }
        connector.prepare(channel, watch);
        pipeline.addFirst(new SilenceDetector(System::nanoTime)); // before TLS, whose handshake counts too
    }

    /**
     * Waits for the TLS handshake of a connection.
     *
     * @return the problem, or null if there is none
     */
    private @Nullable String awaitSecured(Channel channel) {
        if (gateway.tls() == null) {
            return null;
        }
        String failed = security.await(channel);
        if (failed != null) {
            problem = failed;
        }
        String known = problem;
        return known != null || channel.isActive()
                ? known
                : "TLS: the gateway closed the connection; look at highway.gateways.tls.certificate";
    }

    /**
     * Waits until the gateway has answered in the right protocol over a connection.
     *
     * @return the problem, or null if there is none
     */
    private @Nullable String awaitAnswer(Channel channel) {
        GatewayProtocolDetector first = ConnectionHandler.of(channel).first();
        String wrong = first.await(connectTimeout);
        unanswered = wrong;
        if (first.isOtherProtocol()) {
            problem = wrong; // a lasting problem
        }
        return wrong;
    }

    /** Time since the gateway has sent anything over the latest connection, nanoseconds; 0 if there is none, or after a pause. */
    public long silentNanos() {
        Channel channel = latest;
        return channel == null ? 0 : SilenceDetector.silentNanos(channel);
    }

    /** Identifies the latest connection; null if there was none. */
    public @Nullable Object latestConnection() {
        return latest;
    }

    /** Another one to this address, for a check: its connections are not those of calls. */
    ConnectionOpener forCheck(Steps listener) {
        ConnectionOpener checked = new ConnectionOpener(gateway, greeting, traffic);
        checked.resolver(connector.addresses().resolver());
        checked.steps = listener;
        return checked;
    }

    ConnectionPreface greeting() {
        return greeting;
    }

    TcpConnector connector() {
        return connector;
    }
}
