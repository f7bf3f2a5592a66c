// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways.springcloud;

import io.netty.channel.ConnectTimeoutException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.web.reactive.error.ErrorWebExceptionHandler;
import org.springframework.cloud.gateway.route.Route;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Answers calls of the HTTP tunnel that have failed here, and states which of them were not forwarded. */
@Component
@Order(Refusals.BEFORE_ERROR_PAGES)
class Refusals implements ErrorWebExceptionHandler {

    static final int BEFORE_ERROR_PAGES = -2;

    private static final Log LOG = LogFactory.getLog(Refusals.class);

    /** The path of the HTTP tunnel; the answers to other paths are the gateway's own. */
    private static final String TUNNEL = "/highway/";

    @Override
    public Mono<Void> handle(ServerWebExchange exchange, Throwable failure) {
        ServerHttpResponse response = exchange.getResponse();
        if (response.isCommitted() // its connection is closed, which a caller understands
                || !exchange.getRequest().getPath().value().startsWith(TUNNEL)) {
            return Mono.error(failure);
        }
        String reason = notForwarded(exchange, failure);
        LOG.info(exchange.getRequest().getPath() + ": " + (reason == null ? failure : "not forwarded: " + reason));
        response.setStatusCode(HttpStatus.BAD_GATEWAY); // after the gateway's own 503 some gateways send a call again
        if (reason != null) {
            String island = String.valueOf(exchange.getRequest().getHeaders().getFirst("highway-island"));
            // A statement that a service relays from another call names another island.
            response.getHeaders().set("highway-not-forwarded", island + ";" + reason);
        }
        return response.setComplete();
    }

    /** Why the call has surely not been sent; null if it may have been. */
    private static @Nullable String notForwarded(ServerWebExchange exchange, Throwable failure) {
        Route route = exchange.getAttribute(ServerWebExchangeUtils.GATEWAY_ROUTE_ATTR);
        if (route == null) {
            return exchange.getRequest().getHeaders().containsKey("highway-island") ? "unknown-island" : "no-island";
        }
        return connects(failure) ? "upstream-unreachable " + route.getUri().getAuthority() : null;
    }

    private static boolean connects(Throwable failure) {
        return failure instanceof ConnectException
                || failure instanceof ConnectTimeoutException
                || failure instanceof UnknownHostException;
    }
}
