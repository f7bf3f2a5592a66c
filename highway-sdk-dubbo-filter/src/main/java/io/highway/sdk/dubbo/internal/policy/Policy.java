// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy;

import io.highway.sdk.Caller;
import io.highway.sdk.dubbo.Intent;
import io.highway.sdk.dubbo.TrafficClass;
import io.highway.sdk.dubbo.TunnelKind;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The configuration as one immutable snapshot. Each call is decided on one snapshot.
 *
 * @param local what is the same for all islands
 * @param islands the policies of the islands
 * @param services the services that configuration names
 * @param signing the keys that sign calls and verify signatures
 * @param audit settings of the audit trail
 * @param guard what the guard demands of calls
 * @param origin where it comes from
 */
public record Policy(
        Local local,
        IslandPolicies islands,
        Services services,
        SigningKeys signing,
        AuditPolicy audit,
        GuardPolicy guard,
        Origin origin) {

    /**
     * What is the same for all islands.
     *
     * @param home the island this process runs in
     * @param maxHops how many islands a chain of calls may cross
     * @param heartbeat the settings of health checks
     * @param httpConnections how many connections over HTTP/1.1 each gateway address gets at most
     * @param maxBytesInFlight the limit of request bytes in flight to each gateway address, per protocol
     * @param maxBuffered {@code max-buffered} in bytes; empty if it is not set
     * @param httpPort where providers serve calls over HTTP/1.1, or null
     */
    public record Local(
            String home,
            int maxHops,
            HealthCheckPolicy heartbeat,
            int httpConnections,
            OptionalLong maxBytesInFlight,
            OptionalLong maxBuffered,
            @Nullable Integer httpPort) {}

    /**
     * The services that configuration names.
     *
     * @param intents the configured intents, by interface
     * @param requireIsland the interfaces whose calls are refused if they name no island
     */
    record Services(Map<String, Intent> intents, Set<String> requireIsland) {

        Services {
            intents = Map.copyOf(intents);
            requireIsland = Set.copyOf(requireIsland);
        }
    }

    /**
     * Where a policy comes from.
     *
     * @param version the rule's version, or {@code static}
     * @param settings the keys it was read from
     * @param source where the dynamic policy comes from
     * @param dictionaries those that the static configuration declares, by name
     * @param missing what the active rule leaves out of the static configuration
     */
    public record Origin(
            String version,
            RawSettings settings,
            PolicySourceSettings source,
            Map<String, ZstdDictionary> dictionaries,
            RuleDifferences missing) {}

    /** The island this process runs in. */
    public String home() {
        return local.home;
    }

    /** The islands that are configured, by id. */
    public Collection<String> knownIslands() {
        return islands.known().keySet();
    }

    /** The policy of an island, or null if it is unknown. */
    public @Nullable IslandPolicy forIsland(String island) {
        return islands.known().get(island);
    }

    /** Whether others answer all calls for an island. */
    public boolean isAlias(String island) {
        IslandPolicy known = forIsland(island);
        return known != null && known.isAlias();
    }

    /** The configured intent of a service, or {@link Intent#NONE}. */
    public Intent serviceIntent(String interfaceName) {
        return services.intents.getOrDefault(interfaceName, Intent.NONE);
    }

    /** Whether calls of a service that name no island are refused. */
    public boolean requiresIsland(String interfaceName) {
        return services.requireIsland.contains(interfaceName);
    }

    /**
     * The island of a business key, in this order: the resolver's answer, the exact key, the known island of that id,
     * the longest pattern, the key itself as id.
     *
     * @throws RuntimeException whatever the resolver throws
     */
    public String islandOfKey(String key) {
        return islands.ofKey(key, local.home);
    }

    /** Whether an island, or {@code defaults}, is such. */
    public boolean anyIsland(Predicate<IslandPolicy> such) {
        return islands.all().anyMatch(such);
    }

    /** Every gateway that any destination uses, for each class of calls that it has. */
    public Set<GatewaySpec> gateways() {
        Set<GatewaySpec> all = new LinkedHashSet<>();
        if (islands.known().isEmpty()) {
            addTo(all, islands.unnamed());
        }
        islands.known().values().stream().flatMap(IslandPolicy::withServices).forEach(island -> addTo(all, island));
        return all;
    }

    /** Whether it is a gateway of home and not of a single destination. */
    public boolean isGatewayOfHome(GatewaySpec gateway) {
        return islands.unnamed().gateways(gateway.address().kind()).contains(gateway.of(TrafficClass.INTERACTIVE));
    }

    private static void addTo(Set<GatewaySpec> all, IslandPolicy island) {
        for (TrafficClass calls : island.trafficClasses()) {
            for (TunnelKind kind : island.routes().tunnels()) {
                all.addAll(island.gateways(kind, calls));
            }
        }
    }

    /** Who answers for a caller from another island, or null. */
    public @Nullable String ownerOf(@Nullable Caller caller) {
        return guard.ownerOf(caller, signing.isDemanded());
    }

    /** The rule's version, or {@code static}. */
    public String version() {
        return origin.version;
    }

    /** The keys it was read from. */
    public RawSettings settings() {
        return origin.settings;
    }

    /** Whether islands are probed after start-up. */
    public boolean probesIslands() {
        String key = HighwayKeys.DOCTOR.fullKey();
        String written = origin.settings.value(key);
        return written == null ? HighwayKeys.DOCTOR.generalDefault() : HighwayKeys.DOCTOR.read(key, written);
    }

    /** What the active rule leaves out of the static configuration; nothing without a rule. */
    public RuleDifferences missing() {
        return origin.missing;
    }

    /** One line for the log. */
    public String summary() {
        List<String> known = islands.known().keySet().stream().sorted().toList();
        return "home " + local.home + ", gateways " + gateways() + ", islands " + known + ", policy " + origin.version;
    }
}
