// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway;

import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The gateway's own gRPC replies to a Triple client. */
final class TripleReplies {
    /** Only gateways write it. */
    static final String NOT_FORWARDED = "highway-not-forwarded";

    private static final String UNAVAILABLE = "14";

    private TripleReplies() {}

    /** One frame with END_STREAM: a service that has begun to answer cannot write it. */
    static Http2HeadersFrame notForwarded(Refusal refusal, @Nullable String island) {
        String statement = refusal.statement(island);
        Http2Headers trailers = responseHead()
                .set("grpc-status", UNAVAILABLE)
                .set("grpc-message", encode("HIGHWAY-NOT-FORWARDED: " + statement))
                .set(NOT_FORWARDED, encode(statement));
        return new DefaultHttp2HeadersFrame(trailers, true);
    }

    /** Ends a response that has begun, or is the whole response if it has not. */
    static Http2HeadersFrame connectionLost(boolean begun, Object upstream) {
        Http2Headers trailers = (begun ? new DefaultHttp2Headers() : responseHead())
                .set("grpc-status", UNAVAILABLE)
                .set(
                        "grpc-message",
                        encode("HIGHWAY-CONNECTION-LOST: " + upstream + " closed with the call in flight"));
        return new DefaultHttp2HeadersFrame(trailers, true);
    }

    private static Http2Headers responseHead() {
        return new DefaultHttp2Headers().status("200").set("content-type", "application/grpc+proto");
    }

    /** Percent-encodes what a header must not carry, as gRPC does for {@code grpc-message}. */
    static String encode(String text) {
        StringBuilder encoded = new StringBuilder(text.length());
        for (byte unit : text.getBytes(StandardCharsets.UTF_8)) {
            if (unit >= ' ' && unit <= '~' && unit != '%') {
                encoded.append((char) unit);
            } else {
                encoded.append(String.format("%%%02X", unit & 0xff));
            }
        }
        return encoded.toString();
    }
}
