// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.connection.tls;

import io.netty.handler.ssl.SslContext;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The TLS context of a gateway address, built again only if its files have changed: that takes tens of milliseconds of
 * processor time where a private key is in them, and a gateway that is down is tried several times a second. Thread-safe.
 */
public final class TlsFiles {

    private final GatewayTls tls;
    private final boolean http2;
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
            built = tls.read(http2);
            context = built;
            hash = present; // of before: what changed meanwhile is read next time
        }
        return built;
    }
}
