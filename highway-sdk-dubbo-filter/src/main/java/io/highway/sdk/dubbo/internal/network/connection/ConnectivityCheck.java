// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.connection;

import io.highway.sdk.dubbo.HighwayProbe.Hop;
import io.highway.sdk.dubbo.HighwayProbe.Result;
import io.highway.sdk.dubbo.HighwayProbe.Step.Name;
import io.highway.sdk.dubbo.internal.network.tls.CertificateRole;
import io.highway.sdk.dubbo.internal.network.tls.UnusableTlsException;
import io.highway.sdk.dubbo.internal.policy.GatewaySpec;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
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
import java.util.stream.Collectors;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.apache.dubbo.remoting.transport.netty4.NettyEventLoopFactory;
import org.jspecify.annotations.Nullable;

/**
 * Checks one gateway address over a new connection, step by step, and keeps the connection open until it is closed. The
 * calling thread waits. Used by one thread.
 */
public final class ConnectivityCheck implements AutoCloseable {

    /** A certificate that expires sooner is reported. */
    private static final Duration EXPIRES_SOON = Duration.ofDays(14);

    private final ConnectionOpener opener;
    private final GatewaySpec gateway;
    private final TcpConnector connector;
    private final List<Step> steps = new ArrayList<>();
    private @Nullable Channel channel;
    private long stepBegun;
    private volatile long openedNanos;
    private volatile long endedNanos;

    /**
     * A step that has ended.
     *
     * @param name up to {@code PROTOCOL}
     * @param detail what was found
     * @param hop what it is about
     */
    public record Step(Name name, Result result, String detail, Hop hop, long nanos) {}

    /** One of the address of an opener. */
    public ConnectivityCheck(ConnectionOpener ofCalls) {
        this.opener = ofCalls.forCheck(this::ended);
        this.gateway = opener.gateway();
        this.connector = opener.connector();
    }

    /** Runs the steps up to the first that fails, and returns them. */
    public List<Step> run() {
        stepBegun = System.nanoTime();
        List<InetAddress> found = connector.addresses().all();
        if (found.isEmpty()) {
            end(
                    Name.RESOLVE,
                    Result.FAILED,
                    connector.named(connector.addresses().unknown()));
            return List.copyOf(steps);
        }
        String all = found.stream().map(InetAddress::getHostAddress).collect(Collectors.joining(", "));
        end(Name.RESOLVE, Result.OK, connector.named(all));
        try {
            opener.refresh();
            channel = opener.open(handlers -> {});
        } catch (UnusableTlsException e) {
            end(Name.TLS, Result.FAILED, "highway.gateways.tls." + e.getMessage(), Hop.LOCAL);
        } catch (IOException e) {
            if (steps.size() == 1) { // the password of the proxy
                end(Name.CONNECT, Result.FAILED, String.valueOf(e.getMessage()));
            }
        }
        return List.copyOf(steps);
    }

    /** A step of opening the connection has ended; the first one after those of another address that failed, too. */
    void ended(Name name, @Nullable String problem, InetAddress address, Channel opened) {
        if (name == Name.CONNECT) {
            steps.subList(1, steps.size()).clear();
            openedNanos = System.nanoTime();
            opened.closeFuture().addListener(closed -> endedNanos = System.nanoTime());
        }
        if (problem != null) {
            failed(name, problem, address, opened);
        } else if (name == Name.CONNECT) {
            String where =
                    address.getHostAddress() + " port " + connector.addresses().port();
            end(name, Result.OK, connector.named(where));
        } else if (name == Name.PROTOCOL) {
            end(name, Result.OK, opener.greeting().protocol());
        } else if (gateway.tls() != null) {
            SslHandler handler = opened.pipeline().get(SslHandler.class);
            if (handler != null) { // else it is closed, as the next step says
                secured(handler.engine().getSession());
            }
        }
    }

    private void failed(Name name, String problem, InetAddress address, Channel opened) {
        GatewayProtocolDetector first = ConnectionHandler.of(opened).first();
        boolean isClosed = !opened.isActive() && !first.isRightProtocol() && !first.isOtherProtocol();
        if (name == Name.TLS || (gateway.tls() != null && isClosed && name == Name.PROTOCOL)) {
            // with TLS 1.3 our certificate is refused later
            String refusal = name == Name.TLS ? problem : opener.problem();
            steps.removeIf(step -> step.name() == Name.TLS);
            end(
                    Name.TLS,
                    Result.FAILED,
                    refusal != null
                            ? refusal.replaceFirst("^TLS: ", "")
                            : "the gateway closed the connection; look at highway.gateways.tls.certificate");
            return;
        }
        // one that closes a plain connection, and expects no TLS, has nothing to forward it to
        Hop hop = name == Name.PROTOCOL && isClosed && !expectsTls(address) ? Hop.BEYOND_GATEWAY : Hop.GATEWAY;
        end(name, Result.FAILED, problem, hop);
    }

    private void secured(SSLSession session) {
        X509Certificate certificate;
        try {
            certificate = (X509Certificate) session.getPeerCertificates()[0]; // the runtime knows no other kind
        } catch (SSLPeerUnverifiedException e) { // not after a handshake
            throw new IllegalStateException(e);
        }
        Instant expires = Objects.requireNonNull(opener.certificateEnds(CertificateRole.GATEWAY));
        String warnings = warning("the gateway's certificate", expires)
                + warning(
                        "our certificate, highway.gateways.tls.certificate,",
                        opener.certificateEnds(CertificateRole.OWN))
                + warning(
                        "the authorities' certificate, highway.gateways.tls.trust-certificates,",
                        opener.certificateEnds(CertificateRole.AUTHORITY));
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

    /** Whether a gateway that closes plain connections answers in TLS. */
    private boolean expectsTls(InetAddress address) {
        try {
            SslContext any =
                    SslContextBuilder.forClient().sslProvider(SslProvider.JDK).build();
            ConnectionHandler.Listener nobody = new ConnectionHandler.Listener() {};
            ChannelFuture connecting = connector.connect(
                    TcpConnector.bootstrap(
                            NettyEventLoopFactory.NIO_EVENT_LOOP_GROUP.get(), gateway.connectMillis(), opened -> {
                                ConnectionHandler first =
                                        ConnectionHandler.begin(opened, opener.greeting(), null, nobody);
                                opened.pipeline().addFirst(first, any.newHandler(opened.alloc()));
                                connector.prepare(opened, nobody);
                            }),
                    address);
            GatewayProtocolDetector first =
                    connecting.awaitUninterruptibly(gateway.connectMillis()) && connecting.isSuccess()
                            ? ConnectionHandler.of(connecting.channel()).first()
                            : null;
            String unused = first == null ? null : first.await(gateway.connectMillis());
            TcpConnector.abort(connecting.channel());
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
            TcpConnector.abort(opened);
        }
    }
}
