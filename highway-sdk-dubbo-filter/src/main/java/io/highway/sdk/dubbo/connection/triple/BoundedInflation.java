// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.connection.triple;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.apache.dubbo.rpc.model.ScopeModelAware;
import org.apache.dubbo.rpc.protocol.tri.compressor.DeCompressor;

/**
 * Bounds messages that Dubbo inflates by the payload of this process's Triple servers. This is the only hook of Dubbo
 * 3.2; with Dubbo 3.3 {@link MessageReassembler} reads messages before. Without Triple servers for gateways nothing is
 * changed.
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
        int limit = TripleServerCompatibility.of(framework).payload();
        if (limit == 0) {
            return unbounded.decompress(message);
        }
        try {
            return MessageReader.inflate(getMessageEncoding(), message, limit, unbounded::decompress);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
