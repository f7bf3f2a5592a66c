// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy;

import io.highway.sdk.Island;
import io.highway.sdk.IslandId;
import io.highway.sdk.IslandResolver;
import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.Intent;
import io.highway.sdk.dubbo.IntentSource;
import io.highway.sdk.internal.Texts;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Parses {@code highway.*} keys into a {@link Policy}, or fails with the first invalid key. One parser for every
 * source.
 */
public final class PolicyParser {

    private final GeneralSettings keys;
    private final Map<String, Map<String, String>> islandKeys = new TreeMap<>();
    private final Map<String, Map<String, String>> serviceKeys = new TreeMap<>();
    private final SigningKeysParser signing = new SigningKeysParser();
    private final GuardParser guard;

    private final Map<String, ZstdDictionary> dictionaries = new TreeMap<>();

    private final RawSettings settings;
    private final @Nullable IslandResolver resolver;
    private final boolean readsFiles;
    private final Mistakes mistakes;

    private PolicyParser(
            RawSettings settings,
            @Nullable IslandResolver resolver,
            @Nullable Map<String, ZstdDictionary> dictionaries,
            Mistakes mistakes) {
        this.settings = settings;
        this.mistakes = mistakes;
        this.keys = new GeneralSettings(new TreeMap<>(), mistakes);
        this.guard = new GuardParser(mistakes);
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
    public static Optional<Policy> parse(RawSettings settings, String version, @Nullable IslandResolver resolver) {
        return parse(
                settings, version, resolver, null, RuleDifferences.of(settings, settings, version), new Mistakes(1));
    }

    /**
     * Reads the keys, and no file.
     *
     * @param dictionaries what {@code highway.dictionaries} declares, by name; null to read it, and all files
     * @param missing what the settings leave out of the static configuration
     * @param mistakes takes those in the keys
     */
    public static Optional<Policy> parse(
            RawSettings settings,
            String version,
            @Nullable IslandResolver resolver,
            @Nullable Map<String, ZstdDictionary> dictionaries,
            RuleDifferences missing,
            Mistakes mistakes) {
        PolicyParser parser = new PolicyParser(settings, resolver, dictionaries, mistakes);
        try {
            Map<String, String> entries = settings.values();
            if (entries.isEmpty() || !enabled(entries)) {
                return Optional.empty();
            }
            entries.forEach((key, value) -> mistakes.check(() -> parser.sort(key, value)));
            return Optional.of(parser.policy(version, missing));
        } catch (HighwayConfigurationException e) {
            throw settings.located(e);
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
                dictionaries.put(name, ZstdDictionary.read(fullKey, name, value));
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
                        case "gateways" ->
                            "Write highway.gateways.dubbo, highway.gateways.triple or highway.gateways.http";
                        case "guard" -> "Write highway.guard.gateways, .home, .require, .mode or .rules.<name>.action";
                        case "heartbeat" -> "Write highway.heartbeat.interval, .slow or .service";
                        case "islands" -> "Write a key of each island, such as highway.islands.<id>.tunnel=auto";
                        case "services" -> "Write highway.services.<interface>.island or .require-island";
                        case "policy" -> "Write highway.policy.source, .directory or .fixed";
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

    /** As {@link Suggestions#hintOrList}, and for {@code gateway} the keys that it may mean. */
    private static String hint(String name, Collection<String> known) {
        boolean isAnyGateway = name.indexOf('.') < 0
                && known.containsAll(HighwayKeys.OF_SERVICES)
                && Suggestions.nearest(name, known) == null
                && Suggestions.find(name, List.of("gateways")) != null;
        return isAnyGateway
                ? "Did you mean \"" + String.join("\" or \"", HighwayKeys.OF_SERVICES) + "\"?"
                : Suggestions.hintOrList(name, known);
    }

    private void sortIsland(String fullKey, String rest, String value) {
        int dot = rest.indexOf('.');
        String id = dot < 0 ? rest : rest.substring(0, dot);
        if (!IslandId.isValid(id)) {
            throw new HighwayConfigurationException(
                    fullKey, Texts.islandProblem("island", id), "Write highway.islands.<id>.<key>");
        }
        Map<String, String> own = islandKeys.computeIfAbsent(id, any -> new LinkedHashMap<>());
        String name = dot < 0 ? "" : rest.substring(dot + 1);
        if (name.startsWith(HighwayKeys.SERVICES)) {
            requireServices(fullKey, name.substring(HighwayKeys.SERVICES.length()));
        } else {
            requireKnown(fullKey, name, HighwayKeys.ofIsland().keySet());
        }
        own.put(name, value);
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
                    "Write highway.islands.<id>.services.<interface pattern>.gateways.dubbo, .triple or .http, such as"
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
                    "\"" + Texts.printable(service) + "\" is not an interface",
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

    private Policy policy(String version, RuleDifferences missing) {
        String home = home();
        IslandParser parser = new IslandParser(keys, dictionaries, readsFiles, islandKeys);
        IslandPolicy unnamed = parser.defaults();
        Map<String, IslandPolicy> islands = new LinkedHashMap<>();
        islandKeys.forEach((id, own) -> mistakes.check(() -> islands.put(id, parser.island(id, own))));
        IslandParser.requireOneWayOfConnecting(islands.values());
        IslandParser.requireOneDictionaryEach(islands.values());
        boolean unused = keys.get(HighwayKeys.DOCTOR); // read from the active settings when it is needed
        SigningKeys signingKeys = signing.read(keys, islandKeys);
        return new Policy(
                new Policy.Local(
                        home,
                        keys.get(HighwayKeys.MAX_HOPS),
                        new HealthCheckPolicy(
                                keys.get(HighwayKeys.HEARTBEAT_INTERVAL),
                                keys.get(HighwayKeys.HEARTBEAT_SLOW),
                                keys.written(HighwayKeys.HEARTBEAT_SERVICE)),
                        keys.get(HighwayKeys.HTTP_CONNECTIONS),
                        optional(keys.written(HighwayKeys.MAX_BYTES_IN_FLIGHT)),
                        optional(keys.written(HighwayKeys.MAX_BUFFERED)),
                        keys.written(HighwayKeys.HTTP_PORT)),
                IslandPolicies.configured(islands, unnamed, IslandParser.byKey(home, islands), resolver),
                new Policy.Services(services(), requireIsland()),
                signingKeys,
                new AuditPolicy(
                        keys.get(HighwayKeys.AUDIT_ENABLED),
                        keys.get(HighwayKeys.AUDIT_START),
                        keys.get(HighwayKeys.AUDIT_OVERFLOW).equals("refuse")),
                guard.policy(keys, home, signingKeys, missing.callers()),
                new Policy.Origin(version, settings, PolicySourceParser.read(keys), Map.copyOf(dictionaries), missing));
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
            throw new HighwayConfigurationException(key, Texts.islandProblem("island", home), "Write the island's id");
        }
        return home;
    }

    private Map<String, Intent> services() {
        Map<String, Intent> services = new LinkedHashMap<>();
        serviceKeys.forEach((name, own) -> {
            if (own.containsKey("island") || own.containsKey("when")) { // require-island needs no other key
                mistakes.check(() -> services.put(name, service(HighwayKeys.PREFIX + "services." + name, own)));
            }
        });
        return services;
    }

    private Intent service(String prefix, Map<String, String> own) {
        String key = prefix + ".island";
        String island = own.get("island");
        if (island == null) {
            throw new HighwayConfigurationException(
                    key, "missing, though " + prefix + ".when is set", "Write the island's id or remove both");
        }
        if (!IslandId.isValid(island)) {
            throw new HighwayConfigurationException(key, Texts.islandProblem("island", island), "Write an island's id");
        }
        if (!islandKeys.containsKey(island) && !island.equals(keys.written(HighwayKeys.ISLAND))) {
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
                prefix + ".when", own.getOrDefault("when", "always"), List.of("always", "home-absent"));
        return Intent.of(
                IntentSource.CONFIGURATION,
                island,
                when.equals("always") ? Island.When.ALWAYS : Island.When.HOME_ABSENT);
    }

    /** The services whose calls must name an island. */
    private Set<String> requireIsland() {
        Set<String> required = new LinkedHashSet<>();
        serviceKeys.forEach((name, own) -> {
            String key = HighwayKeys.PREFIX + "services." + name + ".require-island";
            if (ValueParser.FLAG.read(key, own.getOrDefault("require-island", "false"))) {
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
}
