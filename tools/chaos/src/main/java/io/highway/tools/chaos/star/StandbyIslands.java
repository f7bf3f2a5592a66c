// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos.star;

import io.highway.tools.fixtures.faults.FaultyLink;
import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.processes.Folders;
import io.highway.tools.processes.Node;
import io.highway.tools.processes.Processes;
import io.highway.tools.processes.Star;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Shanghai, and beijing, which answers for it: {@code query*} of calls for shanghai. Both answer all calls for sichuan, which
 * has no provider. Each has a gateway; the {@code ~} are links that can fail:
 *
 * <pre>
 *   callers ~~~ gateway of shanghai ~~~ provider in shanghai
 *           --- gateway of beijing  --- provider in beijing
 * </pre>
 */
public final class StandbyIslands implements AutoCloseable {

    private static final String OF_A_RUN = ".*\\.(ledger|yaml)|.*-(provider|gateway)\\b.*\\.log";

    private final Path folder;
    private final Star star;
    private final Map<String, String> gatewayKeys = new TreeMap<>();
    private final List<FaultyLink> toProvider;
    private final List<FaultyLink> toGateway;
    private final Node provider;
    private final Node gateway;

    private StandbyIslands(Path folder) throws IOException {
        this.folder = folder;
        this.star = new Star(folder);
        int[] ports = ports();
        this.toProvider = List.of(star.link(ports[0]), star.link(ports[1]), star.link(ports[2]));
        this.provider = provider(
                "shanghai", ports, "-Dhighway.guard.stands-in-for.sichuan=*", toProvider.toArray(FaultyLink[]::new));
        int port = FreePorts.next();
        this.toGateway = List.of(star.link(port), star.link(port), star.link(port));
        this.gateway = gateway(
                "shanghai",
                port,
                toProvider.stream().mapToInt(FaultyLink::port).toArray(),
                toGateway.toArray(FaultyLink[]::new));
        keys("shanghai", toGateway.stream().mapToInt(FaultyLink::port).toArray());
        int[] ofBeijing = ports();
        provider(
                "beijing",
                ofBeijing,
                "-Dhighway.guard.stands-in-for.sichuan=* -Dhighway.guard.stands-in-for.shanghai=query*");
        int atBeijing = FreePorts.next();
        gateway("beijing", atBeijing, ofBeijing);
        keys("beijing", atBeijing, atBeijing, atBeijing);
    }

    /** Starts everything, and returns when all of it is ready. */
    public static StandbyIslands start(Path folder) throws IOException {
        StandbyIslands islands = new StandbyIslands(Folders.clear(folder, OF_A_RUN));
        islands.star.start();
        return islands;
    }

    private static int[] ports() {
        return new int[] {FreePorts.next(), FreePorts.next(), FreePorts.next()};
    }

    private Node provider(String island, int[] ports, String options, FaultyLink... inFront) {
        List<String> all = new ArrayList<>(List.of(options.split(" ")));
        all.add("-Dhighway.http.port=" + ports[2]);
        return star.node(
                island + "-provider",
                name -> star.startProvider(
                        name, island, all, ProviderProcess.class, ports[0], ports[1], ledger(island)),
                inFront);
    }

    private Node gateway(String island, int port, int[] providers, FaultyLink... inFront) {
        String host = island + ".test:";
        String route = Processes.providers(host + providers[0], host + providers[1], host + providers[2]);
        return star.node(
                island + "-gateway",
                name -> star.startGateway(name, Star.gateway(island, port, "grace: 2s", Map.of(island, route))),
                inFront);
    }

    private void keys(String island, int... ports) {
        List<String> tunnels = List.of("dubbo", "triple", "http");
        for (int i = 0; i < ports.length; i++) {
            gatewayKeys.put(
                    "islands." + island + ".gateways." + tunnels.get(i), "gateway." + island + ".test:" + ports[i]);
        }
    }

    /** The gateways of both, as keys without {@code highway.}. */
    public Map<String, String> gatewayKeys() {
        return gatewayKeys;
    }

    /** Shanghai's provider. */
    public Node provider() {
        return provider;
    }

    /** Shanghai's gateway. */
    public Node gateway() {
        return gateway;
    }

    /** The links to shanghai's gateway and provider. */
    public List<FaultyLink> links() {
        return Stream.concat(toGateway.stream(), toProvider.stream()).toList();
    }

    /** The calls an island has executed, one id per line. */
    public Path ledger(String island) {
        return folder.resolve(island + ".ledger");
    }

    @Override
    public void close() {
        star.close();
    }
}
