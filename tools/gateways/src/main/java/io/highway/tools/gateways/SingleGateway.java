// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways;

import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.processes.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The minimum instead of a star: home's gateway, with its minimal configuration, in front of one island. */
final class SingleGateway implements GatewayStar {

    private static final String SHANGHAI = "shanghai";
    private static final String CLOSED = "127.0.0.1:9";

    private final Processes processes;
    private final Path folder;
    private final String home;
    private final int dubboProvider;
    private final int tripleProvider;
    private final int httpProvider;
    private final int dubbo;
    private final int triple;
    private final int http = FreePorts.next();
    private final List<String> arguments;
    private final Started started;

    /** A gateway that accepts calls; without a port it does not carry the tunnel. */
    private record Started(String version, Optional<Integer> dubbo, Optional<Integer> triple, Optional<Integer> http) {}

    SingleGateway(
            GatewayKind kind,
            Processes processes,
            Path folder,
            String home,
            Island island,
            int dubbo,
            int triple,
            List<String> arguments)
            throws IOException {
        if (!island.id().equals(SHANGHAI)) {
            throw new IllegalArgumentException(
                    "the configurations have a provider in " + SHANGHAI + ", none in " + island);
        }
        this.processes = processes;
        this.folder = Files.createDirectories(folder.toAbsolutePath());
        this.home = home;
        this.dubbo = dubbo;
        this.triple = triple;
        this.arguments = arguments;
        this.dubboProvider = island.dubboPort();
        this.tripleProvider = island.triplePort();
        this.httpProvider = island.httpPort();
        this.started = switch (kind) {
            case ENVOY -> envoy();
            case NGINX -> nginx();
            case HAPROXY -> haproxy();
            case SCG -> springCloud();
            case SCG_MVC, ZUUL, EDGE -> overHttp(HttpGateway.of(kind, this.folder));
            case REFERENCE -> reference();
        };
    }

    private Started envoy() throws IOException {
        Program envoy = Program.envoy();
        Map<String, String> values = new LinkedHashMap<>();
        values.put("address: 0.0.0.0, port_value: 20880", Template.envoyAddress(dubbo));
        values.put("address: 0.0.0.0, port_value: 50051", Template.envoyAddress(triple));
        values.put("address: sms.shanghai.test, port_value: 20880", Template.envoyAddress(dubboProvider));
        values.put("address: sms.shanghai.test, port_value: 50051", Template.envoyAddress(tripleProvider));
        values.put("address: sms.shanghai.test, port_value: 8080", Template.envoyAddress(httpProvider));
        values.put("address: sms.beijing.test", "address: 127.0.0.1");
        Path file = write("envoy/minimal.yaml", values);
        return start(
                "Envoy " + envoy.version("--version"),
                envoy.with("-c", file.toString(), "--log-level", "warning", "--use-dynamic-base-id"));
    }

    private Started nginx() throws IOException {
        Program nginx = Program.find("nginx", "");
        Map<String, String> values = connections();
        values.put("0.0.0.0:8080", Template.local(http));
        values.put("\nhttp {", "\nhttp {\n    access_log off;\n    client_body_temp_path " + folder + "/body;");
        Path file = write("nginx/minimal.conf", values);
        String settings = "daemon off; worker_processes auto; pid " + folder + "/nginx.pid; error_log stderr;";
        Started started = start(
                "nginx " + nginx.version("-v"), nginx.with("-e", "stderr", "-g", settings, "-c", file.toString()));
        return new Started(started.version, started.dubbo, started.triple, Optional.of(http));
    }

    private Started haproxy() throws IOException {
        Program haproxy = Program.find("haproxy", "");
        Path file = write("haproxy/minimal.cfg", connections());
        return start("HAProxy " + haproxy.version("-v"), haproxy.with("-db", "-f", file.toString()));
    }

    /** Of gateways that cannot read attachments: a port per island for Dubbo frames. */
    private Map<String, String> connections() {
        Map<String, String> values = providers();
        values.put("0.0.0.0:20881", Template.local(dubbo));
        values.put("0.0.0.0:20882", Template.local(FreePorts.next()));
        values.put("0.0.0.0:50051", Template.local(triple));
        return values;
    }

    private Map<String, String> providers() {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("sms.shanghai.test:20880", Template.local(dubboProvider));
        values.put("sms.shanghai.test:50051", Template.local(tripleProvider));
        values.put("sms.shanghai.test:8080", Template.local(httpProvider));
        values.put("sms.beijing.test:20880", CLOSED);
        values.put("sms.beijing.test:50051", CLOSED);
        values.put("sms.beijing.test:8080", CLOSED);
        return values;
    }

    private Started springCloud() throws IOException {
        SpringCloud springCloud = SpringCloud.webFlux(folder);
        List<String> command =
                springCloud.with("application.yml", triple, List.of(SpringCloud.to(SHANGHAI, tripleProvider)));
        processes.startProgram(name(), command, List.of(triple));
        List<String> forHttp = springCloud.command(List.of(), http, Map.of(SHANGHAI, List.of(httpProvider)));
        processes.startProgram(name() + "-http", forHttp, List.of(http));
        return new Started(springCloud.version(), Optional.empty(), Optional.of(triple), Optional.of(http));
    }

    private Started overHttp(HttpGateway gateway) throws IOException {
        List<String> command = gateway.command(arguments, http, Map.of(SHANGHAI, List.of(httpProvider)));
        processes.startProgram(name(), command, List.of(http));
        return new Started(gateway.version(), Optional.empty(), Optional.empty(), Optional.of(http));
    }

    private Started reference() throws IOException {
        Map<String, String> values = providers();
        values.put("0.0.0.0:20880", Template.local(dubbo));
        processes.startGateway(name(), Files.readString(write("reference/minimal.yaml", values)));
        processes.ready(name());
        return new Started("reference gateway", Optional.of(dubbo), Optional.of(dubbo), Optional.of(dubbo));
    }

    private Started start(String version, List<String> command) {
        List<String> whole = new ArrayList<>(command);
        whole.addAll(arguments);
        processes.startProgram(name(), whole, List.of(dubbo, triple));
        return new Started(version, Optional.of(dubbo), Optional.of(triple), Optional.of(triple));
    }

    private Path write(String configuration, Map<String, String> values) throws IOException {
        Path file = folder.resolve(Path.of(configuration).getFileName());
        return Template.of(configuration).write(file, values, List.of());
    }

    private String name() {
        return home + "-gateway";
    }

    @Override
    public String version() {
        return started.version();
    }

    @Override
    public Optional<Entrance> dubbo(String island) {
        return started.dubbo().map(this::entrance);
    }

    @Override
    public Optional<Entrance> triple(String island) {
        return started.triple().map(this::entrance);
    }

    @Override
    public Optional<Entrance> http(String island) {
        return started.http().map(this::entrance);
    }

    private Entrance entrance(int port) {
        return new Entrance("gateway." + home + ".test:" + port, Optional.empty());
    }

    @Override
    public void replaceHome() {
        throw new UnsupportedOperationException("only a star can");
    }
}
