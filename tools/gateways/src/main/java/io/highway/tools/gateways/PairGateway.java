// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways;

import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.processes.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
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
            case NGINX -> nginx();
            case HAPROXY -> haproxy();
            case ENVOY -> envoy();
            case SCG, SCG_MVC, ZUUL, EDGE -> module();
            case REFERENCE -> reference();
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

    private void nginx() throws IOException {
        Map<String, String> values = connections();
        values.put(
                "server " + PROVIDER + "; # with two or more servers each needs max_fails=0",
                "server " + Template.local(one) + " max_fails=0; server " + Template.local(other) + " max_fails=0;");
        values.put(PROVIDER, Template.local(one));
        values.put("0.0.0.0:50051", Template.local(FreePorts.next()));
        values.put("0.0.0.0:8080", Template.local(http));
        values.put("\nhttp {", "\nhttp {\n    access_log off;\n    client_body_temp_path " + folder + "/body;");
        if (resends) {
            values.put("proxy_next_upstream off;", "proxy_next_upstream error timeout http_503 non_idempotent;");
            values.put("proxy_request_buffering off;", "");
        }
        String settings = "daemon off; pid " + folder + "/nginx.pid; error_log stderr;";
        String file = write("nginx/minimal.conf", values);
        start(Program.find("nginx", "").with("-e", "stderr", "-g", settings, "-c", file));
    }

    private void haproxy() throws IOException {
        Map<String, String> values = connections();
        values.put(
                "server sms " + PROVIDER + "\n",
                "server one " + Template.local(one) + "\n    server other " + Template.local(other) + "\n");
        values.put(PROVIDER, Template.local(one));
        values.put("0.0.0.0:50051", Template.local(http));
        if (resends) {
            values.put("retries 0", "retries 3\n    option redispatch 1\n    retry-on all-retryable-errors");
        }
        start(Program.find("haproxy", "").with("-db", "-f", write("haproxy/minimal.cfg", values)));
    }

    /** What no case looks at. */
    private static Map<String, String> connections() {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("0.0.0.0:20881", Template.local(FreePorts.next()));
        values.put("0.0.0.0:20882", Template.local(FreePorts.next()));
        values.put("sms.shanghai.test:20880", Template.local(FreePorts.next()));
        values.put("sms.shanghai.test:50051", Template.local(FreePorts.next()));
        values.put("sms.beijing.test", "127.0.0.1");
        return values;
    }

    private void envoy() throws IOException {
        Map<String, String> values = new LinkedHashMap<>();
        String endpoint = "- endpoint: {address: {socket_address: {%s}}}";
        values.put(
                endpoint.formatted(ENVOY_PROVIDER),
                endpoint.formatted(Template.envoyAddress(one)) + "\n              "
                        + endpoint.formatted(Template.envoyAddress(other)));
        values.put("address: 0.0.0.0, port_value: 20880", Template.envoyAddress(FreePorts.next()));
        values.put("address: 0.0.0.0, port_value: 50051", Template.envoyAddress(http));
        values.put("address: sms.shanghai.test", "address: 127.0.0.1");
        values.put("address: sms.beijing.test", "address: 127.0.0.1");
        if (resends) {
            String route = "{cluster: shanghai-http, timeout: 0s";
            values.put(route, route + ", retry_policy: {retry_on: \"5xx,reset\", num_retries: 1}");
        }
        start(Program.envoy()
                .with("-c", write("envoy/minimal.yaml", values), "--log-level", "warning", "--use-dynamic-base-id"));
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
        start(HttpGateway.of(kind, folder).command(resends ? settings : List.of(), http, providers));
    }

    private void reference() throws IOException {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("\"" + PROVIDER + "\"", "\"" + Template.local(one) + "\", \"" + Template.local(other) + "\"");
        values.put("0.0.0.0:20880", Template.local(http));
        processes.startGateway(name(), Files.readString(Path.of(write("reference/minimal.yaml", values))));
        processes.ready(name());
    }

    private String write(String configuration, Map<String, String> values) throws IOException {
        Path file = folder.resolve(Path.of(configuration).getFileName());
        return Template.of(configuration).write(file, values, List.of()).toString();
    }

    private void start(List<String> command) {
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
