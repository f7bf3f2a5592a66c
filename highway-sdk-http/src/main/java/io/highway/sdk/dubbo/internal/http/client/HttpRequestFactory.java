// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.http.client;

import io.highway.sdk.HighwayAttachments;
import io.highway.sdk.dubbo.internal.http.HttpWire;
import io.highway.sdk.dubbo.internal.http.RequestPath;
import io.highway.sdk.dubbo.internal.network.frame.EncodedFrame;
import io.highway.sdk.dubbo.internal.network.frame.FrameCall;
import io.highway.sdk.dubbo.internal.network.frame.RequestFrame;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import org.apache.dubbo.common.constants.CommonConstants;
import org.jspecify.annotations.Nullable;

/** Makes a POST of HTTP/1.1 of a call's frame, with its route headers. */
final class HttpRequestFactory {

    private static final HexFormat HEX = HexFormat.of();
    private static final int CALL_ID_BYTES = 16;

    /** A peer that could predict the id of a call could have it refused as repeated. */
    private static final SecureRandom RANDOM = new SecureRandom();

    private HttpRequestFactory() {}

    /**
     * The request of a call, with the time that is left now.
     *
     * @param host the gateway's name and port
     */
    static FullHttpRequest of(FrameCall call, String host) {
        RequestFrame request = call.request();
        EncodedFrame body = call.body();
        Map<String, Object> attachments = request.attachments();
        String path = new RequestPath(
                        String.valueOf(attachments.get(HighwayAttachments.ISLAND)),
                        request.service(),
                        request.call().getMethodName())
                .text();
        FullHttpRequest message = new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, path, body.bytes());
        HttpHeaders headers = message.headers()
                .set(HttpHeaderNames.HOST, host)
                .set(HttpHeaderNames.CONTENT_TYPE, HttpWire.CONTENT_TYPE)
                .setInt(HttpHeaderNames.CONTENT_LENGTH, body.bytes().readableBytes());
        set(HighwayAttachments.ISLAND, attachments.get(HighwayAttachments.ISLAND), headers);
        set(HighwayAttachments.FROM, attachments.get(HighwayAttachments.FROM), headers);
        set(HttpWire.GROUP, attachments.get(CommonConstants.GROUP_KEY), headers);
        headers.set(HttpWire.VERSION, request.version());
        Object signature = attachments.get(HighwayAttachments.SIGN);
        set(HighwayAttachments.SIGN, signature, headers);
        set(HttpWire.CALL_ID, signature == null ? callId() : null, headers);
        set(HttpWire.ACCEPT_ENCODING, body.accepted(), headers);
        set(HttpWire.ENCODING, body.encoding(), headers);
        headers.set(HttpWire.TIMEOUT, Math.max(1, call.time().left()));
        return message;
    }

    private static void set(String header, @Nullable Object value, HttpHeaders headers) {
        if (value != null) {
            headers.set(header, value);
        }
    }

    private static String callId() {
        byte[] id = new byte[CALL_ID_BYTES];
        RANDOM.nextBytes(id);
        return HEX.formatHex(id);
    }
}
