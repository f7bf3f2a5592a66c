// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.compression;

import io.highway.sdk.HighwayAttachments;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufOutputStream;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.apache.dubbo.remoting.http12.HttpHeaders;
import org.apache.dubbo.remoting.http12.HttpMetadata;
import org.apache.dubbo.remoting.http12.HttpOutputMessage;
import org.apache.dubbo.remoting.http12.h2.H2StreamChannel;
import org.apache.dubbo.remoting.http12.h2.Http2ChannelDelegate;
import org.apache.dubbo.remoting.http12.h2.Http2Header;
import org.jspecify.annotations.Nullable;

/**
 * The stream of one call at a provider: advertises which encodings its requests may have, and compresses its answers on
 * the thread that sends them, if the call has come from another island and asks for it by a {@code grpc-encoding}.
 * Dubbo 3.2 does not load this class.
 */
public final class CompressingAnswerStream extends Http2ChannelDelegate {

    private static final String ENCODING = "grpc-encoding";
    private static final String ACCEPTED = "grpc-accept-encoding";
    private static final String STATUS = ":status";

    private static final byte COMPRESSED = 1;

    private final UnaryOperator<@Nullable String> dictionaries;

    private volatile @Nullable Http2Header request;

    /** The encoding with the dictionary of the caller's island, or null if there is none. */
    private volatile @Nullable String dictionary;

    /** Null if messages are sent as they are. */
    private volatile @Nullable MessageCompressor compressor;

    /**
     * The stream of one call.
     *
     * @param dictionaries the encoding with the dictionary of the island that calls, by {@code highway-from}, or null
     */
    public CompressingAnswerStream(H2StreamChannel stream, UnaryOperator<@Nullable String> dictionaries) {
        super(stream);
        this.dictionaries = dictionaries;
    }

    /** Sets the header of the request. */
    public void answer(Http2Header header) {
        request = header;
        String from = header.header(HighwayAttachments.FROM);
        dictionary = from == null ? null : dictionaries.apply(from);
    }

    @Override
    public CompletableFuture<Void> writeHeader(HttpMetadata metadata) {
        HttpHeaders headers = metadata.headers();
        if (headers.containsKey(STATUS)) { // these are no trailers, or there is nothing else
            headers.set(ACCEPTED, BoundedInflater.accepted(dictionary));
            boolean isEnd = metadata instanceof Http2Header header && header.isEndStream();
            MessageCompressor chosen = isEnd || headers.containsKey(ENCODING) ? null : chosen();
            if (chosen != null) {
                headers.set(ENCODING, chosen.encoding());
                compressor = chosen;
            }
        }
        return super.writeHeader(metadata);
    }

    /** The first encoding that the caller names and this process has. */
    private @Nullable MessageCompressor chosen() {
        Http2Header header = request;
        if (header == null || header.header(ENCODING) == null || header.header(HighwayAttachments.ISLAND) == null) {
            return null;
        }
        String accepted = header.header(ACCEPTED);
        return accepted == null ? null : AnswerCompressor.chosen(accepted, dictionary);
    }

    @Override
    public CompletableFuture<Void> writeMessage(HttpOutputMessage message) {
        MessageCompressor chosen = compressor;
        if (chosen != null && message.getBody() instanceof ByteBufOutputStream body) {
            compress(body.buffer(), chosen);
        }
        return super.writeMessage(message);
    }

    /** One message, replaced in place. */
    private void compress(ByteBuf message, MessageCompressor chosen) {
        int start = message.readerIndex();
        int length = message.readableBytes() - BoundedInflater.PREFIX_BYTES;
        if (length < 0 || message.getByte(start) != 0 || message.getInt(start + 1) != length) {
            return;
        }
        byte[] plain = new byte[length];
        message.getBytes(start + BoundedInflater.PREFIX_BYTES, plain);
        byte[] compressed = AnswerCompressor.compress(chosen, dictionary, plain, BoundedInflater.PREFIX_BYTES);
        if (compressed != null) {
            message.clear().writeBytes(compressed);
            message.setByte(0, COMPRESSED).setInt(1, compressed.length - BoundedInflater.PREFIX_BYTES);
        }
    }
}
