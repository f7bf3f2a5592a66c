// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/** What makes a gateway send a call again: no file that is here to be copied has it, and the conformance kit must find it. */
final class Retries {

    private static final String ENVOY_HOST = "domains: [\"*\"]\n";
    private static final int ENVOY_INDENT = 22;
    private static final String NGINX_CASES = "_next_upstream error timeout http_503 non_idempotent;";
    private static final String SCG_FILTER = "--spring.cloud.gateway.server.webflux.default-filters[0].";

    private Retries() {}

    /** Statements of its files, and what replaces them: in home's of Envoy, else in the far one. */
    static Map<String, String> statements(GatewayKind kind) throws IOException {
        return switch (kind) {
            case ENVOY ->
                Map.of(
                        ENVOY_HOST,
                        ENVOY_HOST
                                + Template.of("envoy/istio-retries.yaml")
                                        .toString()
                                        .indent(ENVOY_INDENT));
            case NGINX ->
                Map.of(
                        "grpc_next_upstream off;", "grpc" + NGINX_CASES,
                        "proxy_next_upstream off;", "proxy" + NGINX_CASES,
                        "proxy_request_buffering off;", "");
            case HAPROXY -> Map.of("retries 0", "option http-buffer-request\n    retry-on all-retryable-errors");
            case APISIX, SCG, SCG_MVC, ZUUL, EDGE, REFERENCE ->
                Map.of(); // APISIX: to another node only, and there is one
        };
    }

    /** Settings of one that a module builds, for the HTTP tunnel. */
    static List<String> settings(GatewayKind kind) {
        return switch (kind) {
            case SCG ->
                List.of(SCG_FILTER + "name=Retry", SCG_FILTER + "args.retries=1", SCG_FILTER + "args.methods=POST");
            case SCG_MVC -> List.of("--routed=/**");
            case ZUUL -> List.of("-Dribbon.MaxAutoRetriesNextServer=1");
            case ENVOY, NGINX, HAPROXY, APISIX, EDGE, REFERENCE -> List.of();
        };
    }
}
