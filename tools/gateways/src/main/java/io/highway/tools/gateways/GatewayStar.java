// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways;

import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.processes.Processes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Real gateways of one kind, each a separate process, with the configuration of their folder:
 *
 * <pre>
 *   home's gateway -> hub -> gateway of each island -> its providers
 * </pre>
 */
public interface GatewayStar extends AutoCloseable {

    /** The default drain time, seconds. */
    int DRAIN_SECONDS = 5;

    /**
     * Starts the gateways and returns when all of them take calls; what they print and the files they run with are in
     * {@code folder}.
     *
     * @param home the island that calls
     */
    static GatewayStar start(GatewayKind kind, Processes processes, Path folder, String home, List<Island> islands)
            throws IOException {
        return start(kind, processes, folder, home, islands, DRAIN_SECONDS, false);
    }

    /**
     * The same with another drain time instead of the 60 s of the files.
     *
     * @param drainSeconds how long a gateway that was replaced or stopped may wait for its calls
     * @param resends whether one of them has the setting that {@link GatewayKind#adviceOnRetries} is against
     */
    static GatewayStar start(
            GatewayKind kind,
            Processes processes,
            Path folder,
            String home,
            List<Island> islands,
            int drainSeconds,
            boolean resends)
            throws IOException {
        Map<String, String> statements = resends ? Retries.statements(kind) : Map.of();
        List<String> settings = resends ? Retries.settings(kind) : List.of();
        return switch (kind) {
            case ENVOY -> new EnvoyStar(Program.of(kind), processes, folder, home, islands, drainSeconds, statements);
            case NGINX, HAPROXY, APISIX ->
                new ConnectionStar(
                        ConnectionServer.of(kind), processes, folder, home, islands, drainSeconds, statements);
            case REFERENCE -> new ReferenceStar(processes, folder, home, islands, drainSeconds);
            case SCG, SCG_MVC, ZUUL, EDGE ->
                new HttpStar(HttpGateway.of(kind, folder), processes, home, islands, settings);
        };
    }

    /**
     * Starts home's gateway alone, with the smallest configuration there is, in front of the providers of one island.
     *
     * @param home the island that calls
     * @param arguments further ones for Envoy, nginx or HAProxy; for Zuul system properties
     */
    static GatewayStar single(
            GatewayKind kind, Processes processes, Path folder, String home, Island island, String... arguments)
            throws IOException {
        return new SingleGateway(
                kind, processes, folder, home, island, FreePorts.next(), FreePorts.next(), List.of(arguments));
    }

    /**
     * The same at ports that the caller chooses.
     *
     * @param dubbo the port for the Dubbo protocol, and of the reference gateway for both
     * @param triple the port for Triple
     */
    static GatewayStar single(
            GatewayKind kind, Processes processes, Path folder, String home, Island island, int dubbo, int triple)
            throws IOException {
        return new SingleGateway(kind, processes, folder, home, island, dubbo, triple, List.of());
    }

    /** Name and version, such as {@code Envoy 1.40.0}, as the program prints it. */
    String version();

    /** Where calls to an island enter by this protocol; empty if these gateways do not carry it. */
    default Optional<Entrance> entrance(Protocol protocol, String island) {
        return home().entrance(protocol, island);
    }

    /**
     * Returns when the gateways know that an island's gateway is gone, if they check that by themselves and report it:
     * until then their errors may not prove that a call was not sent.
     */
    default void awaitNoticed(String island) throws IOException {
        // they find out by the call
    }

    /**
     * Whether an error of these gateways can prove that a call by the Dubbo protocol was not forwarded; a gateway that
     * sees connections only cannot.
     */
    default boolean provesForDubbo() {
        return true;
    }

    /** What clients need at entrances with TLS; empty if there are none. */
    default Optional<Certificates> certificates() {
        return Optional.empty();
    }

    /**
     * Stops home's gateway as its operators would, so that calls in flight can finish, and another take its place at
     * the same addresses. Returns when the new one takes calls and the old one is gone.
     */
    default void replaceHome() throws IOException {
        HomeGateway home = home();
        home.reload();
        home.awaitReplaced();
    }

    /**
     * Home's gateway, to replace it step by step.
     *
     * @throws UnsupportedOperationException if it cannot be replaced without refusing calls meanwhile
     */
    default HomeGateway home() {
        throw new UnsupportedOperationException("it cannot listen again before the old one has ended");
    }

    /**
     * Starts another gateway of home beside the first, with the same routes.
     *
     * @param limited whether it ends connections that are old, or have had many calls, as some gateways do by default
     * @throws UnsupportedOperationException if there is no such limit, or only one gateway
     */
    default HomeGateway another(boolean limited) throws IOException {
        throw new UnsupportedOperationException("there is one gateway only");
    }

    /** The code that started the processes ends them; there is nothing else to end. */
    @Override
    default void close() {}
}
