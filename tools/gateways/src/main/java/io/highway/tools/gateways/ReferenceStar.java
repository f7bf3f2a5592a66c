// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways;

import io.highway.tools.processes.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A star of the gateway in {@code tools/gateway}: one address for both protocols and all islands. */
final class ReferenceStar extends TlsStar {

    private static final int PATIENCE_SECONDS = 10;

    private final int hub;
    private final List<Map<String, String>> atHome = new ArrayList<>();
    private final Home home;

    ReferenceStar(Processes processes, Path folder, String home, List<Island> islands, int drainSeconds)
            throws IOException {
        super(processes, folder, home, drainSeconds, "reference gateway");
        List<Map<String, String>> atHub = new ArrayList<>();
        for (Island island : islands) {
            Map<String, String> values = listening(20990);
            values.put("sms.shanghai.test:20880", local(island.dubbo()));
            values.put("sms.shanghai.test:50051", local(island.triple()));
            values.put(
                    "sms.shanghai.test:8080",
                    island.http().map(ReferenceStar::local).orElse(Template.local(Island.CLOSED)));
            values.put("shanghai", island.id());
            if (!island.guarded()) {
                values.put("# guarded: false", "guarded: false");
            }
            int far = start(island.id(), "shanghai", values, List.of());
            Map<String, String> route = new LinkedHashMap<>();
            route.put("gateway.shanghai.test:20990", Template.local(far));
            route.put("shanghai", island.id());
            atHub.add(route);
            atHome.add(Map.of("shanghai", island.id()));
        }
        this.hub = start("hub", "hub", listening(20990), atHub);

        Map<String, String> secured = listening(20881);
        secured.put("gateway.hub.test:20990", Template.local(hub));
        secured.putAll(trust.paths(trust.gateway(home)));
        int tls = start(home + "-tls", "zhejiang-tls", secured, atHome);
        this.home = new Home(home, Optional.of(host + tls));
    }

    /** Addresses in the text of a list. */
    private static String local(String addresses) {
        return Stream.of(addresses.split(","))
                .map(address -> Template.local(Island.port(address)))
                .collect(Collectors.joining("\", \""));
    }

    /** It listens on a port of the system, and reports it. */
    private static Map<String, String> listening(int usual) {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("0.0.0.0:" + usual, Template.local(0));
        return values;
    }

    private int start(String place, String file, Map<String, String> values, List<Map<String, String>> islands)
            throws IOException {
        Path rendered = folder.resolve(name(place) + ".yaml");
        values.put("grace: 60s", "grace: " + drainSeconds + "s");
        Template.of("reference/" + file + ".yaml").write(rendered, values, islands);
        return start(name(place), Files.readString(rendered));
    }

    private int start(String name, String yaml) throws IOException {
        processes.startGateway(name, yaml);
        return Integer.parseInt(processes.ready(name));
    }

    @Override
    public HomeGateway home() {
        return home;
    }

    @Override
    public HomeGateway another(boolean limited) throws IOException {
        if (limited) {
            throw new UnsupportedOperationException("it ends no connection that is in use");
        }
        return new Home(nextHome(), Optional.empty());
    }

    /** A gateway with the file of home's. */
    private final class Home implements HomeGateway {

        private final String place;
        private final Optional<String> tls;
        private final int port;
        private int replaced;

        Home(String place, Optional<String> tls) throws IOException {
            this.place = place;
            this.tls = tls;
            Map<String, String> values = listening(20880);
            values.put("gateway.hub.test:20990", Template.local(hub));
            port = start(place, "zhejiang", values, atHome);
        }

        @Override
        public Optional<Entrance> entrance(Protocol protocol, String island) {
            return Optional.of(new Entrance(host + port, tls));
        }

        /** The next one listens at the same port before the old one drains and ends. */
        @Override
        public void reload() throws IOException {
            String yaml = Files.readString(folder.resolve(name(place) + ".yaml"));
            start(process(replaced + 1), yaml.replace(Template.local(0), Template.local(port)));
            processes.get(process(replaced)).signal("TERM");
            replaced++;
        }

        @Override
        public void awaitReplaced() {
            for (int old = 0; old < replaced; old++) {
                processes.get(process(old)).awaitEnd(drainSeconds + PATIENCE_SECONDS);
            }
        }

        private String process(int number) {
            return name(place) + (number == 0 ? "" : "." + (number + 1));
        }

        @Override
        public void drain() {
            processes.get(process(replaced)).signal("TERM");
        }

        @Override
        public void awaitDrained() {
            processes.get(process(replaced)).awaitEnd(drainSeconds + PATIENCE_SECONDS);
        }
    }
}
