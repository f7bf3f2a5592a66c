// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy;

import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.network.tls.TlsSettings;
import io.highway.sdk.dubbo.internal.policy.IslandPolicy.Breaking;
import io.highway.sdk.dubbo.internal.policy.IslandPolicy.Bulk;
import io.highway.sdk.dubbo.internal.policy.IslandPolicy.Compression;
import io.highway.sdk.dubbo.internal.policy.IslandPolicy.Concurrency;
import io.highway.sdk.dubbo.internal.policy.Key.Reader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Parses the keys of islands, each {@code islands.<id>.*} over {@code defaults.*}. Used by one thread. */
final class IslandParser {

    /** The most specific pattern first. */
    private static final Comparator<String> MOST_SPECIFIC = Comparator.<String, Boolean>comparing(
                    pattern -> pattern.indexOf('*') >= 0)
            .thenComparing(Comparator.comparingInt(String::length).reversed())
            .thenComparing(Comparator.naturalOrder());

    private final GeneralSettings keys;
    private final Map<String, ZstdDictionary> dictionaries;
    private final boolean readsFiles;

    /** The keys of all islands as written, by id. */
    private final Map<String, Map<String, String>> islands;

    /** The lists of {@code defaults}, by key: parsed once, however many islands have them. */
    private final Map<String, MethodPatterns> defaultPatterns = new HashMap<>();

    /** Null while it is parsed. */
    private @Nullable IslandPolicy defaults;

    /** @param islands the keys of all islands as written; without any, {@code defaults} must be usable by itself */
    IslandParser(
            GeneralSettings keys,
            Map<String, ZstdDictionary> dictionaries,
            boolean readsFiles,
            Map<String, Map<String, String>> islands) {
        this.keys = keys;
        this.dictionaries = dictionaries;
        this.readsFiles = readsFiles;
        this.islands = islands;
        this.defaults = island(null, Map.of());
    }

    /** The policy of islands without keys. */
    IslandPolicy defaults() {
        return Objects.requireNonNull(defaults);
    }

    /** The policy of an island: its own keys first, then {@code defaults}, then the built-in default. */
    IslandPolicy island(@Nullable String id, Map<String, String> own) {
        IslandSettings found = new IslandSettings(keys, id, own);
        Integer timeout = found.written(HighwayKeys.TIMEOUT);
        Set<String> businessKeys = id == null ? null : found.written(HighwayKeys.KEYS);
        IslandPolicy policy = new IslandPolicy(
                id == null ? "defaults" : id,
                "",
                IslandPolicy.Routes.of(found.get(HighwayKeys.TUNNEL), gateways(found), List.of()),
                new IslandPolicy.Calls(
                        fallback(found),
                        timeout == null ? 0 : timeout,
                        found.get(HighwayKeys.RETRIES),
                        patterns(found, HighwayKeys.IDEMPOTENT),
                        patterns(found, HighwayKeys.DENY)),
                new IslandPolicy.Wire(
                        found.get(HighwayKeys.MAX_REQUEST_SIZE),
                        found.get(HighwayKeys.SERIALIZATION),
                        found.get(HighwayKeys.COMPRESSION),
                        id == null ? null : dictionary(found)),
                new IslandPolicy.Limits(
                        concurrency(found.get(HighwayKeys.MAX_CONCURRENT), found.get(HighwayKeys.MAX_WAIT)),
                        new Breaking(
                                found.get(HighwayKeys.BREAKER_FAILURE_RATE), found.get(HighwayKeys.BREAKER_SLOW_CALL)),
                        bulk(found)),
                businessKeys == null ? Set.of() : businessKeys,
                id == null ? null : servedBy(found));
        if ((id != null || islands.isEmpty()) && !policy.isAlias()) {
            requireGatewayFor(policy, found);
        }
        requireTripleForCompression(policy, own);
        requireZstdForDictionary(policy);
        IslandPolicy whole = own.keySet().stream().anyMatch(key -> key.startsWith(HighwayKeys.SERVICES))
                ? withServices(policy, found)
                : policy;
        return policy.isAlias() ? policy.with("", Map.of(), List.of()) : whole; // no call uses its gateways
    }

    /** The id of home means home; an island in {@code defaults} is not the fallback of itself. */
    private IslandPolicy.Fallback fallback(IslandSettings found) {
        String written = found.get(HighwayKeys.FALLBACK);
        boolean isItself = written.equals(found.island()) && !found.hasOwn(HighwayKeys.FALLBACK);
        if (isItself || written.equals(IslandPolicy.NONE)) {
            return IslandPolicy.Fallback.NONE;
        }
        boolean isHome = isHome(written);
        if (isHome && !found.has(HighwayKeys.FALLBACK_METHODS)) {
            return new IslandPolicy.Fallback(IslandPolicy.HOME, MethodPatterns.ALL);
        }
        if (!isHome) {
            requireAnswering(found, HighwayKeys.FALLBACK, written, "none, home, or another of " + islands.keySet());
        }
        MethodPatterns methods = patterns(found, HighwayKeys.FALLBACK_METHODS);
        if (!isHome && methods.isEmpty()) {
            throw new HighwayConfigurationException(
                    found.fullKey(HighwayKeys.FALLBACK_METHODS),
                    "missing, though " + found.fullKey(HighwayKeys.FALLBACK) + " is the island " + written,
                    "Write the methods that " + written + " may serve, such as query*,com.foo.Sms#get*, or * for all");
        }
        return new IslandPolicy.Fallback(isHome ? IslandPolicy.HOME : written, methods);
    }

    private @Nullable TrafficSplit servedBy(IslandSettings found) {
        TrafficSplit servedBy = found.written(HighwayKeys.SERVED_BY);
        for (TrafficSplit.Member member : servedBy == null ? List.<TrafficSplit.Member>of() : servedBy.members()) {
            if (!isHome(member.island()) && !member.island().equals(found.island())) {
                requireAnswering(found, HighwayKeys.SERVED_BY, member.island(), "home, or one of " + islands.keySet());
            }
        }
        return servedBy;
    }

    private boolean isHome(String island) {
        return island.equals(IslandPolicy.HOME) || island.equals(keys.written(HighwayKeys.ISLAND));
    }

    /** An island that answers calls for another one is known, and answers by itself. */
    private void requireAnswering(IslandSettings found, Key<?> key, String island, String allowed) {
        Map<String, String> own = islands.get(island);
        if (own == null || island.equals(found.island())) {
            List<String> words = Stream.concat(Stream.of("none", "home"), islands.keySet().stream())
                    .toList();
            throw HighwayConfigurationException.notAllowed(
                    found.fullKey(key), island, allowed, Suggestions.hint(island, words, "Write one of them"));
        }
        if (own.containsKey(HighwayKeys.SERVED_BY.name())) {
            throw new HighwayConfigurationException(
                    found.fullKey(key),
                    "\"" + island + "\" does not answer by itself: it has served-by",
                    "Write the islands that answer, or remove highway.islands." + island + ".served-by");
        }
    }

    /** With the policies of services that have separate gateways; what they do not set is the island's. */
    private IslandPolicy withServices(IslandPolicy policy, IslandSettings found) {
        Map<TunnelKind, List<GatewaySpec>> ofIsland = policy.routes().gateways();
        Map<String, Map<TunnelKind, List<GatewaySpec>>> byPattern = new TreeMap<>(MOST_SPECIFIC);
        for (TunnelKind kind : TunnelKind.values()) {
            gatewaysOfServices(found, kind).forEach((pattern, gateways) -> byPattern
                    .computeIfAbsent(pattern, any -> new EnumMap<>(ofIsland))
                    .put(kind, gateways));
        }
        List<IslandPolicy> parts = new ArrayList<>();
        byPattern.forEach((pattern, gateways) -> {
            IslandPolicy part = policy.with(pattern, gateways, List.of());
            requireGatewayFor(part, found);
            parts.add(part);
        });
        return policy.with("", ofIsland, List.copyOf(parts));
    }

    private Map<String, List<GatewaySpec>> gatewaysOfServices(IslandSettings found, TunnelKind kind) {
        Reader<List<GatewaySpec>> reader = addresses(found, kind, connectMillis(found, kind));
        String end = ".gateways." + kind;
        Map<String, List<GatewaySpec>> byPattern = new HashMap<>();
        found.own().forEach((name, addresses) -> {
            if (name.startsWith(HighwayKeys.SERVICES) && name.endsWith(end)) {
                byPattern.put(
                        name.substring(HighwayKeys.SERVICES.length(), name.length() - end.length()),
                        reader.read(found.fullKey(name), addresses));
            }
        });
        return byPattern;
    }

    /**
     * Compression from {@code defaults} does not apply to an island without Triple; compression set for such an island
     * is an error.
     */
    private static void requireTripleForCompression(IslandPolicy policy, Map<String, String> own) {
        if (policy.wire().compression() != Compression.NONE
                && own.containsKey(HighwayKeys.COMPRESSION.name())
                && policy.routes().tunnels().stream().noneMatch(TunnelKind::isHttp)) {
            throw new HighwayConfigurationException(
                    HighwayKeys.PREFIX + "islands." + policy.island() + ".compression",
                    "\"" + policy.wire().compression() + "\" contradicts the tunnel: "
                            + policy.routes().tunnels().stream()
                                    .map(TunnelKind::word)
                                    .collect(Collectors.joining(","))
                            + " has no compression",
                    "Write the tunnel triple, http or auto, or the compression none");
        }
    }

    private static void requireZstdForDictionary(IslandPolicy policy) {
        if (policy.wire().dictionary() != null
                && policy.wire().compression() != Compression.ZSTD
                && policy.wire().compression() != Compression.AUTO) {
            throw new HighwayConfigurationException(
                    HighwayKeys.PREFIX + "islands." + policy.island() + ".dictionary",
                    "contradicts the compression " + policy.wire().compression() + ": only zstd has dictionaries",
                    "Write the compression zstd or auto, or the dictionary none");
        }
    }

    /** A dictionary contains fragments of messages, and the lengths of messages reveal them. */
    static void requireOneDictionaryEach(Collection<IslandPolicy> islands) {
        Map<ZstdDictionary, String> known = new HashMap<>();
        for (IslandPolicy island : islands) {
            String other = island.wire().dictionary() == null
                    ? null
                    : known.putIfAbsent(island.wire().dictionary(), island.island());
            if (other != null) {
                throw new HighwayConfigurationException(
                        HighwayKeys.PREFIX + "islands." + island.island() + ".dictionary",
                        "is also the dictionary of " + other + ", and it contains fragments of messages",
                        "Train one for each island");
            }
        }
    }

    /** Keys of a limit are checked even if no call is bulk. */
    private @Nullable Bulk bulk(IslandSettings found) {
        Bulk bulk = new Bulk(
                patterns(found, HighwayKeys.BULK_METHODS),
                found.get(HighwayKeys.BULK_OVER),
                concurrency(found.get(HighwayKeys.BULK_MAX_CONCURRENT), found.get(HighwayKeys.BULK_MAX_WAIT)));
        return bulk.methods().isEmpty() && !bulk.dependsOnSize() ? null : bulk;
    }

    private static Concurrency concurrency(Concurrency limit, int maxWaitMillis) {
        return limit.isUnlimited() ? limit : new Concurrency(limit.max(), limit.adaptive(), maxWaitMillis);
    }

    private @Nullable ZstdDictionary dictionary(IslandSettings found) {
        String name = found.get(HighwayKeys.DICTIONARY);
        ZstdDictionary declared = dictionaries.get(name);
        if (declared == null && !name.equals(ZstdDictionary.NONE)) {
            throw HighwayConfigurationException.notAllowed(
                    found.fullKey(HighwayKeys.DICTIONARY),
                    name,
                    "none, or the name of a dictionary; there are " + dictionaries.keySet(),
                    Suggestions.hint(
                            name, dictionaries.keySet(), "Write highway.dictionaries.<name>=file:<path> statically"));
        }
        return declared;
    }

    private Map<TunnelKind, List<GatewaySpec>> gateways(IslandSettings found) {
        Map<TunnelKind, List<GatewaySpec>> gateways = new EnumMap<>(TunnelKind.class);
        for (TunnelKind kind : TunnelKind.values()) {
            gateways.put(kind, gateways(found, kind));
        }
        return gateways;
    }

    private List<GatewaySpec> gateways(IslandSettings found, TunnelKind kind) {
        if (defaults != null && found.own().keySet().stream().noneMatch(key -> key.startsWith("gateways."))) {
            return defaults.gateways(kind);
        }
        Key<String> key = HighwayKeys.gateways(kind);
        String addresses = found.textOrHomes(key);
        int connectMillis = connectMillis(found, kind);
        return addresses == null
                ? List.of()
                : addresses(found, kind, connectMillis).read(found.fullKeyOrHomes(key), addresses);
    }

    private Reader<List<GatewaySpec>> addresses(IslandSettings found, TunnelKind kind, int connectMillis) {
        TlsSettings tls = TlsParser.read(kind, found, readsFiles);
        ForwardProxy proxy = proxy(found);
        return ValueParser.addresses((key, item) -> GatewaySpec.parse(kind, key, item, tls, proxy, connectMillis));
    }

    /** As with TLS: what neither the island nor {@code defaults} sets is home's, and an empty value means none. */
    private @Nullable ForwardProxy proxy(IslandSettings found) {
        Key<ForwardProxy> key = HighwayKeys.PROXY;
        String text = found.textOrHomes(key);
        if (text == null || text.isEmpty()) {
            return null;
        }
        ForwardProxy proxy = key.read(found.fullKeyOrHomes(key), text);
        if (readsFiles) {
            try {
                String unused = proxy.readPassword();
            } catch (IOException e) {
                throw new HighwayConfigurationException(
                        found.fullKeyOrHomes(key),
                        "the password cannot be read: " + e.getMessage(),
                        "Write user:password@ or user:file:<path>@ before the host");
            }
        }
        return proxy;
    }

    /** An island's own time is for its own addresses; those of home that it has next to them keep home's. */
    private int connectMillis(IslandSettings found, TunnelKind kind) {
        boolean hasAddresses =
                Arrays.stream(TunnelKind.values()).map(HighwayKeys::gateways).anyMatch(found::has);
        boolean homes = !found.has(HighwayKeys.gateways(kind)) && hasAddresses;
        Integer own = homes ? null : found.written(HighwayKeys.CONNECT_TIMEOUT);
        return own != null ? own : keys.get(HighwayKeys.CONNECT_TIMEOUT);
    }

    private MethodPatterns patterns(IslandSettings found, Key<MethodPatterns> key) {
        return found.hasOwn(key)
                ? Objects.requireNonNullElse(found.written(key), MethodPatterns.NONE)
                : defaultPatterns.computeIfAbsent(
                        key.name(), any -> Objects.requireNonNullElse(found.written(key), MethodPatterns.NONE));
    }

    private static void requireGatewayFor(IslandPolicy policy, IslandSettings found) {
        TunnelKind only = policy.onlyTunnel();
        if (only != null && !policy.hasNoGateway() && policy.gateways(only).isEmpty()) {
            throw new HighwayConfigurationException(
                    found.fullKey(HighwayKeys.TUNNEL),
                    "\"" + only + "\" contradicts the gateways: none is configured for " + only,
                    "Write highway.gateways." + only + " or another tunnel");
        }
    }

    /** Calls to one address share a connection, whatever their island. */
    static void requireOneWayOfConnecting(Collection<IslandPolicy> islands) {
        Map<String, GatewaySpec> known = new HashMap<>();
        Set<List<GatewaySpec>> seen = Collections.newSetFromMap(new IdentityHashMap<>()); // most have the same lists
        for (IslandPolicy island :
                islands.stream().flatMap(IslandPolicy::withServices).toList()) {
            for (TunnelKind kind : island.routes().tunnels()) {
                if (!seen.add(island.gateways(kind))) {
                    continue;
                }
                for (GatewaySpec address : island.gateways(kind)) {
                    GatewaySpec other =
                            known.putIfAbsent(kind + " " + address.address().hostAndPort(), address);
                    if (other != null && !other.equals(address)) {
                        throw differs(island, address, other);
                    }
                }
            }
        }
    }

    private static HighwayConfigurationException differs(IslandPolicy island, GatewaySpec address, GatewaySpec other) {
        boolean isTls = !Objects.equals(other.tls(), address.tls());
        boolean isProxy = !isTls && !Objects.equals(other.proxy(), address.proxy());
        String part = isTls ? "tls" : isProxy ? "proxy" : "connect-timeout";
        String same = isTls ? "TLS keys" : isProxy ? "proxy" : "time";
        return new HighwayConfigurationException(
                HighwayKeys.PREFIX
                        + (island.island().equals("defaults") ? "" : "islands." + island.island() + ".")
                        + "gateways." + part,
                "another island reaches " + address.address().hostAndPort() + " with "
                        + (isTls ? "other TLS keys" : "another " + part),
                "Use the same " + same + " for the address, or another address for the island");
    }

    /** The island of each business key. */
    static Map<String, String> byKey(String home, Map<String, IslandPolicy> islands) {
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
