// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways;

import io.highway.tools.fixtures.certificates.Identity;
import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.fixtures.time.Waiting;
import io.highway.tools.processes.Processes;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** A star of nginx or HAProxy: one entrance for Triple, and one per island for the Dubbo protocol, each also with TLS. */
final class ConnectionStar extends TlsStar {

    private static final int PATIENCE_SECONDS = 20;
    private static final int POLL_MILLIS = 20;
    private static final String HOME_FILE = "zhejiang";

    private final ConnectionServer server;
    private final List<Island> islands;
    private final int hubTriple = FreePorts.next();
    private final Map<String, Integer> hubDubbo = new LinkedHashMap<>();
    private final Home home;

    /** @param changes in the remote gateways' file */
    ConnectionStar(
            ConnectionServer server,
            Processes processes,
            Path folder,
            String home,
            List<Island> islands,
            int drainSeconds,
            Map<String, String> changes)
            throws IOException {
        super(processes, folder, home, drainSeconds, server.program().version());
        this.server = server;
        this.islands = islands;
        startHub(changes);
        this.home = new Home(home, Map.of());
    }

    private void startHub(Map<String, String> changes) throws IOException {
        List<Map<String, String>> routes = new ArrayList<>();
        List<Integer> ports = new ArrayList<>(List.of(hubTriple));
        for (Island island : islands) {
            int farTriple = FreePorts.next();
            int farDubbo = FreePorts.next();
            startFar(island, farTriple, farDubbo, changes);

            int port = FreePorts.next();
            hubDubbo.put(island.id(), port);
            ports.add(port);
            routes.add(values(
                    "gateway.shanghai.test:50990", Template.local(farTriple),
                    "gateway.shanghai.test:20990", Template.local(farDubbo),
                    "20991", String.valueOf(port),
                    "shanghai", island.id()));
        }
        Map<String, String> values = new LinkedHashMap<>();
        listen(values, 50990, hubTriple);
        values.put("0.0.0.0:", "127.0.0.1:");
        start("hub", "hub", values, routes, ports);
    }

    private void startFar(Island island, int farTriple, int farDubbo, Map<String, String> changes) throws IOException {
        Map<String, String> values = values(
                "0.0.0.0:20990", Template.local(farDubbo),
                "sms.shanghai.test:50051", Template.local(island.triplePort()),
                "sms.shanghai.test:8080", Template.local(island.httpPort()),
                "sms.shanghai.test:20880", Template.local(island.dubboPort()),
                "shanghai", island.id());
        listen(values, 50990, farTriple);
        values.putAll(changes);
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

    /** Where it takes HTTP, in the file and on this machine. */
    private void listen(Map<String, String> values, int usual, int port) {
        GatewayKind kind = server.kind();
        values.put(kind.listens("0.0.0.0", usual), kind.listens("127.0.0.1", port));
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
        values.putAll(server.drainTime(drainSeconds));
        Template template = Template.of(server.kind(), file);
        Path rendered = template.write(folder.resolve(name(place) + template.end()), values, islands);
        server.check(rendered);
        processes.startProgram(name(place), server.command(rendered), ports);
    }

    @Override
    public boolean provesForDubbo() {
        return false;
    }

    @Override
    public HomeGateway home() {
        return home;
    }

    @Override
    public HomeGateway another(boolean limited) throws IOException {
        if (limited && server.limits().isEmpty()) {
            throw new UnsupportedOperationException("it ends no connection that is in use");
        }
        return new Home(nextHome(), limited ? server.limits() : Map.of());
    }

    /** A gateway with the file of home's. */
    private final class Home implements HomeGateway {

        private final String name;
        private final int triple = FreePorts.next();
        private final int tripleTls = FreePorts.next();
        private final int http = server.http().isPresent() ? FreePorts.next() : triple;
        private final Map<String, Entrance> dubbo = new LinkedHashMap<>();
        private final Set<ProcessHandle> replaced = new HashSet<>();

        Home(String place, Map<String, String> changes) throws IOException {
            this.name = name(place);
            List<Map<String, String>> routes = new ArrayList<>();
            List<Integer> ports = new ArrayList<>(List.of(triple, tripleTls, http));
            for (Island island : islands) {
                int plain = FreePorts.next();
                int tls = FreePorts.next();
                ports.add(plain);
                dubbo.put(island.id(), entrance(plain, tls));
                routes.add(values(
                        "gateway.hub.test:20991", Template.local(hubDubbo.getOrDefault(island.id(), 0)),
                        "0.0.0.0:20881", Template.local(plain),
                        "0.0.0.0:21881", Template.local(tls),
                        "shanghai", island.id()));
            }
            Map<String, String> values = values("gateway.hub.test:50990", Template.local(hubTriple));
            listen(values, 50051, triple);
            listen(values, 50052, tripleTls);
            server.http().ifPresent(address -> values.put(address, Template.local(http)));
            values.putAll(changes);
            start(place, HOME_FILE, values, routes, ports);
        }

        @Override
        public Optional<Entrance> entrance(Protocol protocol, String island) {
            return switch (protocol) {
                case DUBBO -> Optional.ofNullable(dubbo.get(island));
                case TRIPLE -> Optional.of(entrance(triple, tripleTls));
                case HTTP -> Optional.of(entrance(http, tripleTls));
            };
        }

        private Entrance entrance(int port, int tls) {
            return new Entrance(host + port, Optional.of(host + tls));
        }

        /** New processes take the calls from now on, the old ones end when theirs are over. */
        @Override
        public void reload() throws IOException {
            ProcessHandle master = ProcessHandle.of(processes.get(name).pid()).orElseThrow();
            replaced.addAll(master.children().toList());
            processes.get(name).signal(server.reload());
            await(() -> master.children().anyMatch(child -> !replaced.contains(child)), PATIENCE_SECONDS, "reload");
            processes.get(name).awaitPort(triple);
        }

        @Override
        public void awaitReplaced() throws IOException {
            await(
                    () -> replaced.stream().noneMatch(ProcessHandle::isAlive),
                    drainSeconds + PATIENCE_SECONDS,
                    "end its old processes");
        }

        private void await(BooleanSupplier condition, int seconds, String what) throws IOException {
            if (!Waiting.until(Duration.ofSeconds(seconds), POLL_MILLIS, condition::getAsBoolean)) {
                throw new IOException(name + " does not " + what);
            }
        }

        @Override
        public void drain() {
            processes.get(name).signal(server.stop());
        }

        @Override
        public void awaitDrained() {
            processes.get(name).awaitEnd(drainSeconds + PATIENCE_SECONDS);
        }
    }
}
