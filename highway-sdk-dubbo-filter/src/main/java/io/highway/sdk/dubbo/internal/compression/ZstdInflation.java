// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.compression;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.UnaryOperator;
import org.apache.dubbo.common.extension.ExtensionLoader;
import org.apache.dubbo.remoting.Constants;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.apache.dubbo.rpc.protocol.tri.compressor.DeCompressor;

/**
 * Lets Dubbo's clients inflate zstd. Registered at run time, since the library is
 * optional. {@link BoundedInflation} wraps it.
 */
public final class ZstdInflation implements DeCompressor {

    /** Called by Dubbo. */
    public ZstdInflation() {}

    /** Registers it, if this process has the library and no other extension of this name. */
    static synchronized void register(FrameworkModel framework) {
        ExtensionLoader<DeCompressor> encodings = framework.getExtensionLoader(DeCompressor.class);
        if (ZstdLibrary.isPresent() && !encodings.hasExtension(MessageCompressor.ZSTD)) {
            encodings.addExtension(MessageCompressor.ZSTD, ZstdInflation.class);
        }
    }

    @Override
    public String getMessageEncoding() {
        return MessageCompressor.ZSTD;
    }

    /** Never without a limit; used only where no other is known. */
    @Override
    public byte[] decompress(byte[] message) {
        try {
            return Inflation.inflate(
                    MessageCompressor.ZSTD, message, Constants.DEFAULT_PAYLOAD, UnaryOperator.identity(), step -> {});
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
