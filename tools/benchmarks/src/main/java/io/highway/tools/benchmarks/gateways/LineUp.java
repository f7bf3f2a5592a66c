// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.gateways;

import io.highway.tools.benchmarks.calls.CallPath;
import io.highway.tools.benchmarks.calls.Protocol;
import io.highway.tools.benchmarks.calls.ProviderProcess;
import io.highway.tools.gateways.GatewayKind;
import io.highway.tools.gateways.GatewayStar;
import io.highway.tools.gateways.Island;
import io.highway.tools.processes.Processes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The provider, the gateways in front of it, and the paths to it; all of them run at the same time. */
final class LineUp implements AutoCloseable {

    private static final String HOME = "zhejiang";

    private final Path folder;
    private final int hops;
    private final List<Processes> processes = new ArrayList<>();
    private final List<CallPath> paths = new ArrayList<>();
    private final List<String> leftOut = new ArrayList<>();

    private LineUp(Path folder, int hops) {
        this.folder = folder;
        this.hops = hops;
    }

    /**
     * Starts everything; gateways that are not installed are left out.
     *
     * @param hops 1: home's gateway alone, or 3: a star
     */
    static LineUp start(Path folder, int hops, Set<GatewayKind> kinds) throws IOException {
        LineUp lineUp = new LineUp(folder, hops);
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
        Island shanghai = ProviderProcess.start(home);
        paths.add(CallPath.direct(Protocol.DUBBO, shanghai.dubbo()));
        paths.add(CallPath.direct(Protocol.TRIPLE, shanghai.triple()));
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
        GatewayStar gateways = hops == 1
                ? GatewayStar.single(kind, newProcesses(own), own, HOME, shanghai)
                : GatewayStar.start(kind, newProcesses(own), own, HOME, List.of(shanghai));
        gateways.dubbo(shanghai.id())
                .ifPresent(
                        entrance -> paths.add(CallPath.through(gateways.version(), Protocol.DUBBO, entrance.plain())));
        gateways.triple(shanghai.id())
                .ifPresent(
                        entrance -> paths.add(CallPath.through(gateways.version(), Protocol.TRIPLE, entrance.plain())));
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
