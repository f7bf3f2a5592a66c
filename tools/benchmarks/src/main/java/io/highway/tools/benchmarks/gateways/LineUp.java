// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.gateways;

import io.highway.tools.benchmarks.calls.CallPath;
import io.highway.tools.benchmarks.calls.ProviderProcess;
import io.highway.tools.gateways.Entrance;
import io.highway.tools.gateways.GatewayKind;
import io.highway.tools.gateways.GatewayStar;
import io.highway.tools.gateways.Island;
import io.highway.tools.gateways.Protocol;
import io.highway.tools.processes.Processes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The provider, the gateways in front of it, and the paths to it; all of them run at the same time. */
final class LineUp implements AutoCloseable {

    /** Ends the name of a gateway without the settings in its file. */
    static final String DEFAULTS = ", its defaults";

    private static final String HOME = "zhejiang";
    private static final String SHANGHAI = "shanghai";

    /** In place of those in its file that concern an attempt. */
    private static final String[] ZUUL_DEFAULTS = {
        "-Dribbon.TcpNoDelay=false", "-Dribbon.ReadTimeout=5000", "-Dribbon.MaxAutoRetriesNextServer=1"
    };

    private final Path folder;
    private final int hops;
    private final Set<Protocol> protocols;
    private final List<Processes> processes = new ArrayList<>();
    private final List<CallPath> paths = new ArrayList<>();
    private final List<String> leftOut = new ArrayList<>();

    private LineUp(Path folder, int hops, Set<Protocol> protocols) {
        this.folder = folder;
        this.hops = hops;
        this.protocols = protocols;
    }

    /**
     * Starts everything; gateways that are not installed are left out.
     *
     * @param hops 1: home's gateway alone, or 3: a star
     */
    static LineUp start(Path folder, int hops, Set<GatewayKind> kinds, Set<Protocol> protocols) throws IOException {
        LineUp lineUp = new LineUp(folder, hops, protocols);
        try {
            lineUp.startAll(kinds);
            return lineUp;
        } catch (IOException | RuntimeException e) {
            lineUp.close();
            throw e;
        }
    }

    private void startAll(Set<GatewayKind> kinds) throws IOException {
        Processes home = newProcesses(folder);
        Island shanghai = ProviderProcess.start(home, ProviderProcess.class, List.of());
        for (Protocol protocol : protocols) {
            paths.add(CallPath.direct(protocol, protocol == Protocol.TRIPLE ? shanghai.triple() : shanghai.dubbo()));
        }
        for (GatewayKind kind : kinds) {
            try {
                start(kind, shanghai);
            } catch (IllegalStateException e) {
                leftOut.add(kind.word() + ": " + e.getMessage());
            }
        }
        paths.forEach(CallPath::check);
    }

    private void start(GatewayKind kind, Island shanghai) throws IOException {
        Path own = folder.resolve(kind.word());
        if (hops == 1) {
            add("", GatewayStar.single(kind, newProcesses(own), own, HOME, shanghai));
        } else {
            add("", GatewayStar.start(kind, newProcesses(own), own, HOME, List.of(shanghai)));
        }
        if (kind == GatewayKind.ZUUL && hops == 1) {
            Path other = own.resolve("defaults");
            add(DEFAULTS, GatewayStar.single(kind, newProcesses(other), other, HOME, shanghai, ZUUL_DEFAULTS));
        }
    }

    private void add(String suffix, GatewayStar gateways) {
        for (Protocol protocol : protocols) {
            gateways.entrance(protocol, SHANGHAI)
                    .map(Entrance::plain)
                    .map(address -> CallPath.through(gateways.version() + suffix, protocol, address, Map.of()))
                    .ifPresent(paths::add);
        }
    }

    private Processes newProcesses(Path logs) throws IOException {
        Processes started = new Processes(logs);
        processes.add(started);
        return started;
    }

    /** The paths by a protocol, the direct one first. */
    List<CallPath> paths(Protocol protocol) {
        return paths.stream().filter(path -> path.protocol() == protocol).toList();
    }

    /** Why gateways are missing; empty if none is. */
    List<String> leftOut() {
        return leftOut;
    }

    @Override
    public void close() {
        paths.forEach(CallPath::close);
        processes.forEach(Processes::close);
    }
}
