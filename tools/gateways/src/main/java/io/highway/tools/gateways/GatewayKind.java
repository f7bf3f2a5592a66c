// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The gateways there is a star of. */
public enum GatewayKind {
    ENVOY,
    NGINX,
    HAPROXY,
    APISIX,
    /** Spring Cloud Gateway, for the HTTP tunnel only. */
    SCG,
    /** Its variant on MVC, the same. */
    SCG_MVC,
    /** Zuul 2, for the HTTP tunnel only. */
    ZUUL,
    /** EdgeService of ServiceComb, for the HTTP tunnel only. */
    EDGE,
    /** The one of {@code tools/gateway}. */
    REFERENCE;

    /** What keeps it from sending a call again. */
    public String adviceOnRetries() {
        return switch (this) {
            case ENVOY -> "no retry_policy, whose retry_on names what is sent again; of Istio, retries: {attempts: 0}";
            case NGINX -> "grpc_next_upstream off and proxy_next_upstream off, not non_idempotent";
            case HAPROXY -> "no retry-on, retries 0";
            case APISIX -> "retries: 0 in each upstream, proxy_next_upstream off";
            case SCG -> "no filter Retry";
            case SCG_MVC -> "predicates Path and Header";
            case ZUUL -> "ribbon.MaxAutoRetriesNextServer=0";
            case EDGE, REFERENCE -> "it has no setting for that";
        };
    }

    /** An address where it takes HTTP, as its files have it. */
    String listens(String host, int port) {
        return this == APISIX ? "ip: " + host + ", port: " + port : host + ":" + port;
    }

    /** As it is written on a command line. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** So that options take the word, too. */
    @Override
    public String toString() {
        return word();
    }

    /** The kind that is written so; empty if there is none. */
    public static Optional<GatewayKind> of(String word) {
        return Arrays.stream(values()).filter(kind -> kind.word().equals(word)).findFirst();
    }
}
