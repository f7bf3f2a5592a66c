// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.http.server;

import io.highway.sdk.dubbo.internal.http.HttpWire;
import io.highway.sdk.dubbo.internal.memory.MemoryBudget;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a well-formed head says. */
record HttpRequestHead(HttpRequest head) {

    private static final String HEALTH = HttpWire.PREFIX.substring(0, HttpWire.PREFIX.length() - 1);

    private static final Pattern OURS = Pattern.compile(HEALTH + "([/?].*)?");

    /** Netty takes eight bytes for the body of a request with it, which has no length. */
    private static final String KEY_OF_AN_OLD_WEB_SOCKET = "sec-websocket-key1";

    /** Checks what does not depend on the call. */
    static HttpRequestHead of(HttpRequest head) throws RequestRejectedException {
        HttpRequestHead read = new HttpRequestHead(head);
        read.check();
        return read;
    }

    private void check() throws RequestRejectedException {
        if (!OURS.matcher(head.uri()).matches()) {
            throw new RequestRejectedException(HttpResponseStatus.NOT_FOUND, "it is not below " + HEALTH);
        }
        if (one(HttpHeaderNames.HOST) == null && !isHttp10()) {
            throw new RequestRejectedException("it has no host");
        }
        String encoding = one(HttpHeaderNames.TRANSFER_ENCODING);
        if (encoding != null && (isHttp10() || !encoding.equalsIgnoreCase("chunked"))) {
            throw new RequestRejectedException("its transfer-encoding is not chunked, of HTTP/1.1");
        }
        if (head.headers().contains(KEY_OF_AN_OLD_WEB_SOCKET)) {
            throw new RequestRejectedException("it is for another protocol");
        }
        String expected = one(HttpHeaderNames.EXPECT);
        if (expected != null && !expected.equalsIgnoreCase("100-continue")) {
            throw new RequestRejectedException("it expects something else than 100-continue");
        }
    }

    /** The value of a header, or null if it is absent. */
    @Nullable
    String one(CharSequence name) throws RequestRejectedException {
        List<String> values = head.headers().getAll(name);
        if (values.size() > 1) {
            throw new RequestRejectedException("it has " + name + " twice");
        }
        return values.isEmpty() ? null : values.get(0);
    }

    boolean isHttp10() {
        return head.protocolVersion().equals(HttpVersion.HTTP_1_0);
    }

    boolean isHealthCheck() {
        boolean isRead = head.method().equals(HttpMethod.GET) || head.method().equals(HttpMethod.HEAD);
        return isRead && head.uri().equals(HEALTH) && !hasBody();
    }

    boolean hasBody() {
        return length() > 0 || head.headers().contains(HttpHeaderNames.TRANSFER_ENCODING);
    }

    /** Whether the body, as it is sent, takes no memory to speak of. */
    boolean isSmall() {
        return length() > 0 && length() <= MemoryBudget.STEP;
    }

    /** Of the body, as far as it is known. */
    long length() {
        return HttpUtil.getContentLength(head, 0L);
    }
}
