// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.support;

import io.highway.testsupport.ports.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A provider in shanghai and a consumer in zhejiang, with home's registry and a gateway on each side:
 *
 * <pre>
 *   consumer -> zhejiang gateway -> shanghai gateway -> provider
 * </pre>
 *
 * Their configurations have the usual ports; here they get those that are free, as system properties.
 */
public final class TwoIslands {

    private static final String PROVIDER = "provider";
    private static final String CONSUMER = "consumer";

    private TwoIslands() {}

    /**
     * A program of one side.
     *
     * @param main its main class
     * @param configuration the option of the virtual machine that names its configuration
     */
    public record Side(Class<?> main, String configuration) {}

    /**
     * Starts everything, waits until the consumer's main method has returned, and ends everything. Fails if one of the
     * two programs logs WARN or ERROR.
     *
     * @param folder for logs and routes
     * @return the lines that the consumer has printed
     */
    public static List<String> run(Path folder, Side provider, Side consumer) throws IOException {
        try (Processes processes = new Processes(folder)) {
            int port = FreePorts.next();
            start(processes, folder, PROVIDER, provider, "-Ddubbo.protocol.port=" + port);
            String registry = processes.registry();
            String address = "shanghai.test:" + port;
            String far = processes.gateway("shanghai", Map.of("shanghai", Processes.providers(address, address)));
            String home = processes.gateway("zhejiang", Map.of("shanghai", Processes.next(far)));
            processes.awaitPort(PROVIDER, port);
            start(
                    processes,
                    folder,
                    CONSUMER,
                    consumer,
                    "-Ddubbo.registry.address=" + registry,
                    "-Dhighway.gateways.dubbo=" + home);
            processes.ready(CONSUMER);
            for (String name : List.of(CONSUMER, PROVIDER)) {
                List<String> warnings = new Warnings(sdkLog(folder, name)).next();
                if (!warnings.isEmpty()) {
                    throw new IllegalStateException("the " + name + " has logged: " + String.join("\n", warnings));
                }
            }
            return Files.readAllLines(folder.resolve(CONSUMER + ".log"));
        }
    }

    private static Path sdkLog(Path folder, String name) {
        return folder.resolve(name + "-sdk.log");
    }

    /** What the SDK and others log is in {@code <name>-sdk.log}, whether by SLF4J's simple logger or by Spring Boot. */
    private static void start(Processes processes, Path folder, String name, Side side, String... addresses) {
        Path log = sdkLog(folder, name);
        List<String> options = new ArrayList<>(List.of(
                side.configuration(),
                "-Ddubbo.application.logger=slf4j",
                "-Ddubbo.application.qos-enable=false",
                "-Ddubbo.service.shutdown.wait=100",
                "-Dorg.slf4j.simpleLogger.logFile=" + log,
                "-Dspring.main.banner-mode=off",
                "-Dlogging.file.name=" + log,
                "-Dlogging.threshold.console=OFF"));
        options.addAll(List.of(addresses));
        processes.startUserProgram(name, options, side.main());
    }
}
