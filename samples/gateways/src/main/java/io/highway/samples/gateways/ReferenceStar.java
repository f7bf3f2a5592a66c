// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.gateways;

import io.highway.samples.support.Processes;
import io.highway.testsupport.certificates.Identity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A star of the gateway in {@code samples/gateway}: one address for both protocols and all islands. */
final class ReferenceStar implements GatewayStar {

    private static final int PATIENCE_SECONDS = 10;

    private final Processes processes;
    private final Path folder;
    private final String home;
    private final int port;
    private final Entrance entrance;
    private final Certificates certificates;
    private int replaced;

    ReferenceStar(Processes processes, Path folder, String home, List<Island> islands) throws IOException {
        this.processes = processes;
        this.folder = Files.createDirectories(folder.toAbsolutePath());
        this.home = home;
        List<Map<String, String>> atHub = new ArrayList<>();
        List<Map<String, String>> atHome = new ArrayList<>();
        for (Island island : islands) {
            Map<String, String> values = listening(20990);
            values.put("sms.shanghai.test:20880", local(island.dubboPort()));
            values.put("sms.shanghai.test:50051", local(island.triplePort()));
            values.put("shanghai", island.id());
            if (!island.guarded()) {
                values.put("# guarded: false", "guarded: false");
            }
            int far = start(island.id(), "shanghai", values, List.of());
            Map<String, String> route = new LinkedHashMap<>();
            route.put("gateway.shanghai.test:20990", local(far));
            route.put("shanghai", island.id());
            atHub.add(route);
            atHome.add(Map.of("shanghai", island.id()));
        }
        int hub = start("hub", "hub", listening(20990), atHub);
        Map<String, String> values = listening(20880);
        values.put("gateway.hub.test:20990", local(hub));
        port = start(home, "zhejiang", values, atHome);

        Trust trust = new Trust(this.folder.resolve("certificates"));
        Identity shown = trust.gateway(home);
        Map<String, String> secured = listening(20881);
        secured.put("gateway.hub.test:20990", local(hub));
        secured.put("/etc/highway/tls/gateway.crt", shown.certificate().toString());
        secured.put("/etc/highway/tls/gateway.key", shown.privateKey().toString());
        secured.put("/etc/highway/tls/ca.crt", trust.authority().toString());
        int tls = start(home + "-tls", "zhejiang-tls", secured, atHome);
        entrance = new Entrance(entrance(port), Optional.of(entrance(tls)));
        certificates = trust.certificates();
    }

    private String entrance(int at) {
        return "gateway." + home + ".test:" + at;
    }

    /** It listens on a port of the system, and reports it. */
    private static Map<String, String> listening(int usual) {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("0.0.0.0:" + usual, local(0));
        return values;
    }

    private static String local(int port) {
        return "127.0.0.1:" + port;
    }

    private int start(String place, String file, Map<String, String> values, List<Map<String, String>> islands)
            throws IOException {
        Path rendered = folder.resolve(place + "-gateway.yaml");
        Template.of("reference/" + file + ".yaml").write(rendered, values, islands);
        return start(place + "-gateway", Files.readString(rendered));
    }

    private int start(String name, String yaml) throws IOException {
        processes.startGateway(name, yaml);
        return Integer.parseInt(processes.ready(name));
    }

    @Override
    public String version() {
        return "reference gateway";
    }

    @Override
    public Optional<Entrance> dubbo(String island) {
        return Optional.of(entrance);
    }

    @Override
    public Optional<Entrance> triple(String island) {
        return Optional.of(entrance);
    }

    @Override
    public Optional<Certificates> certificates() {
        return Optional.of(certificates);
    }

    /** It drains and ends; only then another can have its port. */
    @Override
    public void replaceHome() throws IOException {
        String old = homeProcess();
        processes.signal(old, "TERM");
        processes.awaitEnd(old, PATIENCE_SECONDS);
        replaced++;
        String yaml = Files.readString(folder.resolve(home + "-gateway.yaml"));
        start(homeProcess(), yaml.replace(local(0), local(port)));
    }

    private String homeProcess() {
        return home + "-gateway" + (replaced == 0 ? "" : "." + (replaced + 1));
    }
}
