// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.receiver;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.highway.sdk.dubbo.internal.compression.AnswerEncodings;
import io.highway.sdk.dubbo.internal.connection.http.HttpWire;
import io.highway.sdk.dubbo.internal.evidence.Statements;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpResponseStatus;
import org.jspecify.annotations.Nullable;

/**
 * The answer to one request. To a POST it is 200, or 400 and 413: gateways and clients send it again after a 429 or 5xx.
 *
 * @param headers more header lines
 * @param body a frame, a text, or nothing; given away
 */
record HttpAnswer(HttpResponseStatus status, String headers, ByteBuf body) {

    static final ByteBuf CONTINUE =
            Unpooled.unreleasableBuffer(Unpooled.copiedBuffer("HTTP/1.1 100 Continue\r\n\r\n", US_ASCII));

    /** As small as the caller can read it. */
    static HttpAnswer frame(ByteBuf frame, BodyEncodings encodings) {
        AnswerEncodings.Encoded encoded = encoded(frame, encodings);
        if (encoded == null) {
            return new HttpAnswer(HttpResponseStatus.OK, encodings.advertised(), frame);
        }
        frame.release();
        return new HttpAnswer(
                HttpResponseStatus.OK,
                encodings.advertised() + HttpWire.ENCODING + ": " + encoded.encoding() + "\r\n",
                encoded.body());
    }

    /** Null if it is not worth it, or fails: the caller must have an answer. */
    private static AnswerEncodings.@Nullable Encoded encoded(ByteBuf frame, BodyEncodings encodings) {
        try {
            return AnswerEncodings.encode(encodings.accepted(), encodings.dictionary(), frame);
        } catch (RuntimeException | LinkageError | OutOfMemoryError e) {
            return null;
        }
    }

    /** The call has no answer of its own. */
    static HttpAnswer accepted() {
        return new HttpAnswer(HttpResponseStatus.OK, "", Unpooled.EMPTY_BUFFER);
    }

    /** Whether the call runs after this answer. */
    boolean isAcceptance() {
        return status.equals(HttpResponseStatus.OK) && headers.isEmpty() && !body.isReadable();
    }

    static HttpAnswer refused(String island, String reason) {
        String statement = Statements.REFUSED + ": " + Statements.ascii(island + ";" + reason) + "\r\n";
        return new HttpAnswer(HttpResponseStatus.OK, statement, Unpooled.EMPTY_BUFFER);
    }

    static HttpAnswer malformed(MalformedRequestException problem) {
        return new HttpAnswer(
                problem.status(),
                "",
                Unpooled.copiedBuffer("highway: not run: " + problem.getMessage() + "\n", US_ASCII));
    }

    static HttpAnswer health(boolean isDraining) {
        return new HttpAnswer(
                isDraining ? HttpResponseStatus.SERVICE_UNAVAILABLE : HttpResponseStatus.NO_CONTENT,
                "",
                Unpooled.EMPTY_BUFFER);
    }

    /** Whether the connection stays, for a request of HTTP/1.1 or 1.0. */
    ByteBuf encode(boolean isPersistent, boolean isHttp10) {
        StringBuilder head = new StringBuilder("HTTP/1.1 ").append(status).append("\r\n");
        if (!status.equals(HttpResponseStatus.NO_CONTENT)) {
            head.append("content-length: ").append(body.readableBytes()).append("\r\n");
        }
        if (body.isReadable()) {
            String type = status.equals(HttpResponseStatus.OK) ? HttpWire.CONTENT_TYPE : "text/plain";
            head.append("content-type: ").append(type).append("\r\n");
        }
        head.append(headers);
        if (!isPersistent || isHttp10) {
            head.append("connection: ")
                    .append(isPersistent ? "keep-alive" : "close")
                    .append("\r\n");
        }
        return Unpooled.wrappedBuffer(Unpooled.copiedBuffer(head.append("\r\n"), US_ASCII), body);
    }
}
