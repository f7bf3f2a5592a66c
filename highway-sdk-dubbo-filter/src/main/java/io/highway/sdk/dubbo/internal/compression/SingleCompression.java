// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.compression;

import java.io.OutputStream;
import org.apache.dubbo.rpc.protocol.tri.compressor.Compressor;

/**
 * Compresses messages of a stream once if the application chooses an encoding for them
 * ({@code ClientCallToObserverAdapter#setCompression}) and the policy of their island has another: the application's.
 */
public final class SingleCompression implements Compressor {

    private final Compressor compressor;

    /** Called by Dubbo with the compressor to wrap. */
    public SingleCompression(Compressor compressor) {
        this.compressor = compressor;
    }

    @Override
    public String getMessageEncoding() {
        return compressor.getMessageEncoding();
    }

    @Override
    public byte[] compress(byte[] message) {
        return compressor.compress(MarkedMessage.plain(message));
    }

    /** For servers, by reflection: Dubbo 3.2 has no such method. */
    @SuppressWarnings("MissingOverride")
    public OutputStream decorate(OutputStream stream) {
        try {
            return (OutputStream)
                    Compressor.class.getMethod("decorate", OutputStream.class).invoke(compressor, stream);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
