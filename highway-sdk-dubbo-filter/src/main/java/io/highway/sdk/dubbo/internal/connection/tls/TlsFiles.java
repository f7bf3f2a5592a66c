// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.tls;

import io.netty.handler.ssl.SslContext;
import java.time.Instant;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The TLS context of a gateway address, built again only if its files have changed: that takes tens of milliseconds of
 * processor time where a private key is in them, and a gateway that is down is tried several times a second. Thread-safe.
 */
public final class TlsFiles {

    /** How long the ends of certificates are not read again. */
    private static final long ENDS_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** A file that takes longer to read cannot be read. */
    private static final long SLOW_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final GatewayTls tls;
    private final boolean http2;
    private final AtomicBoolean readsEnds = new AtomicBoolean();
    private volatile long readingSince;
    private volatile long endsReadAt = System.nanoTime() - 2 * ENDS_NANOS;
    private volatile @Nullable Instant ownEnds;
    private volatile @Nullable Instant authorityEnds;
    private @Nullable SslContext context;
    private byte @Nullable [] hash;

    /** @param http2 whether the protocol is HTTP/2 */
    public TlsFiles(GatewayTls tls, boolean http2) {
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
            readEnds();
            built = tls.read(http2);
            context = built;
            hash = present; // of before: what changed meanwhile is read next time
        }
        return built;
    }

    /**
     * When a certificate of the files ends, as {@link GatewayTls#ends}. They are read when the context is built, and once a
     * minute on a thread that ends with the read: a file system that does not answer must not stop the one who asks.
     *
     * @param kind {@code OWN} or {@code AUTHORITY}
     */
    public @Nullable Instant ends(CertificateKind kind) {
        if (System.nanoTime() - endsReadAt > ENDS_NANOS && readsEnds.compareAndSet(false, true)) {
            readingSince = System.nanoTime();
            Thread reader = new Thread(this::readEndsInBackground, "highway-file");
            reader.setDaemon(true);
            reader.start();
        }
        boolean hangs = readsEnds.get() && System.nanoTime() - readingSince > SLOW_NANOS;
        Instant known = kind == CertificateKind.OWN ? ownEnds : authorityEnds;
        return hangs && known != null ? Instant.EPOCH : known;
    }

    private void readEndsInBackground() {
        try {
            readEnds();
        } finally {
            readsEnds.set(false);
        }
    }

    private void readEnds() {
        ownEnds = tls.ends(CertificateKind.OWN);
        authorityEnds = tls.ends(CertificateKind.AUTHORITY);
        endsReadAt = System.nanoTime();
    }
}
