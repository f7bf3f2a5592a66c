// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.config;

import io.highway.sdk.Island;
import io.highway.sdk.IslandId;
import io.highway.sdk.IslandResolver;
import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.HighwaySettings;
import io.highway.sdk.dubbo.HighwaySettings.Setting;
import io.highway.sdk.dubbo.Intent;
import io.highway.sdk.dubbo.IntentSource;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.config.IslandPolicy.Breaking;
import io.highway.sdk.dubbo.internal.config.IslandPolicy.Bulk;
import io.highway.sdk.dubbo.internal.config.IslandPolicy.Compression;
import io.highway.sdk.dubbo.internal.config.IslandPolicy.Concurrency;
import io.highway.sdk.dubbo.internal.connection.tls.GatewayTls;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Parses {@code highway.*} keys into a {@link Policy}, or fails with the first invalid key. One parser for every
 * source.
 */
public final class PolicyParser {

    /** The most specific pattern first. */
    private static final Comparator<String> MOST_SPECIFIC = Comparator.<String, Boolean>comparing(
                    pattern -> pattern.indexOf('*') >= 0)
            .thenComparing(Comparator.comparingInt(String::length).reversed())
            .thenComparing(Comparator.naturalOrder());

    private final GeneralKeys keys = new GeneralKeys(new TreeMap<>());
    private final Map<String, Map<String, String>> islandKeys = new TreeMap<>();
    private final Map<String, Map<String, String>> serviceKeys = new TreeMap<>();
    private final SigningKeysParser signing = new SigningKeysParser();
    private final GuardParser guard = new GuardParser();

    /** The lists of {@code defaults}, by key: parsed once, however many islands have them. */
    private final Map<String, MethodPatterns> defaultPatterns = new HashMap<>();

    private final Map<String, Dictionary> dictionaries = new TreeMap<>();

    private final HighwaySettings settings;
    private final @Nullable IslandResolver resolver;
    private final boolean readsFiles;

    /** Set before the first island is parsed. */
    private @Nullable IslandPolicy defaults;

    private PolicyParser(
            HighwaySettings settings,
            @Nullable IslandResolver resolver,
            @Nullable Map<String, Dictionary> dictionaries) {
        this.settings = settings;
        this.resolver = resolver;
        this.readsFiles = dictionaries == null;
        if (dictionaries != null) {
            this.dictionaries.putAll(dictionaries);
        }
    }

    /**
     * Reads the keys, and the files that they name.
     *
     * @param settings the keys as written
     * @param version where they come from, for messages
     * @param resolver resolves a business key before {@code keys} does, or null if there is none
     * @return the policy, or empty if there is no key at all or {@code highway.enabled} is false
     * @throws HighwayConfigurationException if a key, a value or a file is invalid
     */
    public static Optional<Policy> parse(HighwaySettings settings, String version, @Nullable IslandResolver resolver) {
        return parse(settings, version, resolver, null, Missing.of(settings, settings, version));
    }

    /**
     * Reads the keys, and no file.
     *
     * @param dictionaries what {@code highway.dictionaries} declares, by name; null to read it, and all files
     * @param missing what the settings leave out of the static configuration
     */
    public static Optional<Policy> parse(
            HighwaySettings settings,
            String version,
            @Nullable IslandResolver resolver,
            @Nullable Map<String, Dictionary> dictionaries,
            Missing missing) {
        PolicyParser parser = new PolicyParser(settings, resolver, dictionaries);
        try {
            Map<String, String> entries = settings.values();
            if (entries.isEmpty() || !enabled(entries)) {
                return Optional.empty();
            }
            entries.forEach(parser::sort);
            return Optional.of(parser.policy(version, missing));
        } catch (HighwayConfigurationException e) {
            Setting wrong = settings.get(e.key());
            throw wrong == null ? e : e.at(wrong.origin());
        }
    }

    /** Before all keys are sorted, since a switched-off SDK reports no mistake in the others. */
    private static boolean enabled(Map<String, String> entries) {
        String key = HighwayKeys.ENABLED.fullKey();
        return HighwayKeys.ENABLED.read(key, entries.getOrDefault(key, "true"));
    }

    private void sort(String fullKey, String value) {
        String placeholder = placeholder(value);
        String key = fullKey.substring(HighwayKeys.PREFIX.length());
        if (placeholder != null) {
            throw new HighwayConfigurationException(
                    fullKey,
                    "nothing resolves the placeholder " + (HighwayKeys.isSecret(key) ? "in the secret" : placeholder),
                    "Set that property, or write the value itself");
        }
        if (guard.take(fullKey, key, value)) {
            return;
        }
        if (HighwayKeys.general().containsKey(key)) {
            keys.texts().put(key, value);
        } else if (signing.takes(key, value)) {
            return;
        } else if (key.startsWith(HighwayKeys.DICTIONARIES)) {
            if (readsFiles) {
                String name = key.substring(HighwayKeys.DICTIONARIES.length());
                dictionaries.put(name, Dictionary.read(fullKey, name, value));
            }
        } else if (key.startsWith(HighwayKeys.DEFAULTS)) {
            String name = key.substring(HighwayKeys.DEFAULTS.length());
            requireKnown(fullKey, name, HighwayKeys.PER_ISLAND);
            keys.texts().put(key, value);
        } else if (key.startsWith(HighwayKeys.ISLANDS)) {
            sortIsland(fullKey, key.substring(HighwayKeys.ISLANDS.length()), value);
        } else if (key.startsWith(HighwayKeys.SERVICES)) {
            sortService(fullKey, key.substring(HighwayKeys.SERVICES.length()), value);
        } else {
            throw unknown(fullKey, key);
        }
    }

    /** The first placeholder, or null. A regular expression would take minutes for a text full of unclosed ones. */
    private static @Nullable String placeholder(String value) {
        int start = value.indexOf("${");
        int end = start < 0 ? -1 : value.indexOf('}', start);
        return end < 0 ? null : value.substring(start, end + 1);
    }

    private static HighwayConfigurationException unknown(String fullKey, String key) {
        if (HighwayKeys.GROUPS.contains(key)) {
            return new HighwayConfigurationException(
                    fullKey,
                    "it is a group of keys and has no value itself",
                    switch (key) {
                        case "audit" -> "Write highway.audit.enabled=true";
                        case "dictionaries" -> "Write highway.dictionaries.<name>=file:<path>";
                        case "gateways" -> "Write highway.gateways.dubbo or highway.gateways.triple";
                        case "guard" -> "Write highway.guard.gateways, .home, .require, .mode or .rules.<name>.action";
                        case "heartbeat" -> "Write highway.heartbeat.interval, .slow or .service";
                        case "islands" -> "Write a key of each island, such as highway.islands.<id>.tunnel=auto";
                        case "services" -> "Write highway.services.<interface>.island or .require-island";
                        case "policy" -> "Write highway.policy.source, .wait, .directory or .on-delete";
                        case "sign" -> "Write highway.sign.key-id and highway.sign.secret";
                        default -> "Write highway.defaults.<key>, such as highway.defaults.timeout";
                    });
        }
        if (HighwayKeys.ofIsland().containsKey(key)) {
            return new HighwayConfigurationException(
                    fullKey,
                    "there is no such key",
                    "Write highway.islands.<id>." + key
                            + (HighwayKeys.PER_ISLAND.contains(key) ? ", or highway.defaults." + key : ""));
        }
        String group = key.substring(0, Math.max(key.indexOf('.'), 0));
        boolean isGroupWrong = Suggestions.nearest(key, HighwayKeys.general().keySet()) == null
                && !HighwayKeys.GROUPS.contains(group)
                && Suggestions.nearest(group, HighwayKeys.GROUPS) != null;
        List<String> known = new ArrayList<>(HighwayKeys.general().keySet());
        HighwayKeys.GROUPS.forEach(name -> known.add(name + ".*"));
        return new HighwayConfigurationException(
                fullKey,
                "there is no such key",
                isGroupWrong ? Suggestions.hintOrList(group, HighwayKeys.GROUPS) : hint(key, known));
    }

    /** As {@link Suggestions#hintOrList}, and for {@code gateway} the two keys that it may mean. */
    private static String hint(String name, Collection<String> known) {
        boolean isAnyGateway = name.indexOf('.') < 0
                && known.contains(HighwayKeys.DUBBO_GATEWAYS.name())
                && Suggestions.nearest(name, known) == null
                && Suggestions.find(name, List.of("gateways")) != null;
        return isAnyGateway
                ? "Did you mean \"gateways.dubbo\" or \"gateways.triple\"?"
                : Suggestions.hintOrList(name, known);
    }

    private void sortIsland(String fullKey, String rest, String value) {
        int dot = rest.indexOf('.');
        String id = dot < 0 ? rest : rest.substring(0, dot);
        if (!IslandId.isValid(id)) {
            throw new HighwayConfigurationException(
                    fullKey, IslandId.problem("island", id), "Write highway.islands.<id>.<key>");
        }
        String name = dot < 0 ? "" : rest.substring(dot + 1);
        if (name.startsWith(HighwayKeys.SERVICES)) {
            requireServices(fullKey, name.substring(HighwayKeys.SERVICES.length()));
        } else {
            requireKnown(fullKey, name, HighwayKeys.ofIsland().keySet());
        }
        islandKeys.computeIfAbsent(id, any -> new LinkedHashMap<>()).put(name, value);
    }

    /** Of a key such as {@code com.foo.billing.*.gateways.dubbo}. */
    private static void requireServices(String fullKey, String rest) {
        int end = Math.max(("." + rest).lastIndexOf(".gateways"), 0);
        String pattern = rest.substring(0, Math.max(end - 1, 0));
        requireKnown(fullKey, rest.substring(end), HighwayKeys.OF_SERVICES);
        if (!ValueParser.isInterface(pattern)) {
            throw HighwayConfigurationException.notAllowed(
                    fullKey,
                    pattern,
                    "an interface, with at most one star",
                    "Write highway.islands.<id>.services.<interface pattern>.gateways.dubbo or .triple, such as"
                            + " highway.islands.<id>.services.com.foo.billing.*.gateways.dubbo");
        }
    }

    private void sortService(String fullKey, String rest, String value) {
        int dot = rest.lastIndexOf('.');
        String name = rest.substring(dot + 1);
        requireKnown(fullKey, name, HighwayKeys.PER_SERVICE);
        if (dot < 1) {
            throw new HighwayConfigurationException(
                    fullKey, "the interface is missing", "Write highway.services.<interface>." + name);
        }
        String service = rest.substring(0, dot);
        if (!ValueParser.isInterface(service) || service.indexOf('*') >= 0) {
            throw new HighwayConfigurationException(
                    fullKey,
                    "\"" + IslandId.printable(service) + "\" is not an interface",
                    "Write highway.services.<interface>." + name
                            + ", such as highway.services.com.foo.SmsService." + name
                            + "; it applies to every group and version");
        }
        serviceKeys
                .computeIfAbsent(rest.substring(0, dot), any -> new LinkedHashMap<>())
                .put(name, value);
    }

    private static void requireKnown(String fullKey, String name, Collection<String> known) {
        if (!known.contains(name)) {
            throw new HighwayConfigurationException(fullKey, "there is no such key", hint(name, known));
        }
    }

    private Policy policy(String version, Missing missing) {
        String home = home();
        IslandPolicy unnamed = island(null, Map.of());
        defaults = unnamed;
        Map<String, IslandPolicy> islands = new LinkedHashMap<>();
        islandKeys.forEach((id, own) -> islands.put(id, island(id, own)));
        boolean unknownToGateway = keys.get(HighwayKeys.UNKNOWN_ISLANDS).equals("gateway");
        List<IslandPolicy> reached = new ArrayList<>(islands.values());
        if (unknownToGateway) {
            reached.add(unnamed);
        }
        requireOneWayOfConnecting(reached);
        requireOneDictionaryEach(reached);
        Doctoring unused = keys.get(HighwayKeys.DOCTOR); // read from the settings in force when it is needed
        SigningKeys signingKeys = signing.read(keys, islandKeys);
        return new Policy(
                home,
                islands,
                unnamed,
                unknownToGateway,
                services(),
                requireIsland(),
                islandByKey(home, islands),
                signingKeys,
                new AuditPolicy(
                        keys.get(HighwayKeys.AUDIT_ENABLED),
                        keys.get(HighwayKeys.AUDIT_START),
                        keys.get(HighwayKeys.AUDIT_OVERFLOW).equals("refuse")),
                guard.policy(keys, signingKeys),
                keys.get(HighwayKeys.MAX_HOPS),
                new HeartbeatPolicy(
                        keys.get(HighwayKeys.HEARTBEAT_INTERVAL),
                        keys.get(HighwayKeys.HEARTBEAT_SLOW),
                        keys.written(HighwayKeys.HEARTBEAT_SERVICE)),
                keys.get(HighwayKeys.CONNECTIONS),
                optional(keys.written(HighwayKeys.MAX_BYTES_IN_FLIGHT)),
                optional(keys.written(HighwayKeys.MAX_BUFFERED)),
                PolicySourceParser.read(keys),
                dictionaries,
                version,
                settings,
                missing,
                resolver);
    }

    /** Empty for the default, which depends on the process's memory. */
    private static OptionalLong optional(@Nullable Long bytes) {
        return bytes == null ? OptionalLong.empty() : OptionalLong.of(bytes);
    }

    private String home() {
        String key = HighwayKeys.ISLAND.fullKey();
        String home = keys.written(HighwayKeys.ISLAND);
        if (home == null || home.isEmpty()) {
            throw new HighwayConfigurationException(
                    key,
                    "missing, though other highway.* keys are set",
                    "Write the id of the island this process runs in, such as highway.island=zhejiang, or"
                            + " highway.enabled=false");
        }
        if (!IslandId.isValid(home)) {
            throw new HighwayConfigurationException(key, IslandId.problem("island", home), "Write the island's id");
        }
        return home;
    }

    /** A destination's keys: its own first, then {@code defaults}, then the built-in default. */
    private IslandPolicy island(@Nullable String id, Map<String, String> own) {
        IslandKeys found = new IslandKeys(keys, id, own);
        Integer timeout = found.written(HighwayKeys.TIMEOUT);
        Set<String> businessKeys = id == null ? null : found.written(HighwayKeys.KEYS);
        IslandPolicy policy = new IslandPolicy(
                id == null ? "defaults" : id,
                "",
                found.get(HighwayKeys.TUNNEL),
                gateways(found, TunnelKind.DUBBO),
                gateways(found, TunnelKind.TRIPLE),
                List.of(),
                found.get(HighwayKeys.FALLBACK).equals("home"),
                timeout == null ? 0 : timeout,
                found.get(HighwayKeys.RETRIES),
                patterns(found, HighwayKeys.IDEMPOTENT),
                found.get(HighwayKeys.MAX_REQUEST_SIZE),
                found.get(HighwayKeys.SERIALIZATION),
                found.get(HighwayKeys.COMPRESSION),
                id == null ? null : dictionary(found),
                concurrency(found.get(HighwayKeys.MAX_CONCURRENT), found.get(HighwayKeys.MAX_WAIT)),
                new Breaking(found.get(HighwayKeys.BREAKER_FAILURE_RATE), found.get(HighwayKeys.BREAKER_SLOW_CALL)),
                patterns(found, HighwayKeys.DENY),
                businessKeys == null ? Set.of() : businessKeys,
                bulk(found));
        if (id != null || islandKeys.isEmpty()) {
            requireGatewayFor(policy, found);
        }
        requireTripleForCompression(policy, own);
        requireZstdForDictionary(policy);
        return own.keySet().stream().anyMatch(key -> key.startsWith(HighwayKeys.SERVICES))
                ? withServices(policy, found)
                : policy;
    }

    /** With the policies of services that have gateways of their own; what they do not set is the island's. */
    private IslandPolicy withServices(IslandPolicy policy, IslandKeys found) {
        Map<String, List<Gateway>> dubbo = gatewaysOfServices(found, TunnelKind.DUBBO);
        Map<String, List<Gateway>> triple = gatewaysOfServices(found, TunnelKind.TRIPLE);
        Set<String> patterns = new TreeSet<>(MOST_SPECIFIC);
        patterns.addAll(dubbo.keySet());
        patterns.addAll(triple.keySet());
        List<IslandPolicy> parts = new ArrayList<>();
        for (String pattern : patterns) {
            IslandPolicy part = policy.with(
                    pattern,
                    dubbo.getOrDefault(pattern, policy.dubboGateways()),
                    triple.getOrDefault(pattern, policy.tripleGateways()),
                    List.of());
            requireGatewayFor(part, found);
            parts.add(part);
        }
        return policy.with("", policy.dubboGateways(), policy.tripleGateways(), List.copyOf(parts));
    }

    private Map<String, List<Gateway>> gatewaysOfServices(IslandKeys found, TunnelKind kind) {
        GatewayTls tls = TlsParser.read(kind, found, readsFiles);
        int connectMillis = connectMillis(found, kind);
        String end = ".gateways." + kind;
        Map<String, List<Gateway>> byPattern = new HashMap<>();
        found.own().forEach((name, addresses) -> {
            if (name.startsWith(HighwayKeys.SERVICES) && name.endsWith(end)) {
                byPattern.put(
                        name.substring(HighwayKeys.SERVICES.length(), name.length() - end.length()),
                        ValueParser.addresses(kind, found.fullKey(name), addresses, tls, connectMillis));
            }
        });
        return byPattern;
    }

    /**
     * Compression from {@code defaults} does not apply to an island without Triple; compression set for such an island
     * is an error.
     */
    private static void requireTripleForCompression(IslandPolicy policy, Map<String, String> own) {
        if (policy.compression() != Compression.NONE
                && own.containsKey(HighwayKeys.COMPRESSION.name())
                && !policy.tunnels().contains(TunnelKind.TRIPLE)) {
            throw new HighwayConfigurationException(
                    HighwayKeys.PREFIX + "islands." + policy.island() + ".compression",
                    "\"" + policy.compression() + "\" contradicts the tunnel: dubbo has no compression",
                    "Write the tunnel triple or auto, or the compression none");
        }
    }

    private static void requireZstdForDictionary(IslandPolicy policy) {
        if (policy.dictionary() != null
                && policy.compression() != Compression.ZSTD
                && policy.compression() != Compression.AUTO) {
            throw new HighwayConfigurationException(
                    HighwayKeys.PREFIX + "islands." + policy.island() + ".dictionary",
                    "contradicts the compression " + policy.compression() + ": only zstd has dictionaries",
                    "Write the compression zstd or auto, or the dictionary none");
        }
    }

    /** A dictionary contains fragments of messages, and the lengths of messages reveal them. */
    private static void requireOneDictionaryEach(Collection<IslandPolicy> islands) {
        Map<Dictionary, String> known = new HashMap<>();
        for (IslandPolicy island : islands) {
            String other = island.dictionary() == null ? null : known.putIfAbsent(island.dictionary(), island.island());
            if (other != null) {
                throw new HighwayConfigurationException(
                        HighwayKeys.PREFIX + "islands." + island.island() + ".dictionary",
                        "is also the dictionary of " + other + ", and it contains fragments of messages",
                        "Train one for each island");
            }
        }
    }

    /** Keys of a limit are checked even if no call is bulk. */
    private @Nullable Bulk bulk(IslandKeys found) {
        Bulk bulk = new Bulk(
                patterns(found, HighwayKeys.BULK_METHODS),
                found.get(HighwayKeys.BULK_OVER),
                concurrency(found.get(HighwayKeys.BULK_MAX_CONCURRENT), found.get(HighwayKeys.BULK_MAX_WAIT)));
        return bulk.methods().isEmpty() && !bulk.dependsOnSize() ? null : bulk;
    }

    private static Concurrency concurrency(Concurrency limit, int maxWaitMillis) {
        return limit.isUnlimited() ? limit : new Concurrency(limit.max(), limit.adaptive(), maxWaitMillis);
    }

    private @Nullable Dictionary dictionary(IslandKeys found) {
        String name = found.get(HighwayKeys.DICTIONARY);
        Dictionary declared = dictionaries.get(name);
        if (declared == null && !name.equals(Dictionary.NONE)) {
            throw HighwayConfigurationException.notAllowed(
                    found.fullKey(HighwayKeys.DICTIONARY),
                    name,
                    "none, or the name of a dictionary; there are " + dictionaries.keySet(),
                    Suggestions.hint(
                            name, dictionaries.keySet(), "Write highway.dictionaries.<name>=file:<path> statically"));
        }
        return declared;
    }

    private List<Gateway> gateways(IslandKeys found, TunnelKind kind) {
        if (defaults != null && found.own().keySet().stream().noneMatch(key -> key.startsWith("gateways."))) {
            return defaults.gateways(kind);
        }
        Key<String> key = addresses(kind);
        String addresses = found.textOrHomes(key);
        int connectMillis = connectMillis(found, kind);
        return addresses == null
                ? List.of()
                : ValueParser.addresses(
                        kind,
                        found.fullKeyOrHomes(key),
                        addresses,
                        TlsParser.read(kind, found, readsFiles),
                        connectMillis);
    }

    private static Key<String> addresses(TunnelKind kind) {
        return kind == TunnelKind.DUBBO ? HighwayKeys.DUBBO_GATEWAYS : HighwayKeys.TRIPLE_GATEWAYS;
    }

    /** An island's own time is for its own addresses; those of home that it has beside them keep home's. */
    private int connectMillis(IslandKeys found, TunnelKind kind) {
        boolean hasAddresses = found.has(HighwayKeys.DUBBO_GATEWAYS) || found.has(HighwayKeys.TRIPLE_GATEWAYS);
        boolean homes = !found.has(addresses(kind)) && hasAddresses;
        Integer own = homes ? null : found.written(HighwayKeys.CONNECT_TIMEOUT);
        return own != null ? own : keys.get(HighwayKeys.CONNECT_TIMEOUT);
    }

    private MethodPatterns patterns(IslandKeys found, Key<MethodPatterns> key) {
        if (!found.has(key)) {
            return MethodPatterns.NONE;
        }
        return found.hasOwn(key)
                ? Objects.requireNonNull(found.written(key))
                : defaultPatterns.computeIfAbsent(
                        found.fullKey(key), any -> Objects.requireNonNull(found.written(key)));
    }

    private static void requireGatewayFor(IslandPolicy policy, IslandKeys found) {
        TunnelKind only = policy.onlyTunnel();
        boolean anyGateway =
                !policy.dubboGateways().isEmpty() || !policy.tripleGateways().isEmpty();
        if (only != null && anyGateway && policy.gateways(only).isEmpty()) {
            throw new HighwayConfigurationException(
                    found.fullKey(HighwayKeys.TUNNEL),
                    "\"" + only + "\" contradicts the gateways: none is configured for " + only,
                    "Write highway.gateways." + only + " or another tunnel");
        }
    }

    /** Calls to one address share a connection, whatever their island. */
    private static void requireOneWayOfConnecting(Collection<IslandPolicy> islands) {
        Map<String, Gateway> known = new HashMap<>();
        Set<List<Gateway>> seen = Collections.newSetFromMap(new IdentityHashMap<>()); // most have the same lists
        for (IslandPolicy island :
                islands.stream().flatMap(IslandPolicy::withServices).toList()) {
            for (TunnelKind kind : island.tunnels()) {
                if (!seen.add(island.gateways(kind))) {
                    continue;
                }
                for (Gateway address : island.gateways(kind)) {
                    Gateway other =
                            known.putIfAbsent(kind + " " + address.address().hostAndPort(), address);
                    if (other != null && !other.equals(address)) {
                        boolean same = Objects.equals(other.tls(), address.tls());
                        String keys = same ? "connect-timeout" : "tls";
                        throw new HighwayConfigurationException(
                                HighwayKeys.PREFIX
                                        + (island.island().equals("defaults") ? "" : "islands." + island.island() + ".")
                                        + "gateways." + keys,
                                "another island reaches " + address.address().hostAndPort() + " with "
                                        + (same ? "another connect-timeout" : "other TLS keys"),
                                "Use the same " + (same ? "time" : "TLS keys")
                                        + " for the address, or another address for the island");
                    }
                }
            }
        }
    }

    private Map<String, Intent> services() {
        Map<String, Intent> services = new LinkedHashMap<>();
        serviceKeys.forEach((name, own) -> {
            String key = HighwayKeys.PREFIX + "services." + name + ".island";
            String island = own.get("island");
            if (island == null && !own.containsKey("when")) {
                return; // require-island stands alone
            }
            if (island == null) {
                throw new HighwayConfigurationException(
                        key,
                        "missing, though highway.services." + name + ".when is set",
                        "Write the island's id or remove both");
            }
            if (!IslandId.isValid(island)) {
                throw new HighwayConfigurationException(
                        key, IslandId.problem("island", island), "Write an island's id");
            }
            boolean isKnown = islandKeys.containsKey(island) || island.equals(keys.written(HighwayKeys.ISLAND));
            if (!isKnown && keys.get(HighwayKeys.UNKNOWN_ISLANDS).equals("refuse")) {
                throw HighwayConfigurationException.notAllowed(
                        key,
                        island,
                        "the configured islands " + islandKeys.keySet(),
                        Suggestions.hint(
                                island,
                                islandKeys.keySet(),
                                "Write highway.islands." + island + ".tunnel=auto or correct the id"));
            }
            String when = ValueParser.oneOf(
                    HighwayKeys.PREFIX + "services." + name + ".when",
                    own.getOrDefault("when", "always"),
                    List.of("always", "home-absent"));
            services.put(
                    name,
                    Intent.of(
                            IntentSource.CONFIGURATION,
                            island,
                            when.equals("always") ? Island.When.ALWAYS : Island.When.HOME_ABSENT));
        });
        return services;
    }

    /** The services whose calls must name an island. */
    private Set<String> requireIsland() {
        Set<String> required = new LinkedHashSet<>();
        serviceKeys.forEach((name, own) -> {
            String key = HighwayKeys.PREFIX + "services." + name + ".require-island";
            if (ValueParser.flag(key, own.getOrDefault("require-island", "false"))) {
                if (own.containsKey("island")) {
                    throw new HighwayConfigurationException(
                            key,
                            "\"true\" contradicts highway.services." + name
                                    + ".island, which names an island for every call",
                            "Remove one of them");
                }
                required.add(name);
            }
        });
        return required;
    }

    private static Map<String, String> islandByKey(String home, Map<String, IslandPolicy> islands) {
        Map<String, String> islandByKey = new TreeMap<>();
        islands.forEach((id, island) -> island.keys().forEach(key -> {
            if (!key.equals(id) && (islands.containsKey(key) || key.equals(home))) {
                throw new HighwayConfigurationException(
                        HighwayKeys.PREFIX + "islands." + id + ".keys",
                        "\"" + key + "\" is the id of another island, and a key that is an id means that island",
                        "Remove it, or write a business key of " + id);
            }
            String other = islandByKey.putIfAbsent(key, id);
            if (other != null) {
                throw new HighwayConfigurationException(
                        HighwayKeys.PREFIX + "islands." + id + ".keys",
                        "\"" + key + "\" already means " + other,
                        "Let each key mean one island");
            }
        }));
        return islandByKey;
    }
}
