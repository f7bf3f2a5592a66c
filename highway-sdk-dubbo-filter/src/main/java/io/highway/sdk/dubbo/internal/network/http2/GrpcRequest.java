// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.http2;

import io.highway.sdk.dubbo.internal.evidence.NotWrittenException;
import io.highway.sdk.dubbo.internal.network.compression.GrpcMessageCompression;
import io.netty.handler.codec.http2.Http2Headers;
import org.apache.dubbo.rpc.model.PackableMethod;
import org.apache.dubbo.rpc.protocol.tri.compressor.Compressor;
import org.jspecify.annotations.Nullable;

/**
 * What a request begins with, and what writes and reads its messages.
 *
 * @param headers complete
 * @param refusal why it cannot be sent, or null
 * @param compressor the application's; with {@code identity} the policy decides
 * @param compression as the policy has it
 */
record GrpcRequest(
        Http2Headers headers,
        @Nullable NotWrittenException refusal,
        PackableMethod method,
        Compressor compressor,
        GrpcMessageCompression compression) {

    /** A message, compressed if it is smaller then or the application wants it. */
    GrpcMessage message(byte[] plain) {
        if (!GrpcMessageCompression.IDENTITY.equals(compressor.getMessageEncoding())) {
            return new GrpcMessage(compressor.compress(plain), true);
        }
        byte[] compressed = compression.compress(plain);
        return compressed == null ? new GrpcMessage(plain, false) : new GrpcMessage(compressed, true);
    }

    /** The same with another compressor of the application, {@code identity} included. */
    GrpcRequest with(Compressor chosen) {
        headers.set(GrpcMessageCompression.ENCODING, chosen.getMessageEncoding());
        return new GrpcRequest(
                headers,
                refusal,
                method,
                chosen,
                new GrpcMessageCompression(compression.chosen(), null, compression.limit(), compression.framework()));
    }

    /** The same, which is not sent. */
    GrpcRequest refused(NotWrittenException why) {
        return new GrpcRequest(headers, why, method, compressor, compression);
    }
}
