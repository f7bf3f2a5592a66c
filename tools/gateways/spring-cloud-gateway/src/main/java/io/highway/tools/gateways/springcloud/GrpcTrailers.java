// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways.springcloud;

import org.springframework.cloud.gateway.filter.headers.GRPCResponseHeadersFilter;
import org.springframework.cloud.gateway.filter.headers.HttpHeadersFilter;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.AbstractServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import reactor.netty.http.client.HttpClientResponse;
import reactor.netty.http.server.HttpServerResponse;

/**
 * Hands the trailers of a call's answer on. Without it every answer that has a body ends with {@code grpc-status: 0}: the
 * gateway's own filter looks for the status among the headers, where only an answer without a body has it.
 */
@Component
class GrpcTrailers implements HttpHeadersFilter, Ordered {

    /** Behind {@link GRPCResponseHeadersFilter}, whose trailers it replaces. */
    @Override
    public int getOrder() {
        return 1;
    }

    @Override
    public boolean supports(Type type) {
        return type == Type.RESPONSE;
    }

    @Override
    public HttpHeaders filter(HttpHeaders headers, ServerWebExchange exchange) {
        HttpClientResponse answer = exchange.getRequiredAttribute(ServerWebExchangeUtils.CLIENT_RESPONSE_ATTR);
        exchange.getResponse().getHeaders().remove(HttpHeaders.TRAILER);
        // Read when the body has been written, so they have arrived by then.
        nativeResponse(exchange.getResponse())
                .trailerHeaders(trailers -> answer.trailerHeaders().subscribe(trailers::add));
        return headers;
    }

    private static HttpServerResponse nativeResponse(ServerHttpResponse response) {
        ServerHttpResponse inner = response;
        while (inner instanceof ServerHttpResponseDecorator decorator) {
            inner = decorator.getDelegate();
        }
        return ((AbstractServerHttpResponse) inner).getNativeResponse();
    }
}
