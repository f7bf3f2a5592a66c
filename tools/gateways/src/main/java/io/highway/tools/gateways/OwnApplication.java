// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways;

import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.processes.Processes;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * Home's gateway and a registry for an application of the user, which calls shanghai; shanghai is another application of
 * the user, or a second process of the same one:
 *
 * <pre>
 *   the user's application -> zhejiang gateway -> the user's provider in shanghai
 * </pre>
 */
public record OwnApplication(Processes processes, int provider, String registry, List<String> configuration)
        implements AutoCloseable {

    private static final String LOOPBACK = "127.0.0.1";
    private static final int REGISTRY_PORT = 2181;
    private static final int DUBBO_PORT = 20990;
    private static final int TRIPLE_PORT = 50990;

    /** The ports that its registry and gateway take where these are free; a provider needs another. */
    public static final Set<Integer> PORTS = Set.of(REGISTRY_PORT, DUBBO_PORT, TRIPLE_PORT);

    /**
     * Starts gateway and registry, at the usual ports where these are free, so that they are the same each time. Calls go
     * by the Dubbo protocol.
     *
     * @param provider the port of 127.0.0.1 where shanghai's provider is, now or later
     */
    public static OwnApplication start(Path folder, GatewayKind kind, int provider) throws IOException {
        Processes processes = new Processes(folder);
        try {
            String registry = processes.registry(FreePorts.prefer(REGISTRY_PORT));
            String address = LOOPBACK + ":" + provider;
            GatewayStar gateway = GatewayStar.single(
                    kind,
                    processes,
                    folder.resolve(kind.word()),
                    "zhejiang",
                    new Island("shanghai", address, address),
                    FreePorts.prefer(DUBBO_PORT),
                    FreePorts.prefer(TRIPLE_PORT));
            String entrance =
                    gateway.entrance(Protocol.DUBBO, "shanghai").orElseThrow().plain();
            return new OwnApplication(
                    processes,
                    provider,
                    onLoopback(registry),
                    List.of(
                            "highway.island=zhejiang",
                            "highway.gateways.dubbo=" + onLoopback(entrance),
                            "highway.islands.shanghai.tunnel=dubbo"));
        } catch (IOException | RuntimeException e) {
            processes.close();
            throw e;
        }
    }

    /** An address of this machine without the hosts file of the samples, which has all names on loopback. */
    public static String onLoopback(String address) {
        return address.replaceFirst("[a-z.]+\\.test:", LOOPBACK + ":");
    }

    private List<String> options() {
        return List.of(
                "--highway.island=shanghai",
                "--dubbo.protocol.name=dubbo",
                "--dubbo.protocol.port=" + provider,
                "--dubbo.registry.register=false",
                "--server.port=0");
    }

    /** Prints what to configure. */
    public void explain(PrintStream out) {
        out.println("The gateway runs until Ctrl-C. Your application, for example in application.properties:");
        out.println();
        configuration.forEach(out::println);
        out.println();
        out.println("Shanghai: the application with the service, or another process of yours, with the options");
        out.println("(of Spring Boot; with plain Dubbo as system properties, -D instead of --)");
        out.println();
        options().forEach(out::println);
        out.println();
        out.println("A registry, if there is none: dubbo.registry.address=" + registry);
    }

    @Override
    public void close() {
        processes.close();
    }
}
