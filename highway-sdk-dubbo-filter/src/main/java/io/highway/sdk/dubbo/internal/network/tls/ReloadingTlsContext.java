// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.tls;

import io.highway.sdk.dubbo.internal.files.LocalFileReader;
import io.highway.sdk.dubbo.internal.files.SlowReadWatch;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * The TLS context of a gateway address, built again only if its files have changed: that takes tens of milliseconds of
 * processor time where a private key is in them, and a gateway that is down is tried several times a second. If the Java
 * runtime's authorities count, those of another file count from the next change, or from the next start on. Thread-safe.
 */
public final class ReloadingTlsContext {

    /** How long the ends of certificates are not read again. */
    private static final long ENDS_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final TlsSettings tls;
    private final boolean http2;
    private final AtomicBoolean isRead = new AtomicBoolean();
    private final SlowReadWatch reading = new SlowReadWatch(LocalFileReader.LIMIT_MILLIS);
    private volatile long endsReadAt = System.nanoTime() - 2 * ENDS_NANOS;
    private volatile @Nullable Instant ownEnds;
    private volatile @Nullable Instant authorityEnds;
    private volatile Collection<X509Certificate> trusted = List.of();
    private @Nullable SslContext context;
    private byte @Nullable [] hash;

    /** @param http2 whether the protocol is HTTP/2 */
    public ReloadingTlsContext(TlsSettings tls, boolean http2) {
        this.tls = tls;
        this.http2 = http2;
    }

    /**
     * The context of the files in their current state.
     *
     * @throws UnusableTlsException if a file cannot be used, with the name of its key
     */
    public synchronized SslContext context() throws UnusableTlsException {
        byte[] present = tls.hash();
        SslContext built = context;
        if (built == null || present == null || !Arrays.equals(present, hash)) {
            hash = null; // they are read again, if they cannot be used now
            built = read();
            context = built;
            hash = present; // of before: what changed meanwhile is read next time
        }
        endsReadAt = System.nanoTime();
        return built;
    }

    private SslContext read() throws UnusableTlsException {
        Instant own = tls.ends(CertificateRole.OWN);
        Instant authority = tls.ends(CertificateRole.AUTHORITY);
        try {
            trusted = tls.trusted();
            return tls.read(http2);
        } catch (UnusableTlsException e) {
            boolean isAuthority = e.key().equals(TlsSettings.TRUST);
            own = isAuthority ? own : Instant.EPOCH;
            authority = isAuthority ? Instant.EPOCH : authority;
            throw e;
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
            authority = Instant.EPOCH;
            throw new UnusableTlsException(TlsSettings.TRUST, String.valueOf(tls.trustCertificates()), e);
        } finally {
            ownEnds = own;
            authorityEnds = authority;
        }
    }

    /**
     * When a certificate of the files ends, as {@link TlsSettings#ends}; the epoch if the next connection cannot use the
     * files. They are read when the context is built, and once a minute on a thread that ends with the read: a file system
     * that does not answer must not stop the one who asks.
     *
     * @param kind {@code OWN} or {@code AUTHORITY}
     */
    public @Nullable Instant ends(CertificateRole kind) {
        if (System.nanoTime() - endsReadAt > ENDS_NANOS && isRead.compareAndSet(false, true)) {
            reading.begin();
            Thread reader = new Thread(this::readInBackground, "highway-file");
            reader.setDaemon(true);
            reader.start();
        }
        Instant known = kind == CertificateRole.OWN ? ownEnds : authorityEnds;
        return reading.isSlow() && known != null ? Instant.EPOCH : known;
    }

    /** When the first certificate of the gateway's chain ends, as {@link TlsSettings#endOf}. */
    public Instant endOf(SSLSession session) throws SSLPeerUnverifiedException {
        return TlsSettings.endOf(session, trusted);
    }

    private void readInBackground() {
        try {
            SslContext unused = context();
        } catch (UnusableTlsException e) { // the ends say so; the next connection reports why
            endsReadAt = System.nanoTime();
        } finally {
            reading.end();
            isRead.set(false);
        }
    }
}
