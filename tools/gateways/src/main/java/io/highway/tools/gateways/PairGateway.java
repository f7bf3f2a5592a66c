// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways;

import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.processes.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A gateway with its smallest configuration in front of two servers of shanghai, for the HTTP tunnel: where a gateway that sends
 * a call again has another server to send it to. Spring Cloud Gateway has one server, since its routes have no list.
 */
public final class PairGateway {

    private static final String PROVIDER = "sms.shanghai.test:8080";
    private static final String ENVOY_PROVIDER = "address: sms.shanghai.test, port_value: 8080";
    private static final String SCG_FILTER = "--spring.cloud.gateway.server.webflux.default-filters[0].";

    private final GatewayKind kind;
    private final Processes processes;
    private final Path folder;
    private final int one;
    private final int other;
    private final boolean resends;
    private final int http = FreePorts.next();

    private PairGateway(GatewayKind kind, Processes processes, Path folder, int one, int other, boolean resends)
            throws IOException {
        this.kind = kind;
        this.processes = processes;
        this.folder = Files.createDirectories(folder.toAbsolutePath());
        this.one = one;
        this.other = other;
        this.resends = resends;
        switch (kind) {
            case ENVOY, NGINX, HAPROXY, REFERENCE ->
                // no case looks at the other providers
                setup().replace("sms.shanghai.test", "127.0.0.1")
                        .replace("sms.beijing.test", "127.0.0.1")
                        .start(processes, name(), "minimal", List.of(http), List.of());
            case SCG, SCG_MVC, ZUUL, EDGE -> module();
        }
    }

    /**
     * Starts it and returns when it takes calls.
     *
     * @param one the port of a server
     * @param other that of the other
     * @param resends with the setting that its {@link #advice} is against
     */
    public static PairGateway start(
            GatewayKind kind, Processes processes, Path folder, int one, int other, boolean resends)
            throws IOException {
        return new PairGateway(kind, processes, folder, one, other, resends);
    }

    /** What keeps this gateway from sending a call twice. */
    public String advice() {
        return switch (kind) {
            case NGINX -> "proxy_next_upstream off, not non_idempotent";
            case HAPROXY -> "no retry-on, retries 0";
            case ENVOY -> "no retry_policy";
            case SCG -> "no filter Retry";
            case SCG_MVC -> "predicates Path and Header";
            case ZUUL -> "ribbon.MaxAutoRetriesNextServer=0";
            case EDGE, REFERENCE -> "it has no setting for that";
        };
    }

    private GatewaySetup setup() throws IOException {
        GatewaySetup setup = new GatewaySetup(kind, folder);
        String first = Template.local(one);
        String second = Template.local(other);
        if (kind == GatewayKind.NGINX || kind == GatewayKind.HAPROXY) {
            setup.address("0.0.0.0:20881", FreePorts.next()).address("0.0.0.0:20882", FreePorts.next());
        }
        switch (kind) {
            case NGINX -> {
                setup.replace(
                                "server " + PROVIDER + "; # with two or more servers each needs max_fails=0",
                                "server " + first + " max_fails=0; server " + second + " max_fails=0;")
                        .address("0.0.0.0:50051", FreePorts.next())
                        .address("0.0.0.0:8080", http);
                if (resends) {
                    setup.replace(
                                    "proxy_next_upstream off;",
                                    "proxy_next_upstream error timeout http_503 non_idempotent;")
                            .replace("proxy_request_buffering off;", "");
                }
            }
            case HAPROXY -> {
                setup.replace(
                                "server sms " + PROVIDER + "\n",
                                "server one " + first + "\n    server other " + second + "\n")
                        .address("0.0.0.0:50051", http);
                if (resends) {
                    setup.replace("retries 0", "option http-buffer-request\n    retry-on all-retryable-errors");
                }
            }
            case ENVOY -> {
                String endpoint = "- endpoint: {address: {socket_address: {%s}}}";
                setup.replace(
                                endpoint.formatted(ENVOY_PROVIDER),
                                endpoint.formatted(Template.envoyAddress(one)) + "\n              "
                                        + endpoint.formatted(Template.envoyAddress(other)))
                        .address("0.0.0.0:20880", FreePorts.next())
                        .address("0.0.0.0:50051", http);
                if (resends) {
                    String route = "{cluster: shanghai-http, timeout: 0s";
                    setup.replace(route, route + ", retry_policy: {retry_on: \"5xx,reset\", num_retries: 1}");
                }
            }
            default ->
                setup.replace("\"" + PROVIDER + "\"", "\"" + first + "\", \"" + second + "\"")
                        .address("0.0.0.0:20880", http);
        }
        return setup;
    }

    private void module() {
        List<String> settings =
                switch (kind) {
                    case SCG ->
                        List.of(
                                SCG_FILTER + "name=Retry",
                                SCG_FILTER + "args.retries=1",
                                SCG_FILTER + "args.methods=POST");
                    case SCG_MVC -> List.of("--routed=/**");
                    case ZUUL -> List.of("-Dribbon.MaxAutoRetriesNextServer=1");
                    default -> List.of();
                };
        Map<String, List<Integer>> providers = Map.of("shanghai", List.of(one, other));
        List<String> command = HttpGateway.of(kind, folder).command(resends ? settings : List.of(), http, providers);
        processes.startProgram(name(), command, List.of(http));
    }

    private String name() {
        return "pair-" + kind.word() + (resends ? "-resends" : "");
    }

    /** Where it takes calls, {@code host:port}. */
    public String http() {
        return "gateway.zhejiang.test:" + http;
    }
}
