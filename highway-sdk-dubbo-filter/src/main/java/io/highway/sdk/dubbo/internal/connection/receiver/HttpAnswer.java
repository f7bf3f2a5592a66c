// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.receiver;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.highway.sdk.dubbo.internal.connection.http.HttpWire;
import io.highway.sdk.dubbo.internal.evidence.Statements;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpResponseStatus;
import org.jspecify.annotations.Nullable;

/**
 * The answer to one request. To a POST it is 200, or 400 and 413: gateways and clients send it again after a 429 or 5xx.
 *
 * @param refusal the statement that the call was refused, or null
 * @param body a frame, a text, or nothing; given away
 */
record HttpAnswer(HttpResponseStatus status, @Nullable String refusal, ByteBuf body) {

    static final ByteBuf CONTINUE =
            Unpooled.unreleasableBuffer(Unpooled.copiedBuffer("HTTP/1.1 100 Continue\r\n\r\n", US_ASCII));

    static HttpAnswer frame(ByteBuf frame) {
        return new HttpAnswer(HttpResponseStatus.OK, null, frame);
    }

    /** The call has no answer of its own. */
    static HttpAnswer accepted() {
        return frame(Unpooled.EMPTY_BUFFER);
    }

    static HttpAnswer refused(String island, String reason) {
        return new HttpAnswer(HttpResponseStatus.OK, Statements.ascii(island + ";" + reason), Unpooled.EMPTY_BUFFER);
    }

    static HttpAnswer malformed(MalformedRequestException problem) {
        return new HttpAnswer(
                problem.status(),
                null,
                Unpooled.copiedBuffer("highway: not run: " + problem.getMessage() + "\n", US_ASCII));
    }

    static HttpAnswer health(boolean isDraining) {
        return new HttpAnswer(
                isDraining ? HttpResponseStatus.SERVICE_UNAVAILABLE : HttpResponseStatus.NO_CONTENT,
                null,
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
        if (refusal != null) {
            head.append(Statements.REFUSED).append(": ").append(refusal).append("\r\n");
        }
        if (!isPersistent || isHttp10) {
            head.append("connection: ")
                    .append(isPersistent ? "keep-alive" : "close")
                    .append("\r\n");
        }
        return Unpooled.wrappedBuffer(Unpooled.copiedBuffer(head.append("\r\n"), US_ASCII), body);
    }
}
