// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.connection;

import io.highway.sdk.dubbo.internal.network.tls.CertificateRole;
import io.highway.sdk.dubbo.internal.network.tls.ReloadingTlsContext;
import io.highway.sdk.dubbo.internal.network.tls.TlsFailure;
import io.highway.sdk.dubbo.internal.network.tls.TlsSettings;
import io.highway.sdk.dubbo.internal.network.tls.UnusableTlsException;
import io.highway.sdk.dubbo.internal.policy.GatewaySpec;
import io.netty.channel.Channel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/** TLS of the connections to one gateway address; none without settings. Thread-safe. */
final class ConnectionTls {

    /** With TLS 1.3 a gateway refuses our certificate only after our side of the handshake has completed. */
    private static final long REFUSAL_MILLIS = 100;

    private static final String TLS_1_3 = "TLSv1.3";

    private final GatewaySpec gateway;
    private final @Nullable ReloadingTlsContext files;
    private volatile @Nullable SslContext context;

    ConnectionTls(GatewaySpec gateway, boolean http2) {
        this.gateway = gateway;
        TlsSettings tls = gateway.tls();
        this.files = tls == null ? null : new ReloadingTlsContext(tls, http2);
    }

    void refresh() throws UnusableTlsException {
        context = files == null ? null : files.context();
    }

    /** That of the last {@link #refresh}. */
    @Nullable
    SslContext context() {
        return context;
    }

    /** That of the files now; null if they cannot be used. */
    @Nullable
    SslContext contextOfFiles() {
        try {
            return files == null ? null : files.context();
        } catch (UnusableTlsException e) { // the connection goes on
            return null;
        }
    }

    @Nullable
    Instant certificateEnds(CertificateRole kind, @Nullable Channel connection) {
        if (files == null) {
            return null;
        }
        return kind == CertificateRole.GATEWAY ? gatewayCertificateEnds(files, connection) : files.ends(kind);
    }

    private static @Nullable Instant gatewayCertificateEnds(ReloadingTlsContext files, @Nullable Channel connection) {
        SslHandler handler = connection == null ? null : connection.pipeline().get(SslHandler.class);
        try {
            return handler == null ? null : files.endOf(handler.engine().getSession());
        } catch (SSLPeerUnverifiedException e) { // the handshake has not ended
            return null;
        }
    }

    SslHandler handler(SslContext current, Channel channel) {
        SSLEngine engine = current.newEngine(
                channel.alloc(), gateway.address().host(), gateway.address().port()); // the host is sent as server name
        SSLParameters parameters = engine.getSSLParameters();
        // null would leave what Netty 4.2 sets for every client
        TlsSettings tls = gateway.tls();
        parameters.setEndpointIdentificationAlgorithm(tls != null && tls.verifyHost() ? "HTTPS" : "");
        engine.setSSLParameters(parameters);
        SslHandler handler = new SslHandler(engine);
        handler.setHandshakeTimeoutMillis(gateway.connectMillis());
        return handler;
    }

    /** Waits for the handshake of a connection; returns why it has failed, or null. */
    @Nullable
    String await(Channel channel) {
        SslHandler handler = channel.pipeline().get(SslHandler.class); // removed once the connection is closed
        if (handler == null) {
            return null;
        }
        Future<Channel> handshake = handler.handshakeFuture();
        if (!handshake.awaitUninterruptibly(gateway.connectMillis(), TimeUnit.MILLISECONDS)) {
            return "TLS: no handshake within " + gateway.connectMillis() + " ms";
        }
        if (!handshake.isSuccess()) { // known here before the handlers are notified
            return problem(handshake.cause());
        }
        if (handler.engine().getSession().getProtocol().equals(TLS_1_3)) {
            channel.closeFuture().awaitUninterruptibly(REFUSAL_MILLIS, TimeUnit.MILLISECONDS);
        }
        return null;
    }

    static String problem(Throwable cause) {
        return "TLS: " + TlsFailure.reason(cause);
    }
}
