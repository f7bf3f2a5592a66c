// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.gateways;

import io.highway.samples.support.Processes;
import io.highway.testsupport.certificates.Identity;
import io.highway.testsupport.ports.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A star of nginx or HAProxy: one entrance for Triple, and one per island for the Dubbo protocol, each also with TLS. */
final class ConnectionStar implements GatewayStar {

    private static final int PATIENCE_SECONDS = 20;
    private static final int POLL_MILLIS = 20;

    private final ConnectionServer server;
    private final Processes processes;
    private final Path folder;
    private final String home;
    private final Trust trust;
    private final Certificates certificates;
    private final String version;

    private final int triple = FreePorts.next();
    private final int tripleTls = FreePorts.next();
    private final Map<String, Integer> dubbo = new LinkedHashMap<>();
    private final Map<String, Integer> dubboTls = new LinkedHashMap<>();

    ConnectionStar(ConnectionServer server, Processes processes, Path folder, String home, List<Island> islands)
            throws IOException {
        this.server = server;
        this.processes = processes;
        this.folder = Files.createDirectories(folder.toAbsolutePath());
        this.home = home;
        this.trust = new Trust(this.folder.resolve("certificates"));
        this.certificates = trust.certificates();
        this.version = server.version();
        startAll(islands);
    }

    private void startAll(List<Island> islands) throws IOException {
        int hubTriple = FreePorts.next();
        List<Map<String, String>> atHub = new ArrayList<>();
        List<Map<String, String>> atHome = new ArrayList<>();
        List<Integer> hubPorts = new ArrayList<>(List.of(hubTriple));
        List<Integer> homePorts = new ArrayList<>(List.of(triple, tripleTls));
        for (Island island : islands) {
            int farTriple = FreePorts.next();
            int farDubbo = FreePorts.next();
            startFar(island, farTriple, farDubbo);

            int hubDubbo = FreePorts.next();
            hubPorts.add(hubDubbo);
            atHub.add(values(
                    "gateway.shanghai.test:50990", local(farTriple),
                    "gateway.shanghai.test:20990", local(farDubbo),
                    "20991", String.valueOf(hubDubbo),
                    "shanghai", island.id()));

            dubbo.put(island.id(), FreePorts.next());
            dubboTls.put(island.id(), FreePorts.next());
            homePorts.add(dubbo(island));
            atHome.add(values(
                    "gateway.hub.test:20991", local(hubDubbo),
                    "0.0.0.0:20881", local(dubbo(island)),
                    "0.0.0.0:21881", local(dubboTls.getOrDefault(island.id(), 0)),
                    "shanghai", island.id()));
        }
        start("hub", "hub", values("0.0.0.0:50990", local(hubTriple), "0.0.0.0:", "127.0.0.1:"), atHub, hubPorts);
        Map<String, String> toHub = values(
                "gateway.hub.test:50990", local(hubTriple),
                "0.0.0.0:50051", local(triple),
                "0.0.0.0:50052", local(tripleTls));
        start(home, "zhejiang", toHub, atHome, homePorts);
    }

    private void startFar(Island island, int farTriple, int farDubbo) throws IOException {
        Map<String, String> values = values(
                "0.0.0.0:50990", local(farTriple),
                "0.0.0.0:20990", local(farDubbo),
                "sms.shanghai.test:50051", local(island.triplePort()),
                "sms.shanghai.test:20880", local(island.dubboPort()),
                "shanghai", island.id());
        if (!island.guarded()) {
            values.putAll(server.unguarded());
        }
        start(island.id(), "shanghai", values, List.of(), List.of(farTriple, farDubbo));
    }

    private static Map<String, String> values(String... pairs) {
        Map<String, String> values = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            values.put(pairs[i], pairs[i + 1]);
        }
        return values;
    }

    private int dubbo(Island island) {
        return dubbo.getOrDefault(island.id(), 0);
    }

    private static String local(int port) {
        return "127.0.0.1:" + port;
    }

    private void start(
            String place,
            String file,
            Map<String, String> values,
            List<Map<String, String>> islands,
            List<Integer> ports)
            throws IOException {
        Identity identity = trust.gateway(place);
        values.putAll(server.paths(trust, identity, folder + "/" + place + "-"));
        String template = server.configuration(file);
        Path rendered = folder.resolve(name(place) + template.substring(template.lastIndexOf('.')));
        Template.of(template).write(rendered, values, islands);
        server.check(rendered);
        processes.startProgram(name(place), server.command(rendered));
        for (int port : ports) {
            processes.awaitPort(name(place), port);
        }
    }

    private static String name(String place) {
        return place + "-gateway";
    }

    @Override
    public String version() {
        return version;
    }

    @Override
    public Optional<Entrance> dubbo(String island) {
        return Optional.ofNullable(dubbo.get(island))
                .map(port -> new Entrance(
                        entrance(port),
                        Optional.ofNullable(dubboTls.get(island)).map(this::entrance)));
    }

    @Override
    public Optional<Entrance> triple(String island) {
        return Optional.of(new Entrance(entrance(triple), Optional.of(entrance(tripleTls))));
    }

    private String entrance(int port) {
        return "gateway." + home + ".test:" + port;
    }

    @Override
    public boolean provesForDubbo() {
        return false;
    }

    @Override
    public Optional<Certificates> certificates() {
        return Optional.of(certificates);
    }

    /** A reload: new processes take the calls from now on, the old ones end when theirs are over. */
    @Override
    public void replaceHome() throws IOException {
        ProcessHandle master = ProcessHandle.of(processes.pid(name(home))).orElseThrow();
        List<ProcessHandle> old = master.children().toList();
        processes.signal(name(home), server.reload());
        long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (old.stream().anyMatch(ProcessHandle::isAlive)) {
            if (System.nanoTime() > giveUp) {
                throw new IOException("the old processes of " + name(home) + " do not end");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(POLL_MILLIS));
        }
        processes.awaitPort(name(home), triple);
    }
}
