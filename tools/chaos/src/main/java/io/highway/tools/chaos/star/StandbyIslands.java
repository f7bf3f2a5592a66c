// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos.star;

import io.highway.tools.fixtures.faults.FaultyLink;
import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.processes.Folders;
import io.highway.tools.processes.Links;
import io.highway.tools.processes.Node;
import io.highway.tools.processes.Ports;
import io.highway.tools.processes.Processes;
import io.highway.tools.processes.Star;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Shanghai, and beijing, which answers for it: {@code query*} of calls for shanghai. Both answer all calls for sichuan, which
 * has no provider. Each has a gateway; the {@code ~} are links that can fail:
 *
 * <pre>
 *   callers ~~~ gateway of shanghai ~~~ provider in shanghai
 *           --- gateway of beijing  --- provider in beijing
 * </pre>
 *
 * @param gatewayKeys the gateways of both, as keys without {@code highway.}
 * @param links the links to shanghai's gateway and provider
 */
public record StandbyIslands(Path folder, Star star, Map<String, String> gatewayKeys, List<FaultyLink> links)
        implements AutoCloseable {

    private static final String OF_A_RUN = ".*\\.(ledger|yaml)|.*-(provider|gateway)\\b.*\\.log";

    /** Starts everything, and returns when all of it is ready. */
    public static StandbyIslands start(Path folder) throws IOException {
        Star star = new Star(Folders.clear(folder, OF_A_RUN));
        StandbyIslands islands = new StandbyIslands(folder, star, new TreeMap<>(), new ArrayList<>());
        Ports ports = Ports.free();
        Links toProvider = Links.to(ports, star::link);
        Ports gateway = Ports.same(FreePorts.next());
        Links toGateway = Links.to(gateway, star::link);
        islands.links.addAll(toGateway.all());
        islands.links.addAll(toProvider.all());
        islands.provider("shanghai", ports, toProvider.all(), "-Dhighway.guard.stands-in-for.sichuan=*");
        islands.gateway("shanghai", gateway.dubbo(), toProvider.ports(), toGateway.all());
        islands.keys("shanghai", toGateway.ports());
        Ports ofBeijing = Ports.free();
        Ports atBeijing = Ports.same(FreePorts.next());
        islands.provider(
                "beijing",
                ofBeijing,
                List.of(),
                "-Dhighway.guard.stands-in-for.sichuan=*",
                "-Dhighway.guard.stands-in-for.shanghai=query*");
        islands.gateway("beijing", atBeijing.dubbo(), ofBeijing, List.of());
        islands.keys("beijing", atBeijing);
        star.start();
        return islands;
    }

    private void provider(String island, Ports ports, List<FaultyLink> inFront, String... options) {
        List<String> all = new ArrayList<>(List.of(options));
        all.add("-Dhighway.http.port=" + ports.http());
        Path ledger = ledger(island);
        star.node(
                island + "-provider",
                name -> star.startProvider(
                        name, island, all, ProviderProcess.class, ports.dubbo(), ports.triple(), ledger),
                inFront);
    }

    private void gateway(String island, int port, Ports providers, List<FaultyLink> inFront) {
        Map<String, String> routes = Map.of(island, Processes.providers(island + ".test", providers));
        star.node(
                island + "-gateway",
                name -> star.processes().startGateway(name, Star.gateway(island, port, "grace: 2s", routes)),
                inFront);
    }

    private void keys(String island, Ports ports) {
        String key = "islands." + island + ".gateways.";
        String host = "gateway." + island + ".test:";
        gatewayKeys.put(key + "dubbo", host + ports.dubbo());
        gatewayKeys.put(key + "triple", host + ports.triple());
        gatewayKeys.put(key + "http", host + ports.http());
    }

    /** Shanghai's provider. */
    public Node provider() {
        return star.node("shanghai-provider");
    }

    /** Shanghai's gateway. */
    public Node gateway() {
        return star.node("shanghai-gateway");
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
