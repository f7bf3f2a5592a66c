// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.compression;

import io.highway.sdk.dubbo.internal.config.Dictionary;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2FrameStream;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.util.AsciiString;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Sets the header {@code grpc-encoding} of calls with the attachment {@link #KEY}, which is removed here, and the
 * compressed flag of their messages that a {@link MarkedMessage} marks. Dubbo's compressor is process-wide, while a
 * policy has one per island, and Dubbo writes every message as uncompressed.
 *
 * <p>A {@code grpc-encoding}, {@code identity} included, also asks for compressed answers. One per connection, for its
 * event loop.
 */
public final class CompressedRequests {

    /**
     * The URL parameter of invokers whose policy has a compression, and the attachment of their calls; its value is the
     * encoding, or {@link #IDENTITY}, and, after a comma, the encoding with the island's dictionary if requests are not
     * compressed with it now.
     */
    public static final String KEY = "highway-compression";

    /** Requests are sent as they are; answers may be compressed. */
    public static final String IDENTITY = "identity";

    /** The attachment as the name of a header that is looked up for each call; its hash is computed once. */
    private static final AsciiString HEADER = AsciiString.cached(KEY);

    /** The header that names how a message is compressed. */
    public static final AsciiString ENCODING = AsciiString.cached("grpc-encoding");

    private static final AsciiString ACCEPTED = AsciiString.cached("grpc-accept-encoding");

    /** The encodings of answers, unless the policy asks for gzip: the preferred one first. */
    private static final AsciiString ZSTD_OR_GZIP = AsciiString.cached("zstd,gzip");

    private static final byte COMPRESSED = 1;

    /** Streams with compression; ended ones are removed by garbage collection. */
    private final Set<Http2FrameStream> asking = Collections.newSetFromMap(new WeakHashMap<>());

    /** The {@code grpc-encoding} of requests with this value of {@link #KEY}; null without one. */
    public static @Nullable String requestEncoding(@Nullable String key) {
        return key == null ? null : ChosenEncoding.of(key).request();
    }

    /** Changes a frame that is about to be written. */
    public void write(Object message) {
        if (message instanceof Http2HeadersFrame frame) {
            begin(frame);
        } else if (message instanceof Http2DataFrame frame && !asking.isEmpty() && asking.contains(frame.stream())) {
            unmark(frame.content());
        }
    }

    private void begin(Http2HeadersFrame frame) {
        Http2Headers headers = frame.headers();
        CharSequence encoding = headers.getAndRemove(HEADER);
        if (encoding == null || headers.contains(ENCODING)) { // the application may compress a stream itself
            return;
        }
        ChosenEncoding chosen = ChosenEncoding.of(encoding.toString());
        headers.set(ENCODING, chosen.request());
        CharSequence accepted = accepted(chosen);
        if (accepted != null) {
            headers.set(ACCEPTED, accepted);
        }
        if (!IDENTITY.equals(chosen.request())) {
            asking.add(frame.stream());
        }
    }

    /** The encodings that answers may have; null for those that every Dubbo client accepts. */
    static @Nullable CharSequence accepted(ChosenEncoding chosen) {
        if (chosen.dictionary() != null) {
            return chosen.dictionary() + "," + ZSTD_OR_GZIP;
        }
        return MessageCompressor.GZIP.equals(chosen.request()) ? null : ZSTD_OR_GZIP;
    }

    /**
     * Dubbo looks up what inflates an answer by its encoding, and would keep the name of an unknown one for good. The
     * message contains the id of the dictionary it needs.
     */
    public static void read(Http2HeadersFrame answer) {
        CharSequence encoding = answer.headers().get(ENCODING);
        if (encoding == null) {
            return;
        }
        String name = encoding.toString();
        if (name.startsWith(Dictionary.PREFIX)) {
            answer.headers().set(ENCODING, MessageCompressor.ZSTD);
        } else if (!Inflation.ENCODINGS.contains(name)) {
            answer.headers().remove(ENCODING);
        }
    }

    /** Dubbo writes every message as one frame: the mark is cut off by moving the prefix. */
    private static void unmark(ByteBuf content) {
        int start = content.readerIndex();
        int mark = start + Inflation.PREFIX_BYTES;
        if (content.readableBytes() > Inflation.PREFIX_BYTES + MarkedMessage.MARK_BYTES
                && MarkedMessage.isCompressed(content.getInt(mark))) {
            int length = content.getInt(start + 1) - MarkedMessage.MARK_BYTES;
            content.readerIndex(start + MarkedMessage.MARK_BYTES);
            content.setByte(content.readerIndex(), COMPRESSED);
            content.setInt(content.readerIndex() + 1, length);
        }
    }
}
