// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.gateways;

import io.highway.samples.certificates.Identity;
import io.highway.samples.processes.Processes;
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
    private final int port = Processes.freePort();
    private final Entrance entrance;
    private final Certificates certificates;
    private int replaced;

    ReferenceStar(Processes processes, Path folder, String home, List<Island> islands) throws IOException {
        this.processes = processes;
        this.folder = Files.createDirectories(folder.toAbsolutePath());
        this.home = home;
        int tls = Processes.freePort();
        this.entrance = new Entrance(entrance(port), Optional.of(entrance(tls)));
        int hub = Processes.freePort();
        List<Map<String, String>> atHub = new ArrayList<>();
        List<Map<String, String>> atHome = new ArrayList<>();
        for (Island island : islands) {
            int far = Processes.freePort();
            Map<String, String> values = listening(20990, far);
            values.put("sms.shanghai.test:20880", local(island.dubboPort()));
            values.put("sms.shanghai.test:50051", local(island.triplePort()));
            values.put("shanghai", island.id());
            start(island.id(), "shanghai", values, List.of());
            Map<String, String> way = new LinkedHashMap<>();
            way.put("gateway.shanghai.test:20990", local(far));
            way.put("shanghai", island.id());
            atHub.add(way);
            atHome.add(Map.of("shanghai", island.id()));
        }
        start("hub", "hub", listening(20990, hub), atHub);
        Map<String, String> values = listening(20880, port);
        values.put("gateway.hub.test:20990", local(hub));
        start(home, "zhejiang", values, atHome);

        Trust trust = new Trust(this.folder.resolve("certificates"));
        Identity shown = trust.gateway(home);
        Map<String, String> secured = listening(20881, tls);
        secured.put("gateway.hub.test:20990", local(hub));
        secured.put("/etc/highway/tls/gateway.crt", shown.certificate().toString());
        secured.put("/etc/highway/tls/gateway.key", shown.privateKey().toString());
        secured.put("/etc/highway/tls/ca.crt", trust.authority().toString());
        start(home + "-tls", "zhejiang-tls", secured, atHome);
        certificates = trust.certificates();
    }

    private String entrance(int at) {
        return "gateway." + home + ".test:" + at;
    }

    private static Map<String, String> listening(int usual, int port) {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("0.0.0.0:" + usual, local(port));
        return values;
    }

    private static String local(int port) {
        return "127.0.0.1:" + port;
    }

    private void start(String place, String file, Map<String, String> values, List<Map<String, String>> islands)
            throws IOException {
        Path rendered = folder.resolve(place + "-gateway.yaml");
        Template.of("reference/" + file + ".yaml").write(rendered, values, islands);
        start(place + "-gateway", rendered);
    }

    private void start(String name, Path rendered) throws IOException {
        processes.startGateway(name, Files.readString(rendered));
        processes.ready(name);
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
        start(homeProcess(), folder.resolve(home + "-gateway.yaml"));
    }

    private String homeProcess() {
        return home + "-gateway" + (replaced == 0 ? "" : "." + (replaced + 1));
    }
}
