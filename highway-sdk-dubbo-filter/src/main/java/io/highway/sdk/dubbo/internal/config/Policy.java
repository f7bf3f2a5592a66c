// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.config;

import io.highway.sdk.Caller;
import io.highway.sdk.IslandResolver;
import io.highway.sdk.dubbo.HighwaySettings;
import io.highway.sdk.dubbo.Intent;
import io.highway.sdk.dubbo.TrafficClass;
import io.highway.sdk.dubbo.TunnelKind;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.dubbo.common.utils.UrlUtils;
import org.jspecify.annotations.Nullable;

/** The configuration as one immutable snapshot. Each call is decided on one snapshot. */
public final class Policy {

    /** No call to another island takes less. */
    private static final int SHORT_MILLIS = 100;

    private final String home;
    private final Map<String, IslandPolicy> islands;
    private final IslandPolicy defaults;
    private final boolean unknownToGateway;
    private final Map<String, Intent> services;
    private final Set<String> requireIsland;
    private final Map<String, String> islandByKey;
    private final List<String> keyPatterns;
    private final SigningKeys signing;
    private final AuditPolicy audit;
    private final GuardPolicy guard;
    private final int maxHops;
    private final HeartbeatPolicy heartbeat;
    private final int connections;
    private final OptionalLong maxBytesInFlight;
    private final OptionalLong maxBuffered;
    private final PolicySource source;
    private final Map<String, Dictionary> dictionaries;
    private final String version;
    private final HighwaySettings settings;
    private final Missing missing;
    private final @Nullable IslandResolver resolver;

    Policy(
            String home,
            Map<String, IslandPolicy> islands,
            IslandPolicy defaults,
            boolean unknownToGateway,
            Map<String, Intent> services,
            Set<String> requireIsland,
            Map<String, String> islandByKey,
            SigningKeys signing,
            AuditPolicy audit,
            GuardPolicy guard,
            int maxHops,
            HeartbeatPolicy heartbeat,
            int connections,
            OptionalLong maxBytesInFlight,
            OptionalLong maxBuffered,
            PolicySource source,
            Map<String, Dictionary> dictionaries,
            String version,
            HighwaySettings settings,
            Missing missing,
            @Nullable IslandResolver resolver) {
        this.home = home;
        this.islands = Map.copyOf(islands);
        this.defaults = defaults;
        this.unknownToGateway = unknownToGateway;
        this.services = Map.copyOf(services);
        this.requireIsland = Set.copyOf(requireIsland);
        this.islandByKey = Map.copyOf(islandByKey);
        this.keyPatterns = islandByKey.keySet().stream()
                .filter(key -> key.indexOf('*') >= 0)
                .sorted(Comparator.comparingInt(String::length).reversed().thenComparing(Comparator.naturalOrder()))
                .toList();
        this.signing = signing;
        this.audit = audit;
        this.guard = guard;
        this.maxHops = maxHops;
        this.heartbeat = heartbeat;
        this.connections = connections;
        this.maxBytesInFlight = maxBytesInFlight;
        this.maxBuffered = maxBuffered;
        this.source = source;
        this.dictionaries = Map.copyOf(dictionaries);
        this.version = version;
        this.settings = settings;
        this.missing = missing;
        this.resolver = resolver;
    }

    /** The island this process runs in. */
    public String home() {
        return home;
    }

    /** The islands that are configured, by id. */
    public Collection<String> knownIslands() {
        return islands.keySet();
    }

    /** The policy of an island, or null if it is unknown and unknown ones are refused. */
    public @Nullable IslandPolicy forIsland(String island) {
        IslandPolicy known = islands.get(island);
        return known != null || !unknownToGateway ? known : defaults;
    }

    /** The policy of an island without keys. */
    public IslandPolicy defaults() {
        return defaults;
    }

    /** The configured intent of a service, or {@link Intent#NONE}. */
    public Intent serviceIntent(String interfaceName) {
        return services.getOrDefault(interfaceName, Intent.NONE);
    }

    /** Whether calls of a service that name no island are refused. */
    public boolean requiresIsland(String interfaceName) {
        return requireIsland.contains(interfaceName);
    }

    /**
     * The island of a business key, in this order: the resolver's answer, the exact key, the known island of that id,
     * the longest pattern, the key itself as id.
     *
     * @throws RuntimeException whatever the resolver throws
     */
    public String islandOfKey(String key) {
        String resolved = resolver == null ? null : resolver.islandOf(key);
        if (resolved != null) {
            return resolved;
        }
        String exact = islandByKey.get(key);
        if (exact != null) {
            return exact;
        }
        if (islands.containsKey(key) || key.equals(home)) {
            return key;
        }
        for (String pattern : keyPatterns) {
            if (UrlUtils.isMatchGlobPattern(pattern, key)) {
                return islandByKey.getOrDefault(pattern, key);
            }
        }
        return key;
    }

    /**
     * The problems of the method patterns that name a service: patterns that match none of its methods.
     *
     * @param type the service's interface
     * @return a sentence for each, without a full stop; empty for most services
     */
    public List<String> patternProblems(String interfaceName, Class<?> type) {
        if (islandsAndDefaults()
                .noneMatch(island -> island.deny().names(interfaceName)
                        || island.idempotent().names(interfaceName)
                        || bulkMethods(island).names(interfaceName))) {
            return List.of(); // for nearly all, and this runs for every reference when the policy changes
        }
        List<String> methods = Arrays.stream(type.getMethods())
                .map(Method::getName)
                .distinct()
                .sorted()
                .toList();
        Set<String> problems = new LinkedHashSet<>();
        islandsAndDefaults().forEach(island -> {
            addProblems(problems, island, "deny", island.deny().withoutMethod(interfaceName, methods), methods);
            addProblems(
                    problems, island, "idempotent", island.idempotent().withoutMethod(interfaceName, methods), methods);
            addProblems(
                    problems,
                    island,
                    "bulk.methods",
                    bulkMethods(island).withoutMethod(interfaceName, methods),
                    methods);
        });
        return List.copyOf(problems);
    }

    private static MethodPatterns bulkMethods(IslandPolicy island) {
        IslandPolicy.Bulk bulk = island.bulk();
        return bulk == null ? MethodPatterns.NONE : bulk.methods();
    }

    /** Whether an island, or {@code defaults}, is such. */
    public boolean anyIsland(Predicate<IslandPolicy> such) {
        return islandsAndDefaults().anyMatch(such);
    }

    private Stream<IslandPolicy> islandsAndDefaults() {
        return Stream.concat(islands.values().stream(), Stream.of(defaults));
    }

    /**
     * Keys that are valid and seldom meant: {@code retries} where no method is {@code idempotent}, a limit of bulk calls
     * where no call is bulk, a {@code tunnel} without a gateway, a {@code timeout} of a few milliseconds, numbers that
     * lack their unit, and empty lists.
     *
     * @return a sentence for each, without a full stop, with what to do; empty for most policies
     */
    public List<String> ineffectiveKeys() {
        Stream<String> retries =
                ineffective(
                                "retries",
                                island -> island.retries() > 0
                                        && island.idempotent().isEmpty())
                        .entrySet()
                        .stream()
                        .map(entry -> withoutEffect(entry) + ", because no method there is idempotent; write "
                                + HighwayKeys.PREFIX
                                + "islands.<id>.idempotent with the methods that may run twice, such as query*, or remove "
                                + entry.getKey() + " (a call that was not sent fails over without it)");
        Stream<String> bulk = Stream.of("bulk.max-concurrent", "bulk.max-wait")
                .flatMap(key ->
                        ineffective(key, island -> island.bulk() == null && isWritten(island, key)).entrySet().stream())
                .map(entry -> withoutEffect(entry) + ", because no call there is bulk; write " + HighwayKeys.PREFIX
                        + "islands.<id>.bulk.methods or .bulk.over, or remove " + entry.getKey());
        Stream<String> timeouts = ineffective("timeout", island -> isShort(island.timeoutMillis())).entrySet().stream()
                .map(
                        entry -> entry.getKey() + " is " + valueOf(entry.getKey())
                                + ", which is milliseconds and less than calls between islands take; write 3s for three seconds");
        Stream<String> tunnels =
                ineffective("tunnel", island -> isWritten(island, "tunnel") && hasNoGateway(island)).entrySet().stream()
                        .map(entry -> withoutEffect(entry) + ", because no gateway is configured; write "
                                + HighwayKeys.PREFIX + "gateways.dubbo or " + HighwayKeys.PREFIX + "gateways.triple");
        return Stream.of(retries, bulk, tunnels, timeouts, ValueWarnings.of(settings.values()))
                .flatMap(Function.identity())
                .toList();
    }

    private static boolean hasNoGateway(IslandPolicy island) {
        return island.withServices()
                .allMatch(part ->
                        part.dubboGateways().isEmpty() && part.tripleGateways().isEmpty());
    }

    private static boolean isShort(int timeoutMillis) {
        return timeoutMillis > 0 && timeoutMillis < SHORT_MILLIS;
    }

    private String valueOf(String key) {
        return Objects.requireNonNull(settings.get(key)).value();
    }

    private static String withoutEffect(Map.Entry<String, List<String>> entry) {
        return entry.getKey() + " has no effect on calls to " + String.join(", ", entry.getValue());
    }

    /** The islands where a key is ineffective, by the key as it is written. */
    private Map<String, List<String>> ineffective(String name, Predicate<IslandPolicy> isIneffective) {
        Map<String, List<String>> islandsByKey = new TreeMap<>();
        Stream<IslandPolicy> used =
                islands.isEmpty() || unknownToGateway ? islandsAndDefaults() : islands.values().stream();
        used.sorted(Comparator.comparing(IslandPolicy::island))
                .filter(isIneffective)
                .forEach(island -> islandsByKey
                        .computeIfAbsent(keyOf(island, name), any -> new ArrayList<>())
                        .add(island.island().equals("defaults") ? "unknown islands" : island.island()));
        return islandsByKey;
    }

    private boolean isWritten(IslandPolicy island, String name) {
        return settings.get(keyOf(island, name)) != null;
    }

    /** The key that sets a value of an island. */
    private String keyOf(IslandPolicy island, String name) {
        String own = HighwayKeys.PREFIX + "islands." + island.island() + "." + name;
        return settings.get(own) != null ? own : HighwayKeys.PREFIX + "defaults." + name;
    }

    private void addProblems(
            Set<String> problems, IslandPolicy island, String name, List<String> patterns, List<String> methods) {
        String key = keyOf(island, name);
        for (String pattern : patterns) {
            String method = pattern.substring(pattern.indexOf('#') + 1).replace("*", "");
            problems.add(key + ": \"" + pattern + "\" matches no method of "
                    + pattern.substring(0, pattern.indexOf('#')) + ", so it does nothing; its methods are "
                    + String.join(", ", methods) + Suggestions.hint(method, methods));
        }
    }

    /** Every gateway that any destination uses, for each class of calls that it has. */
    public Set<Gateway> gateways() {
        Set<Gateway> all = new LinkedHashSet<>();
        if (unknownToGateway || islands.isEmpty()) {
            addTo(all, defaults);
        }
        islands.values().stream().flatMap(IslandPolicy::withServices).forEach(island -> addTo(all, island));
        return all;
    }

    /** Whether it is a gateway of home and not of a single destination. */
    public boolean isGatewayOfHome(Gateway gateway) {
        return defaults.gateways(gateway.address().kind()).contains(gateway.of(TrafficClass.INTERACTIVE));
    }

    private static void addTo(Set<Gateway> all, IslandPolicy island) {
        for (TrafficClass calls : island.trafficClasses()) {
            for (TunnelKind kind : island.tunnels()) {
                all.addAll(island.gateways(kind, calls));
            }
        }
    }

    /** The keys that sign calls and verify signatures. */
    public SigningKeys signing() {
        return signing;
    }

    /** Settings of the audit trail. */
    public AuditPolicy audit() {
        return audit;
    }

    /** What the guard demands of calls. */
    public GuardPolicy guard() {
        return guard;
    }

    /** Who answers for a caller from another island, or null. */
    public @Nullable String ownerOf(@Nullable Caller caller) {
        return guard.ownerOf(caller, signing.isDemanded());
    }

    /** How many islands a chain of calls may cross. */
    public int maxHops() {
        return maxHops;
    }

    /** The settings of health checks. */
    public HeartbeatPolicy heartbeat() {
        return heartbeat;
    }

    /** How many Dubbo connections each gateway address gets; Triple has one. */
    public int connections() {
        return connections;
    }

    /** The limit of request bytes in flight to each gateway address, per protocol. */
    public OptionalLong maxBytesInFlight() {
        return maxBytesInFlight;
    }

    /** {@code max-buffered} in bytes; empty if it is not set. */
    public OptionalLong maxBuffered() {
        return maxBuffered;
    }

    /** Where the dynamic policy comes from. */
    public PolicySource source() {
        return source;
    }

    /** The dictionaries that the static configuration declares, by name. */
    public Map<String, Dictionary> dictionaries() {
        return dictionaries;
    }

    /** The rule's version, or {@code static}. */
    public String version() {
        return version;
    }

    /** The keys it was read from. */
    public HighwaySettings settings() {
        return settings;
    }

    /** Whether islands are probed after start-up. */
    public Doctoring doctoring() {
        String key = HighwayKeys.DOCTOR.fullKey();
        HighwaySettings.Setting written = settings.get(key);
        return written == null ? HighwayKeys.DOCTOR.generalDefault() : HighwayKeys.DOCTOR.read(key, written.value());
    }

    /** What the rule in force leaves out of the static configuration; nothing without a rule. */
    public Missing missing() {
        return missing;
    }

    /** One line for the log. */
    public String summary() {
        List<String> known = islands.keySet().stream().sorted().toList();
        return "home " + home + ", gateways " + gateways() + ", islands " + known
                + (unknownToGateway ? " and any other the gateway knows" : "") + ", policy " + version;
    }
}
