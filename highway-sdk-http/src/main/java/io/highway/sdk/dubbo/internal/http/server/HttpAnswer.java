// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.http.server;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.highway.sdk.dubbo.internal.evidence.NotSentStatements;
import io.highway.sdk.dubbo.internal.http.HttpWire;
import io.highway.sdk.dubbo.internal.network.compression.AnswerCompressor;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.AsciiString;
import org.jspecify.annotations.Nullable;

/**
 * The answer to one request. To a POST it is 200, or 400 and 413: gateways and clients send it again after a 429 or 5xx.
 *
 * @param message given away
 * @param isAcceptance whether the call runs after this answer
 */
record HttpAnswer(FullHttpResponse message, boolean isAcceptance) {

    /** As small as the caller can read it. */
    static HttpAnswer frame(ByteBuf frame, BodyEncodings encodings) {
        AnswerCompressor.Encoded encoded = encoded(frame, encodings);
        HttpAnswer answer = of(HttpResponseStatus.OK, encoded == null ? frame : encoded.body());
        answer.message.headers().set(HttpWire.ACCEPT_ENCODING, encodings.advertised());
        if (encoded != null) {
            frame.release();
            answer.message.headers().set(HttpWire.ENCODING, encoded.encoding());
        }
        return answer;
    }

    /** Null if it is not worth it, or fails: the caller must have an answer. */
    private static AnswerCompressor.@Nullable Encoded encoded(ByteBuf frame, BodyEncodings encodings) {
        try {
            return AnswerCompressor.encode(encodings.accepted(), encodings.dictionary(), frame);
        } catch (RuntimeException | LinkageError | OutOfMemoryError e) {
            return null;
        }
    }

    /** The call has no Dubbo answer. */
    static HttpAnswer accepted() {
        return new HttpAnswer(of(HttpResponseStatus.OK, Unpooled.EMPTY_BUFFER).message, true);
    }

    static HttpAnswer refused(String island, String reason) {
        HttpAnswer answer = of(HttpResponseStatus.OK, Unpooled.EMPTY_BUFFER);
        answer.message.headers().set(NotSentStatements.REFUSED, NotSentStatements.ascii(island + ";" + reason));
        return answer;
    }

    static HttpAnswer malformed(RequestRejectedException problem) {
        return of(
                problem.status(), Unpooled.copiedBuffer("highway: not run: " + problem.getMessage() + "\n", US_ASCII));
    }

    static HttpAnswer health(boolean isDraining) {
        return of(
                isDraining ? HttpResponseStatus.SERVICE_UNAVAILABLE : HttpResponseStatus.NO_CONTENT,
                Unpooled.EMPTY_BUFFER);
    }

    /** The peer may send the body. */
    static FullHttpResponse toContinue() {
        return new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE, Unpooled.EMPTY_BUFFER);
    }

    private static HttpAnswer of(HttpResponseStatus status, ByteBuf body) {
        FullHttpResponse message = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, body);
        if (!status.equals(HttpResponseStatus.NO_CONTENT)) {
            message.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes());
        }
        if (body.isReadable()) {
            boolean isFrame = status.equals(HttpResponseStatus.OK);
            message.headers().set(HttpHeaderNames.CONTENT_TYPE, isFrame ? HttpWire.CONTENT_TYPE : "text/plain");
        }
        return new HttpAnswer(message, false);
    }

    /** Whether the connection stays, for a request of HTTP/1.1 or 1.0. */
    FullHttpResponse message(boolean isPersistent, boolean isHttp10) {
        if (!isPersistent || isHttp10) {
            AsciiString stays = isPersistent ? HttpHeaderValues.KEEP_ALIVE : HttpHeaderValues.CLOSE;
            message.headers().set(HttpHeaderNames.CONNECTION, stays);
        }
        return message;
    }

    /** It is not written. */
    void release() {
        message.release();
    }
}
