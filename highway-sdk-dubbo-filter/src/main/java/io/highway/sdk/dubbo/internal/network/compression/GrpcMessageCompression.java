// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.compression;

import io.highway.sdk.dubbo.internal.policy.ZstdDictionary;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;
import java.io.IOException;
import java.util.Objects;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.rpc.StatusRpcException;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.apache.dubbo.rpc.protocol.tri.compressor.DeCompressor;
import org.jspecify.annotations.Nullable;

/**
 * How an invoker compresses the messages of its gRPC requests, and inflates those of their answers. A {@code grpc-encoding},
 * {@code identity} included, also asks for compressed answers. Thread-safe.
 *
 * @param chosen null if nothing is compressed
 * @param requests null if requests are sent as they are
 */
public record GrpcMessageCompression(
        @Nullable ChosenEncoding chosen,
        @Nullable MessageCompressor requests,
        AnswerInflater limit,
        FrameworkModel framework) {

    /**
     * The URL parameter of invokers whose policy has a compression; its value is the encoding, or {@link #IDENTITY}, and,
     * after a comma, the encoding with the island's dictionary if requests are not compressed with it now.
     */
    public static final String KEY = "highway-compression";

    /** The URL parameter of invokers with the {@code payload} of their reference, which bounds inflated answers; bytes. */
    public static final String MOST_INFLATED = "highway-most-inflated";

    /** Requests are sent as they are; answers may be compressed. */
    public static final String IDENTITY = "identity";

    /** The header that names how a message is compressed. */
    public static final AsciiString ENCODING = AsciiString.cached("grpc-encoding");

    private static final AsciiString ACCEPTED = AsciiString.cached("grpc-accept-encoding");

    /** The encodings of answers, unless the policy asks for gzip: the preferred one first. */
    private static final AsciiString ZSTD_OR_GZIP = AsciiString.cached("zstd,gzip");

    /**
     * Those of one invoker.
     *
     * @param key the value of {@link #KEY}, or null
     */
    public static GrpcMessageCompression of(@Nullable String key, URL invoker) {
        ChosenEncoding chosen = key == null ? null : ChosenEncoding.of(key);
        return new GrpcMessageCompression(
                chosen,
                chosen == null ? null : MessageCompressors.of(chosen.request()),
                AnswerInflater.of(invoker),
                invoker.getOrDefaultFrameworkModel());
    }

    /** The {@code grpc-encoding} of requests with this value of {@link #KEY}; null without one. */
    public static @Nullable String requestEncoding(@Nullable String key) {
        return key == null ? null : ChosenEncoding.of(key).request();
    }

    /** The {@code grpc-encoding} of requests, or null. */
    public @Nullable String encoding() {
        return chosen == null ? null : chosen.request();
    }

    /** Sets what the headers of a request tell of it. */
    public void announce(Http2Headers headers) {
        if (chosen == null) {
            return;
        }
        headers.set(ENCODING, chosen.request());
        CharSequence accepted = accepted(chosen);
        if (accepted != null) {
            headers.set(ACCEPTED, accepted);
        }
    }

    /** The encodings that answers may have; null for those of {@link BoundedInflater#COMMON}. */
    static @Nullable CharSequence accepted(ChosenEncoding chosen) {
        if (chosen.dictionary() != null) {
            return chosen.dictionary() + "," + ZSTD_OR_GZIP;
        }
        return MessageCompressor.GZIP.equals(chosen.request()) ? null : ZSTD_OR_GZIP;
    }

    /** The encodings that the answer to a compressed frame may have, separated by commas. */
    public String acceptedOfFrame() {
        CharSequence accepted = accepted(Objects.requireNonNull(chosen));
        return accepted == null ? MessageCompressor.GZIP : accepted.toString();
    }

    /** The compressed message of a request, or null if it is better sent as it is. */
    public byte @Nullable [] compress(byte[] message) {
        return requests == null ? null : requests.compress(message, 0);
    }

    /**
     * The inflated message of an answer, which is to be closed once it is decoded.
     *
     * @param encoding the answer's {@code grpc-encoding}, or null
     * @param millis how long it may wait, since others are being inflated
     * @throws UnreadableAnswerException if it cannot be inflated
     */
    public InflatedMessage inflate(@Nullable String encoding, byte[] message, long millis)
            throws UnreadableAnswerException {
        if (encoding == null || !isKnown(encoding)) {
            throw new UnreadableAnswerException(
                    encoding != null && encoding.startsWith(ZstdDictionary.PREFIX)
                            ? "the message is compressed with a dictionary, and there is none"
                            : "the message is compressed, in no known encoding");
        }
        try {
            return limit.inflate(encoding, message, this::snappy, millis);
        } catch (StatusRpcException e) {
            throw e.getStatus().cause instanceof UnreadableAnswerException full
                    ? full
                    : new UnreadableAnswerException(String.valueOf(e.getMessage()), e);
        } catch (IOException e) {
            throw new UnreadableAnswerException(String.valueOf(e.getMessage()), e);
        } catch (RuntimeException | LinkageError e) { // of a library
            throw new UnreadableAnswerException(e.toString(), e);
        }
    }

    private byte[] snappy(byte[] message) {
        return DeCompressor.getCompressor(framework, BoundedInflater.SNAPPY).decompress(message);
    }

    /** A peer must not choose the dictionary of another island. */
    private boolean isKnown(String encoding) {
        return encoding.startsWith(ZstdDictionary.PREFIX)
                ? chosen != null && encoding.equals(chosen.dictionary())
                : BoundedInflater.ENCODINGS.contains(encoding);
    }
}
