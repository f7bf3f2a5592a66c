// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.connection;

import io.highway.sdk.dubbo.HighwayProbe.Hop;
import io.highway.sdk.dubbo.HighwayProbe.Result;
import io.highway.sdk.dubbo.HighwayProbe.Step.Name;
import io.highway.sdk.dubbo.internal.network.tls.CertificateKind;
import io.highway.sdk.dubbo.internal.network.tls.TlsFailure;
import io.highway.sdk.dubbo.internal.network.tls.UnusableTlsException;
import io.highway.sdk.dubbo.internal.policy.Gateway;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.net.InetAddress;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.apache.dubbo.remoting.transport.netty4.NettyEventLoopFactory;
import org.jspecify.annotations.Nullable;

/**
 * Checks one gateway address over a new connection, step by step, and keeps the connection open until it is closed. The
 * calling thread waits. Used by one thread.
 */
public final class GatewayCheck implements AutoCloseable {

    /** A certificate that expires sooner is reported. */
    private static final Duration EXPIRES_SOON = Duration.ofDays(14);

    private final Gateway gateway;
    private final GatewayConnector connector;
    private final TransportSecurity security;
    private final Greeting greeting;
    private final int timeoutMillis;
    private final List<Step> steps = new ArrayList<>();
    private @Nullable Channel channel;
    private @Nullable InetAddress used;
    private volatile @Nullable String refused;
    private long stepBegun;
    private volatile long openedNanos;
    private volatile long endedNanos;

    private final OpenedConnection.Listener watch = new OpenedConnection.Listener() {
        @Override
        public void accepted() {
            openedNanos = System.nanoTime();
        }

        @Override
        public void ended(Channel closed, boolean used) {
            endedNanos = System.nanoTime();
        }

        @Override
        public void failed(Throwable cause) {
            refused = TlsFailure.reason(cause);
        }
    };

    /**
     * A step that has ended.
     *
     * @param name up to {@code PROTOCOL}
     * @param detail what was found
     * @param hop what it is about
     */
    public record Step(Name name, Result result, String detail, Hop hop, long nanos) {}

    GatewayCheck(Gateway gateway, GatewayConnector connector, TransportSecurity security, Greeting greeting) {
        this.gateway = gateway;
        this.connector = connector;
        this.security = security;
        this.greeting = greeting;
        this.timeoutMillis = gateway.connectMillis();
    }

    /** Runs the steps up to the first that fails, and returns them. */
    public List<Step> run() {
        String unusable = null;
        try {
            security.refresh();
        } catch (UnusableTlsException e) {
            unusable = "highway.gateways.tls." + e.getMessage();
        }
        stepBegun = System.nanoTime();
        List<InetAddress> found = connector.addresses().all();
        String all = found.stream().map(InetAddress::getHostAddress).collect(Collectors.joining(", "));
        if (found.isEmpty()) {
            end(
                    Name.RESOLVE,
                    Result.FAILED,
                    connector.named(connector.addresses().unknown()));
            return List.copyOf(steps);
        }
        end(Name.RESOLVE, Result.OK, connector.named(all));
        Channel connected = connect(found);
        if (connected == null) {
            return List.copyOf(steps);
        }
        if (unusable != null) {
            end(Name.TLS, Result.FAILED, unusable, Hop.LOCAL);
        } else if (gateway.tls() == null || isSecured(connected)) {
            greet(connected);
        }
        return List.copyOf(steps);
    }

    /** To the first that can be connected to. */
    private @Nullable Channel connect(List<InetAddress> found) {
        List<String> problems = new ArrayList<>();
        for (InetAddress address : found) {
            String problem;
            try {
                ChannelFuture connecting = connecting(address, this::secure);
                channel = connecting.channel();
                if (connecting.awaitUninterruptibly(timeoutMillis, TimeUnit.MILLISECONDS) && connecting.isSuccess()) {
                    used = address;
                    String where = address.getHostAddress() + " port "
                            + connector.addresses().port();
                    end(Name.CONNECT, Result.OK, connector.named(where));
                    return channel;
                }
                problem = connector.words(connecting.cause());
                close();
            } catch (IOException e) { // the password of the proxy
                problem = String.valueOf(e.getMessage());
            }
            problems.add(problem + " (" + address.getHostAddress() + ")");
        }
        end(Name.CONNECT, Result.FAILED, connector.named(String.join(", ", problems)));
        return null;
    }

    /** @param handlers adds the handler that reads the first bytes, and TLS */
    private ChannelFuture connecting(InetAddress address, BiConsumer<Channel, ChannelHandler> handlers)
            throws IOException {
        Bootstrap bootstrap =
                GatewayConnector.bootstrap(NettyEventLoopFactory.NIO_EVENT_LOOP_GROUP.get(), timeoutMillis, opened -> {
                    handlers.accept(opened, OpenedConnection.begin(opened, greeting, null, watch));
                    connector.prepare(opened, watch);
                });
        return connector.connect(bootstrap, address);
    }

    private void secure(Channel opened, ChannelHandler first) {
        SslContext context = security.context();
        opened.pipeline().addFirst(first);
        if (context != null) {
            opened.pipeline().addFirst(security.handler(context, opened));
        }
    }

    private boolean isSecured(Channel connected) {
        SslHandler handler = connected.pipeline().get(SslHandler.class); // removed once the connection is closed
        String problem = security.await(connected);
        if (problem != null || handler == null || !connected.isActive()) {
            end(Name.TLS, Result.FAILED, refusal(problem));
            return false;
        }
        end(connected, handler.engine().getSession());
        return true;
    }

    private String refusal(@Nullable String problem) {
        String known = refused != null ? refused : problem;
        return known != null ? known : "the gateway closed the connection; look at highway.gateways.tls.certificate";
    }

    private void end(Channel connected, SSLSession session) {
        X509Certificate certificate;
        Instant expires;
        try {
            certificate = (X509Certificate) session.getPeerCertificates()[0]; // the runtime knows no other kind
            expires = security.endOf(session);
        } catch (SSLPeerUnverifiedException e) { // not after a handshake
            throw new IllegalStateException(e);
        }
        String warnings = warning("the gateway's certificate", expires)
                + warning(
                        "our certificate, highway.gateways.tls.certificate,",
                        security.certificateEnds(CertificateKind.OWN, connected))
                + warning(
                        "the authorities' certificate, highway.gateways.tls.trust-certificates,",
                        security.certificateEnds(CertificateKind.AUTHORITY, connected));
        end(
                Name.TLS,
                warnings.isEmpty() ? Result.OK : Result.WARN,
                session.getProtocol() + ", "
                        + certificate.getSubjectX500Principal().getName() + " of "
                        + certificate.getIssuerX500Principal().getName() + ", valid until "
                        + expires.atOffset(ZoneOffset.UTC).toLocalDate()
                        + warnings);
    }

    private static String warning(String whose, @Nullable Instant ends) {
        Duration left = ends == null ? EXPIRES_SOON : Duration.between(Instant.now(), ends);
        return left.compareTo(EXPIRES_SOON) < 0
                ? ": " + whose + " expires in " + left.toDays() + " days; renew it"
                : "";
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the wait for the answer reports the result
    private void greet(Channel connected) {
        connected.writeAndFlush(
                Unpooled.wrappedBuffer(greeting.bytes(gateway.address().hostAndPort())));
        FirstBytes first = OpenedConnection.of(connected).first();
        String wrong = first.await(timeoutMillis);
        boolean isClosed = !connected.isActive() && !first.isRightProtocol() && !first.isOtherProtocol();
        if (gateway.tls() != null && isClosed) { // with TLS 1.3 our certificate is refused later
            end(Name.TLS, Result.FAILED, refusal(null));
            return;
        }
        // one that closes a plain connection, and expects no TLS, has nothing to forward it to
        Hop hop = isClosed && !expectsTls() ? Hop.BEYOND_GATEWAY : Hop.GATEWAY;
        String detail = wrong != null ? wrong : greeting.protocol();
        end(Name.PROTOCOL, wrong == null ? Result.OK : Result.FAILED, detail, hop);
    }

    /** Whether a gateway that closes plain connections answers in TLS. */
    private boolean expectsTls() {
        try {
            SslContext any =
                    SslContextBuilder.forClient().sslProvider(SslProvider.JDK).build();
            ChannelFuture connecting = connecting(Objects.requireNonNull(used), (opened, first) -> opened.pipeline()
                    .addFirst(first, any.newHandler(opened.alloc())));
            FirstBytes first = connecting.awaitUninterruptibly(timeoutMillis) && connecting.isSuccess()
                    ? OpenedConnection.of(connecting.channel()).first()
                    : null;
            String unused = first == null ? null : first.await(timeoutMillis);
            GatewayConnector.abort(connecting.channel());
            return first != null && first.isOtherProtocol();
        } catch (IOException e) {
            return false;
        }
    }

    /** Whether the gateway has ended the connection meanwhile, in words; null if it is open. */
    public @Nullable String ended() {
        Channel opened = channel;
        return opened == null || opened.isActive()
                ? null
                : "closed within " + TimeUnit.NANOSECONDS.toMillis(endedNanos - openedNanos) + " ms";
    }

    private void end(Name name, Result result, String detail) {
        end(name, result, detail, name == Name.RESOLVE ? Hop.LOCAL : Hop.GATEWAY);
    }

    private void end(Name name, Result result, String detail, Hop hop) {
        long now = System.nanoTime();
        steps.add(new Step(name, result, detail, hop, now - stepBegun));
        stepBegun = now;
    }

    @Override
    public void close() {
        Channel opened = channel;
        if (opened != null) {
            GatewayConnector.abort(opened);
        }
    }
}
