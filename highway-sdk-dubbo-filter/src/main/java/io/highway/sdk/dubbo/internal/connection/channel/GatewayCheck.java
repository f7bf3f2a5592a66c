// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.channel;

import io.highway.sdk.dubbo.HighwayProbe.Hop;
import io.highway.sdk.dubbo.HighwayProbe.Result;
import io.highway.sdk.dubbo.HighwayProbe.Step.Name;
import io.highway.sdk.dubbo.internal.connection.tls.CertificateKind;
import io.highway.sdk.dubbo.internal.connection.tls.GatewayTls;
import io.highway.sdk.dubbo.internal.connection.tls.TlsFailure;
import io.highway.sdk.dubbo.internal.connection.tls.UnusableTlsException;
import io.netty.buffer.Unpooled;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.JdkSslContext;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Checks one gateway address over a new connection, step by step, and keeps the connection open until it is closed. The
 * calling thread waits. Used by one thread.
 */
public final class GatewayCheck implements AutoCloseable {

    /** A certificate that expires sooner is reported. */
    private static final Duration EXPIRES_SOON = Duration.ofDays(14);

    private static final int MOST_READS = 100;

    private final @Nullable GatewayTls tls;
    private final String host;
    private final int port;
    private final GatewayConnector connector;
    private final Greeting greeting;
    private final int timeoutMillis;
    private final List<Step> steps = new ArrayList<>();
    private @Nullable Socket socket;
    private long stepBegun;
    private long openedNanos;

    /**
     * A step that has ended.
     *
     * @param name up to {@code PROTOCOL}
     * @param detail what was found
     * @param hop what it is about
     */
    public record Step(Name name, Result result, String detail, Hop hop, long nanos) {}

    GatewayCheck(
            @Nullable GatewayTls tls,
            String host,
            int port,
            GatewayConnector connector,
            Greeting greeting,
            int timeoutMillis) {
        this.tls = tls;
        this.host = host;
        this.port = port;
        this.connector = connector;
        this.greeting = greeting;
        this.timeoutMillis = timeoutMillis;
    }

    /** Runs the steps up to the first that fails, and returns them. */
    public List<Step> run() {
        Name name = Name.RESOLVE;
        stepBegun = System.nanoTime();
        try {
            List<InetAddress> found = connector.addresses().all();
            if (found.isEmpty()) {
                throw new UnknownHostException(host);
            }
            String all = found.stream().map(InetAddress::getHostAddress).collect(Collectors.joining(", "));
            end(name, Result.OK, connector.named(all));
            name = Name.CONNECT;
            Socket connected = connect(found);
            String used = connected.getInetAddress().getHostAddress() + " port " + connected.getPort();
            end(name, Result.OK, connector.named(used));
            if (tls != null) {
                name = Name.TLS;
                connected = secure(connected, tls);
            }
            name = Name.PROTOCOL;
            greet(connected);
        } catch (UnknownHostException e) {
            end(name, Result.FAILED, connector.named(connector.addresses().unknown()));
        } catch (UnusableTlsException e) {
            end(name, Result.FAILED, "highway.gateways.tls." + e.getMessage(), Hop.LOCAL);
        } catch (SSLException e) { // also in the step PROTOCOL: with TLS 1.3 our certificate is refused later
            end(Name.TLS, Result.FAILED, TlsFailure.reason(e));
        } catch (IOException e) {
            end(name, Result.FAILED, words(e));
        }
        return List.copyOf(steps);
    }

    /** To the first that can be connected to. */
    private Socket connect(List<InetAddress> found) throws IOException {
        List<String> problems = new ArrayList<>();
        for (InetAddress address : found) {
            try {
                return connect(address);
            } catch (IOException e) {
                close();
                problems.add(words(e) + " (" + address.getHostAddress() + ")");
            }
        }
        throw new IOException(connector.named(String.join(", ", problems)));
    }

    private Socket connect(InetAddress address) throws IOException {
        Socket plain = new Socket(Proxy.NO_PROXY); // as calls, which socksProxyHost does not affect
        socket = plain;
        connector.connect(plain, address);
        openedNanos = System.nanoTime();
        return plain;
    }

    private Socket secure(Socket plain, GatewayTls settings) throws IOException, UnusableTlsException {
        JdkSslContext context = (JdkSslContext) settings.read(greeting.isHttp2());
        SSLSocket secured = (SSLSocket) context.context().getSocketFactory().createSocket(plain, host, port, true);
        SSLParameters parameters = secured.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm(settings.verifyHost() ? "HTTPS" : null);
        if (greeting.isHttp2()) {
            parameters.setApplicationProtocols(new String[] {ApplicationProtocolNames.HTTP_2});
        }
        secured.setSSLParameters(parameters);
        socket = secured;
        secured.startHandshake();
        end(secured.getSession(), settings);
        return secured;
    }

    private void end(SSLSession session, GatewayTls settings) throws SSLException {
        if (!(session.getPeerCertificates()[0] instanceof X509Certificate certificate)) {
            end(Name.TLS, Result.OK, session.getProtocol());
            return;
        }
        Instant expires = settings.endOf(session);
        String warnings = warning("the gateway's certificate", expires)
                + warning("our certificate, highway.gateways.tls.certificate,", settings.ends(CertificateKind.OWN))
                + warning(
                        "the authorities' certificate, highway.gateways.tls.trust-certificates,",
                        settings.ends(CertificateKind.AUTHORITY));
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

    private void greet(Socket connected) throws IOException {
        FirstBytes first = new FirstBytes(greeting);
        boolean closed = false;
        try {
            connected.getOutputStream().write(greeting.bytes(host + ":" + port));
            connected.getOutputStream().flush();
            byte[] answer = connected.getInputStream().readNBytes(Greeting.NEEDED);
            if (answer.length == Greeting.NEEDED) {
                first.read(Unpooled.wrappedBuffer(answer));
            } else {
                closed = true;
            }
        } catch (SSLException e) {
            throw e;
        } catch (SocketTimeoutException e) {
            // known below, in the words of the connection pool
        } catch (IOException e) { // a reset
            closed = true;
        }
        if (closed && tls != null) {
            end(Name.TLS, Result.FAILED, "the gateway closed the connection; look at highway.gateways.tls.certificate");
            return;
        }
        if (closed) {
            first.closed();
        }
        String wrong = first.await(timeoutMillis);
        if (closed && !expectsTls(connected.getInetAddress())) { // it has nothing to forward connections to
            end(Name.PROTOCOL, Result.FAILED, String.valueOf(wrong), Hop.BEYOND_GATEWAY);
        } else {
            end(Name.PROTOCOL, wrong == null ? Result.OK : Result.FAILED, wrong != null ? wrong : greeting.protocol());
        }
    }

    /** Whether a gateway that closes plain connections answers in TLS. */
    private boolean expectsTls(InetAddress address) {
        try (Socket plain = new Socket(Proxy.NO_PROXY)) {
            connector.connect(plain, address);
            SSLSocketFactory any = (SSLSocketFactory) SSLSocketFactory.getDefault();
            ((SSLSocket) any.createSocket(plain, host, port, true)).startHandshake();
            return true;
        } catch (SSLException e) { // most likely its certificate is not trusted
            return !(e.getCause() instanceof EOFException);
        } catch (IOException e) {
            return false;
        }
    }

    /** Whether the gateway has ended the connection meanwhile, in words; null if it is open. */
    public @Nullable String ended() {
        Socket open = socket;
        if (open == null || open.isClosed()) {
            return null;
        }
        try {
            open.setSoTimeout(1);
            InputStream input = open.getInputStream();
            byte[] ignored = new byte[512];
            for (int i = 0; i < MOST_READS; i++) { // the rest of its settings, and what it sends by itself
                if (input.read(ignored) < 0) {
                    return "closed " + age();
                }
            }
            return null;
        } catch (SocketTimeoutException e) {
            return null;
        } catch (IOException e) {
            return "reset " + age();
        }
    }

    private String age() {
        return "within " + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - openedNanos) + " ms";
    }

    private void end(Name name, Result result, String detail) {
        end(name, result, detail, name == Name.RESOLVE ? Hop.LOCAL : Hop.GATEWAY);
    }

    private void end(Name name, Result result, String detail, Hop hop) {
        long now = System.nanoTime();
        steps.add(new Step(name, result, detail, hop, now - stepBegun));
        stepBegun = now;
    }

    private static String words(IOException problem) {
        String message = problem.getMessage();
        return message == null ? problem.toString() : message;
    }

    @Override
    public void close() {
        Socket open = socket;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                // as good as closed
            }
        }
    }
}
