// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.compression;

import java.io.IOException;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.apache.dubbo.rpc.model.ScopeModelAware;
import org.apache.dubbo.rpc.protocol.tri.compressor.DeCompressor;

/**
 * Bounds answers that Dubbo inflates, by {@link InflationLimit}. What cannot be inflated becomes a message that no parser
 * accepts: after an exception here, Dubbo leaves the call without an end. So does a message with a dictionary, until its
 * invoker inflates it by {@link CompressedMessages}.
 */
public final class BoundedInflation implements DeCompressor, ScopeModelAware {

    private final DeCompressor unbounded;
    private FrameworkModel framework = FrameworkModel.defaultModel();

    /** Called by Dubbo with the decompressor to wrap. */
    public BoundedInflation(DeCompressor unbounded) {
        this.unbounded = unbounded;
    }

    @Override
    public void setFrameworkModel(FrameworkModel model) {
        framework = model;
    }

    @Override
    public String getMessageEncoding() {
        return unbounded.getMessageEncoding();
    }

    @Override
    public byte[] decompress(byte[] message) {
        InflationLimit limit = InflationLimit.of(framework);
        if (!limit.isSet()) {
            return unbounded.decompress(message);
        }
        try {
            if (getMessageEncoding().equals(MessageCompressor.ZSTD)
                    && ZstdLibrary.isPresent()
                    && ZstdMessages.needsDictionary(message)) {
                return MarkedMessage.withDictionary(message);
            }
            return limit.inflate(getMessageEncoding(), message, unbounded::decompress);
        } catch (IOException | RuntimeException | Error e) { // thrown at Dubbo, any would end as an answer of null
            return MarkedMessage.unreadable(String.valueOf(e.getMessage()));
        }
    }
}
