// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.quickstart.star;

import static io.highway.samples.processes.Processes.next;

import io.highway.samples.processes.Processes;
import io.highway.samples.quickstart.provider.Providers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The processes around the consumer, from the edges to the middle, since each gateway is told where the next one listens:
 *
 * <pre>
 *   zhejiang gateway -> hub gateway -> shanghai gateway -> shanghai providers
 *                                   -> beijing gateway  -> beijing providers
 * </pre>
 *
 * and at home, in zhejiang, a registry and providers.
 */
public final class Star implements AutoCloseable {

    private static final String NO_REGISTRY = "N/A";

    private final Processes processes;
    private String registry = "";
    private String homeGateway = "";

    private Star(Processes processes) {
        this.processes = processes;
    }

    /** Starts everything and returns when all of it is ready; logs and routes are written to {@code folder}. */
    public static Star start(Path folder) throws IOException {
        Star star = new Star(new Processes(folder));
        try {
            star.startAll();
            return star;
        } catch (IOException | RuntimeException e) {
            star.close();
            throw e;
        }
    }

    private void startAll() throws IOException {
        providers("shanghai", NO_REGISTRY);
        providers("beijing", NO_REGISTRY);
        registry = processes.registry();
        providers("zhejiang", registry);

        String shanghai = processes.gateway("shanghai", Map.of("shanghai", toProviders("shanghai")));
        String beijing = processes.gateway("beijing", Map.of("beijing", toProviders("beijing")));
        String hub = processes.gateway("hub", Map.of("shanghai", next(shanghai), "beijing", next(beijing)));
        homeGateway = processes.gateway("zhejiang", Map.of("shanghai", next(hub), "beijing", next(hub)));
        processes.ready("zhejiang-providers");
    }

    /** Home's registry, as Dubbo writes it. */
    public String registry() {
        return registry;
    }

    /** Home's gateway, {@code host:port}; it takes both protocols. */
    public String homeGateway() {
        return homeGateway;
    }

    /** Takes an island off the net: ends its gateway. */
    public void cutOff(String island) {
        processes.end(island + "-gateway");
    }

    private void providers(String island, String registry) {
        processes.start(island + "-providers", List.of("-Dhighway.island=" + island), Providers.class, registry);
    }

    private String toProviders(String island) {
        String[] ports = processes.ready(island + "-providers").split(" ", -1);
        return Processes.providers(island + ".test:" + ports[0], island + ".test:" + ports[1]);
    }

    @Override
    public void close() {
        processes.close();
    }
}
