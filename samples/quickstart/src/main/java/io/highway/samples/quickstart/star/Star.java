// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.quickstart.star;

import io.highway.samples.quickstart.provider.Providers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

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

    private static final int EXIT_INTERRUPTED = 130;
    private static final String REGISTRY = "registry";
    private static final String NO_REGISTRY = "N/A";

    private final Path folder;
    private final Map<String, ChildProcess> children = new ConcurrentHashMap<>();
    private String registry = "";
    private String homeGateway = "";

    private Star(Path folder) {
        this.folder = folder;
        Runtime.getRuntime().addShutdownHook(new Thread(this::endInterrupted, "end-star"));
    }

    /** Starts everything and returns when all of it is ready; logs and routes are written to {@code folder}. */
    public static Star start(Path folder) throws IOException {
        Files.createDirectories(folder);
        Star star = new Star(folder);
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
        start(REGISTRY, List.of(), RegistryProcess.class);
        registry = "zookeeper://registry.test:" + ready(REGISTRY);
        providers("zhejiang", registry);

        String shanghai = gateway("shanghai", Map.of("shanghai", toProviders("shanghai")));
        String beijing = gateway("beijing", Map.of("beijing", toProviders("beijing")));
        String hub = gateway("hub", Map.of("shanghai", next(shanghai), "beijing", next(beijing)));
        homeGateway = gateway("zhejiang", Map.of("shanghai", next(hub), "beijing", next(hub)));
        ready("zhejiang-providers");
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
        ChildProcess gateway = child(island + "-gateway");
        gateway.end();
        gateway.awaitEnd();
    }

    private void providers(String island, String registry) {
        start(island + "-providers", List.of("-Dhighway.island=" + island), Providers.class, registry);
    }

    private String toProviders(String island) {
        String[] ports = ready(island + "-providers").split(" ", -1);
        return "{providers: {'*': {dubbo: ['%1$s.test:%2$s'], triple: ['%1$s.test:%3$s']}}}"
                .formatted(island, ports[0], ports[1]);
    }

    private static String next(String gateway) {
        return "{next: ['" + gateway + "']}";
    }

    /** Starts a gateway with a route for each island and returns its {@code host:port}. */
    private String gateway(String island, Map<String, String> routes) throws IOException {
        StringBuilder yaml =
                new StringBuilder("island: %1$s\nlisten: gateway.%1$s.test:0\nroutes:\n".formatted(island));
        routes.forEach((destination, route) -> yaml.append("  " + destination + ": " + route + "\n"));
        Path routesFile = folder.resolve(island + "-gateway.yaml");
        Files.writeString(routesFile, yaml);
        start(island + "-gateway", List.of(), GatewayProcess.class, routesFile.toString());
        return "gateway." + island + ".test:" + ready(island + "-gateway");
    }

    private void start(String name, List<String> options, Class<?> main, String... arguments) {
        children.put(name, ChildProcess.start(name, folder, options, main, arguments));
    }

    private String ready(String name) {
        return child(name).awaitReady();
    }

    private ChildProcess child(String name) {
        ChildProcess child = children.get(name);
        if (child == null) {
            throw new IllegalArgumentException("no process " + name + "; there are " + children.keySet());
        }
        return child;
    }

    /** After Ctrl-C the registry may be gone first, and Dubbo's own shutdown would wait minutes for it. */
    private void endInterrupted() {
        if (!children.isEmpty()) {
            close();
            Runtime.getRuntime().halt(EXIT_INTERRUPTED);
        }
    }

    /** Ends all processes, the registry last, so that home's providers can sign off. */
    @Override
    public void close() {
        ChildProcess last = children.remove(REGISTRY);
        children.values().forEach(ChildProcess::end);
        children.values().forEach(ChildProcess::awaitEnd);
        if (last != null) {
            last.end();
            last.awaitEnd();
        }
        children.clear();
    }
}
