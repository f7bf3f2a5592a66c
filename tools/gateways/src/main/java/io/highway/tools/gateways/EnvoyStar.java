// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways;

import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.fixtures.time.Waiting;
import io.highway.tools.processes.Processes;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A star of Envoys: two plain entrances, one per protocol, for all islands, and two with TLS. */
final class EnvoyStar extends TlsStar {

    private static final String HOST = "127.0.0.1";
    private static final int PATIENCE_SECONDS = 20;
    private static final int POLL_MILLIS = 100;
    private static final String LIMITED = "common_http_protocol_options:\n";

    private final Program envoy;
    private final List<Map<String, String>> names = new ArrayList<>();
    private final Map<String, Integer> admins = new HashMap<>();
    private final Place hub;
    private final Home home;

    /** Where a gateway is reached by others. */
    private record Place(int dubbo, int triple) {
        static Place free() {
            return new Place(FreePorts.next(), FreePorts.next());
        }
    }

    /** @param changes in home's file */
    EnvoyStar(
            Program envoy,
            Processes processes,
            Path folder,
            String home,
            List<Island> islands,
            int drainSeconds,
            Map<String, String> changes)
            throws IOException {
        super(processes, folder, home, drainSeconds, envoy.version());
        this.envoy = envoy;
        List<Map<String, String>> routes = new ArrayList<>();
        for (Island island : islands) {
            Place far = startFar(island);
            names.add(Map.of("shanghai", island.id()));
            Map<String, String> route = new LinkedHashMap<>();
            route.put("address: gateway.shanghai.test, port_value: 20990", Template.envoyAddress(far.dubbo()));
            route.put("address: gateway.shanghai.test, port_value: 50990", Template.envoyAddress(far.triple()));
            route.put("shanghai", island.id());
            routes.add(route);
        }
        this.hub = startHub(routes);
        this.home = new Home(home, changes);
    }

    private Place startFar(Island island) throws IOException {
        Place far = Place.free();
        Map<String, String> values = listeners(far);
        values.put("address: sms.shanghai.test, port_value: 20880", Template.envoyAddress(island.dubboPort()));
        values.put("address: sms.shanghai.test, port_value: 50051", Template.envoyAddress(island.triplePort()));
        values.put("address: sms.shanghai.test, port_value: 8080", Template.envoyAddress(island.httpPort()));
        values.put("shanghai", island.id());
        if (!island.guarded()) {
            values.put(
                    "response_headers_to_remove: [highway-not-forwarded]",
                    "response_headers_to_remove: [highway-not-forwarded, highway-refused]");
        }
        start(island.id(), "shanghai", values, List.of(), far.dubbo(), far.triple());
        return far;
    }

    private Place startHub(List<Map<String, String>> routes) throws IOException {
        Place hub = Place.free();
        start("hub", "hub", listeners(hub), routes, hub.dubbo(), hub.triple());
        return hub;
    }

    private static Map<String, String> listeners(Place place) {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("address: 0.0.0.0, port_value: 20990", Template.envoyAddress(place.dubbo()));
        values.put("address: 0.0.0.0, port_value: 50990", Template.envoyAddress(place.triple()));
        return values;
    }

    private void start(
            String place, String file, Map<String, String> values, List<Map<String, String>> islands, Integer... ports)
            throws IOException {
        int admin = FreePorts.next();
        admins.put(place, admin);
        values.put("address: 127.0.0.1, port_value: 9901", Template.envoyAddress(admin));
        values.putAll(trust.paths(trust.gateway(place)));
        values.put("/var/log/envoy/", folder + "/" + place + "-");
        Path rendered = Template.of("envoy/" + file + ".yaml").write(configuration(place), values, islands);
        envoy.check("--mode", "validate", "-c", rendered.toString());
        List<String> command = command(place, "--use-dynamic-base-id", "--base-id-path", baseIdFile(place));
        processes.startProgram(name(place), command, List.of(ports));
    }

    private List<String> command(String place, String... more) {
        List<String> command = envoy.with(
                "-c",
                configuration(place).toString(),
                "--log-level",
                "warning",
                "--component-log-level", // else a line for every island that a frame is not for
                "dubbo:critical",
                "--drain-time-s",
                String.valueOf(Math.min(drainSeconds, DRAIN_SECONDS) - 1),
                "--parent-shutdown-time-s",
                String.valueOf(drainSeconds + 1));
        command.addAll(List.of(more));
        return command;
    }

    private Path configuration(String place) {
        return folder.resolve(name(place) + ".yaml");
    }

    private String baseIdFile(String place) {
        return folder.resolve(name(place) + ".base-id").toString();
    }

    /** Until the hub's health checks have failed it connects in vain, and reports calls as possibly sent. */
    @Override
    public void awaitNoticed(String island) throws IOException {
        boolean noticed = Waiting.until(
                Duration.ofSeconds(PATIENCE_SECONDS),
                POLL_MILLIS,
                () -> !healthyAtHub(island + "-dubbo") && !healthyAtHub(island + "-triple"));
        if (!noticed) {
            throw new IOException("the hub still believes in " + island);
        }
    }

    private boolean healthyAtHub(String cluster) throws IOException {
        URI clusters = URI.create("http://" + HOST + ":" + admins.get("hub") + "/clusters");
        try (InputStream answer = clusters.toURL().openStream()) {
            return new String(answer.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .anyMatch(line -> line.startsWith(cluster + "::") && line.endsWith("::health_flags::healthy"));
        }
    }

    @Override
    public HomeGateway home() {
        return home;
    }

    @Override
    public HomeGateway another(boolean limited) throws IOException {
        return new Home(
                nextHome(),
                limited ? Map.of(LIMITED, LIMITED + "                  max_connection_duration: 5s\n") : Map.of());
    }

    /** A gateway with the file of home's. */
    private final class Home implements HomeGateway {

        private final String place;
        private final int dubbo = FreePorts.next();
        private final int dubboTls = FreePorts.next();
        private final int triple = FreePorts.next();
        private final int tripleTls = FreePorts.next();
        private int replaced;

        Home(String place, Map<String, String> changes) throws IOException {
            this.place = place;
            Map<String, String> values = new LinkedHashMap<>(changes);
            values.put("address: 0.0.0.0, port_value: 20880", Template.envoyAddress(dubbo));
            values.put("address: 0.0.0.0, port_value: 20881", Template.envoyAddress(dubboTls));
            values.put("address: 0.0.0.0, port_value: 50051", Template.envoyAddress(triple));
            values.put("address: 0.0.0.0, port_value: 50052", Template.envoyAddress(tripleTls));
            values.put("address: gateway.hub.test, port_value: 20990", Template.envoyAddress(hub.dubbo()));
            values.put("address: gateway.hub.test, port_value: 50990", Template.envoyAddress(hub.triple()));
            start(place, "zhejiang", values, names, dubbo, dubboTls, triple, tripleTls);
        }

        @Override
        public Optional<Entrance> entrance(Protocol protocol, String island) {
            boolean isDubbo = protocol == Protocol.DUBBO;
            return Optional.of(new Entrance(
                    host + (isDubbo ? dubbo : triple), Optional.of(host + (isDubbo ? dubboTls : tripleTls))));
        }

        /** A hot restart: the new one takes over the listening sockets, the old one drains and ends. */
        @Override
        public void reload() throws IOException {
            replaced++;
            String baseId = Files.readString(Path.of(baseIdFile(place)), StandardCharsets.US_ASCII)
                    .strip();
            List<String> command = command(place, "--base-id", baseId, "--restart-epoch", String.valueOf(replaced));
            processes.startProgram(process(replaced), command, List.of(triple));
        }

        @Override
        public void awaitReplaced() {
            for (int old = 0; old < replaced; old++) {
                processes.get(process(old)).awaitEnd(drainSeconds + PATIENCE_SECONDS);
            }
        }

        private String process(int number) {
            return number == 0 ? name(place) : name(place) + "." + (number + 1);
        }

        /** The listeners close after the drain time of the command line; the process runs until it is stopped. */
        @Override
        public void drain() throws IOException {
            URI listeners = URI.create("http://" + HOST + ":" + admins.get(place) + "/drain_listeners?graceful");
            HttpURLConnection request = (HttpURLConnection) listeners.toURL().openConnection();
            request.setRequestMethod("POST");
            if (request.getResponseCode() != HttpURLConnection.HTTP_OK) {
                throw new IOException(listeners + ": " + request.getResponseCode());
            }
        }

        @Override
        public void awaitDrained() {
            processes.end(process(replaced));
        }
    }
}
