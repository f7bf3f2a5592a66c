// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.config.source;

import io.highway.sdk.IslandResolver;
import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.internal.compression.ZstdLibrary;
import io.highway.sdk.dubbo.internal.config.Dictionary;
import io.highway.sdk.dubbo.internal.config.HighwayKeys;
import io.highway.sdk.dubbo.internal.config.HighwaySettings;
import io.highway.sdk.dubbo.internal.config.HighwaySettings.Setting;
import io.highway.sdk.dubbo.internal.config.IslandPolicy;
import io.highway.sdk.dubbo.internal.config.Missing;
import io.highway.sdk.dubbo.internal.config.Policy;
import io.highway.sdk.dubbo.internal.config.PolicyParser;
import io.highway.sdk.dubbo.internal.config.Suggestions;
import io.highway.sdk.dubbo.internal.config.source.RuleText.Entry;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A rule of the dynamic policy, and the policy it gives over a static configuration. Immutable.
 *
 * <ol>
 *   <li>A group of keys that the rule names replaces the static group as a whole.
 *   <li>A group that it does not name keeps its static keys.
 *   <li>Static keys that a rule may not set stay: {@code gateways.tls.*} of {@code defaults} and of the islands that
 *       the rule names, {@code sign.*} of these islands, what {@code policy.fixed} lists, {@code guard.mode}, the static
 *       rules of the guard, and {@code require-island} of a service.
 *   <li>What is denied statically stays denied: the rule adds to it.
 * </ol>
 *
 * @param policy the policy, whose version is {@code version}
 * @param version the label of the rule, or the first characters of its hash
 * @param hash the SHA-256 of the text, which identifies the rule
 * @param usesStatic whether the rule returns to the static configuration
 */
record PolicyRule(Policy policy, String version, String hash, boolean usesStatic) {

    private static final String VERSION = "version";
    private static final String USE_STATIC = "use-static";
    private static final String ISLANDS = HighwayKeys.ISLANDS;
    private static final String GUARD_RULES = "guard.rules.";
    private static final String GUARD_MODE = "guard.mode";
    private static final String GUARD_CALLERS = "guard.callers.";
    private static final String UNKNOWN_CALLERS = HighwayKeys.PREFIX + "guard.unknown-callers";
    private static final String DEFAULT_DENY = HighwayKeys.PREFIX + "defaults.deny";
    private static final int SHORT_HASH = 8;

    /** Each has some 6 KB of health. */
    private static final int MOST_ENDPOINTS = 10_000;

    private static final Pattern LABEL = Pattern.compile("[\\p{L}\\p{M}\\p{N}\\p{P}\\p{S} ]{1,64}");

    /**
     * Reads a rule.
     *
     * @param text YAML with the keys of the static configuration, without {@code highway.}
     * @param staticSettings the static configuration
     * @param dictionaries those that it declares; a rule names them, and no file is read for it
     * @param resolver resolves a business key before {@code keys} does, or null if there is none
     * @param source where the text comes from, for messages
     * @param formerly the islands that earlier rules named
     * @throws HighwayConfigurationException for the first error, with its key, and its line as origin
     */
    static PolicyRule read(
            String text,
            HighwaySettings staticSettings,
            Map<String, Dictionary> dictionaries,
            @Nullable IslandResolver resolver,
            String source,
            Set<String> formerly) {
        PolicyRule rule = of(RuleText.read(text), hash(text), staticSettings, dictionaries, resolver, source, formerly);
        ZstdLibrary.requireFor(rule.policy);
        return rule;
    }

    /** As {@link #read}, of the entries of a text with this hash. */
    static PolicyRule of(
            Map<String, Entry> written,
            String hash,
            HighwaySettings staticSettings,
            Map<String, Dictionary> dictionaries,
            @Nullable IslandResolver resolver,
            String source,
            Set<String> formerly) {
        Map<String, Entry> entries = new LinkedHashMap<>(written);
        String version = version(entries.remove(VERSION), hash);
        boolean usesStatic = usesStatic(entries.remove(USE_STATIC), entries);
        HighwaySettings settings = usesStatic ? staticSettings : merged(entries, staticSettings);
        try {
            Missing missing = Missing.of(staticSettings, settings, "policy " + version + " (" + source + ")")
                    .after(formerly);
            Policy policy = PolicyParser.parse(settings, version, resolver, dictionaries, missing)
                    .orElseThrow(() -> new HighwayConfigurationException(
                            RuleText.NAME,
                            "the static configuration is switched off or has no key",
                            "Write at least highway.island statically"));
            if (!usesStatic) {
                requireBounded(policy);
            }
            return new PolicyRule(policy, version, hash, usesStatic);
        } catch (HighwayConfigurationException e) {
            throw e.origin() != null ? e : e.at(nearestOrigin(e.key(), entries));
        }
    }

    private static void requireBounded(Policy policy) {
        int endpoints = 0;
        for (String island : policy.knownIslands()) {
            IslandPolicy known = policy.forIsland(island);
            endpoints += known == null ? 0 : known.endpoints();
            if (known != null && known.ofServices().size() > RuleText.MOST_ITEMS) {
                throw new HighwayConfigurationException(
                        HighwayKeys.PREFIX + ISLANDS + island + ".services",
                        "the island has more than " + RuleText.MOST_ITEMS + " patterns of services",
                        "Write fewer, such as patterns with a star");
            }
            if (endpoints > MOST_ENDPOINTS) {
                throw new HighwayConfigurationException(
                        HighwayKeys.PREFIX + ISLANDS + island,
                        "the islands have more than " + MOST_ENDPOINTS + " gateways together, bulk calls counted apart",
                        "Write fewer islands, or fewer addresses of gateways");
            }
        }
    }

    /** The identity of a rule: the SHA-256 of its text, in hexadecimal digits. */
    static String hash(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }

    static String shortHash(String hash) {
        return hash.substring(0, SHORT_HASH);
    }

    /** The label of a text that may be no valid rule, or the first characters of its hash. */
    static String versionOf(String text) {
        String hash = hash(text);
        try {
            return version(RuleText.read(text).get(VERSION), hash);
        } catch (RuntimeException | Error e) { // whatever it is: the text is refused with a version
            return version(null, hash);
        }
    }

    private static String version(@Nullable Entry entry, String hash) {
        if (entry == null) {
            return shortHash(hash);
        }
        String label = entry.value() == null ? "" : entry.value();
        if (!LABEL.matcher(label).matches() || label.equals("static")) {
            throw notAllowed(
                    VERSION,
                    entry,
                    "1 to 64 printable characters, and not the word static",
                    "Write a label such as 2026-07-15.1, or remove the key");
        }
        return label;
    }

    private static boolean usesStatic(@Nullable Entry entry, Map<String, Entry> others) {
        if (entry == null) {
            if (others.isEmpty()) {
                throw RuleText.error(
                        RuleText.NAME,
                        1,
                        "the rule has no key but version",
                        "Write use-static: true to return to the static configuration");
            }
            return false;
        }
        if (!"true".equals(entry.value())) {
            throw notAllowed(USE_STATIC, entry, "true", "Write use-static: true, or remove the key");
        }
        others.forEach((key, other) -> {
            throw RuleText.error(
                    full(key),
                    other.line(),
                    "it contradicts use-static: true, which returns to the static configuration",
                    "Remove one of them");
        });
        return true;
    }

    private static HighwaySettings merged(Map<String, Entry> entries, HighwaySettings staticSettings) {
        Setting listed = staticSettings.get(HighwayKeys.PREFIX + "policy.fixed");
        List<String> fixed = listed == null ? List.of() : items(listed.value());
        Set<String> named = new HashSet<>();
        Set<String> namedIslands = new HashSet<>();
        Map<String, Setting> merged = new LinkedHashMap<>();
        entries.forEach((key, entry) -> {
            String group = entry.value() == null ? emptyGroup(key, entry) : group(key);
            requireAllowed(key, group, entry, staticSettings, fixed);
            if (group == null) {
                throw noSuchKey(key, entry);
            }
            named.add(group);
            String island = HighwayKeys.islandOf(key);
            if (island != null) {
                namedIslands.add(island);
            }
            if (entry.value() != null) {
                merged.put(full(key), Setting.of(entry.value(), RuleText.origin(entry.line())));
            } else if (!isGroup(key)) {
                merged.put(full(key), Setting.of("", RuleText.origin(entry.line())));
            }
        });
        staticSettings.values().keySet().forEach(fullKey -> {
            Setting setting = staticSettings.get(fullKey);
            String key =
                    fullKey.startsWith(HighwayKeys.PREFIX) ? fullKey.substring(HighwayKeys.PREFIX.length()) : fullKey;
            boolean requires = key.endsWith(".require-island")
                    && setting != null
                    && setting.value().equals("true");
            if (setting != null && (requires || staysStatic(key, named, namedIslands, fixed))) {
                merged.put(fullKey, setting);
            }
        });
        merged.putAll(united(merged, staticSettings));
        return HighwaySettings.of(merged);
    }

    private static boolean staysStatic(String key, Set<String> named, Set<String> namedIslands, List<String> fixed) {
        String group = group(key);
        if (group == null || !named.contains(group) || group.startsWith("guard.")) {
            return true;
        }
        String island = HighwayKeys.islandOf(key);
        return (isStaticOnlyPart(key) || isFixed(key, fixed)) && (island == null || namedIslands.contains(island));
    }

    /** The lists of {@code deny} of which the static configuration has a part. */
    private static Map<String, Setting> united(Map<String, Setting> merged, HighwaySettings staticSettings) {
        Setting unknown = merged.get(full("unknown-islands"));
        boolean reachesAll = unknown != null && unknown.value().equals("gateway");
        Set<String> reached = new HashSet<>();
        merged.keySet().forEach(key -> reached.add(scope(key)));
        Set<String> lists = new HashSet<>(merged.keySet());
        lists.addAll(staticSettings.values().keySet());
        Map<String, Setting> united = new LinkedHashMap<>();
        for (String key : lists) {
            boolean isOfIsland = key.equals(scope(key) + ".deny") && (reachesAll || reached.contains(scope(key)));
            Setting fixed = firstOf(staticSettings.get(key), staticSettings.get(DEFAULT_DENY));
            if (fixed != null && (isOfIsland || key.equals(DEFAULT_DENY))) {
                united.put(key, with(fixed, firstOf(merged.get(key), merged.get(DEFAULT_DENY))));
            }
        }
        return united;
    }

    private static @Nullable Setting firstOf(@Nullable Setting own, @Nullable Setting ofDefaults) {
        return own != null ? own : ofDefaults;
    }

    private static Setting with(Setting fixed, @Nullable Setting own) {
        if (own == null || own.value().equals(fixed.value())) {
            return fixed;
        }
        Set<String> patterns = new LinkedHashSet<>(items(own.value()));
        patterns.addAll(items(fixed.value()));
        return Setting.of(String.join(",", patterns), own.origin());
    }

    private static List<String> items(String list) {
        return Arrays.stream(list.split(",")).map(String::trim).toList();
    }

    /** The part of a full key that names its island, or empty text. */
    private static String scope(String fullKey) {
        String island = HighwayKeys.islandOf(fullKey.substring(HighwayKeys.PREFIX.length()));
        return island == null ? "" : full(ISLANDS) + island;
    }

    /** The group of a key, or null if a rule may not name it. */
    private static @Nullable String group(String key) {
        for (String group : HighwayKeys.RULE_GROUPS) {
            if (group.endsWith(".") ? key.startsWith(group) || isGroup(key, group) : key.equals(group)) {
                return group;
            }
        }
        return null;
    }

    private static boolean isGroup(String key) {
        return HighwayKeys.RULE_GROUPS.stream().anyMatch(group -> isGroup(key, group));
    }

    private static boolean isGroup(String key, String group) {
        return key.equals(group)
                || (group.endsWith(".") && key.length() == group.length() - 1 && group.startsWith(key));
    }

    /** An empty mapping or list empties a group; elsewhere only a list may be empty. */
    private static @Nullable String emptyGroup(String key, Entry entry) {
        String island = HighwayKeys.islandOf(key);
        if (island != null && key.length() == ISLANDS.length() + island.length()) {
            throw RuleText.error(
                    full(key),
                    entry.line(),
                    "the island has no key",
                    "Write islands." + island + ".tunnel: auto, or remove the island");
        }
        if (key.equals("unknown-islands") || key.equals(GUARD_MODE)) {
            throw RuleText.error(full(key), entry.line(), "the value is empty", "Write a value, or remove the key");
        }
        return group(key);
    }

    /** Whether it is a key of an island or of {@code defaults} that only the static configuration sets. */
    private static boolean isStaticOnlyPart(String key) {
        String island = HighwayKeys.islandOf(key);
        String scope = island == null ? "defaults." : ISLANDS + island + ".";
        String part = key.startsWith(scope) ? key.substring(scope.length()) : "";
        return HighwayKeys.isStaticOfIsland(part);
    }

    /** Whether {@code policy.fixed} lists the key, as it is or without its island. */
    private static boolean isFixed(String key, List<String> fixed) {
        String part = key.replaceFirst("^(islands\\.[^.]*\\.(services\\..*\\.(?=gateways\\.))?|defaults\\.)", "");
        return fixed.stream()
                .anyMatch(item -> (part + ".").startsWith(item + ".") || (key + ".").startsWith(item + "."));
    }

    private static void requireAllowed(
            String key, @Nullable String group, Entry entry, HighwaySettings staticSettings, List<String> fixed) {
        String first = key.contains(".") ? key.substring(0, key.indexOf('.')) : key;
        boolean isStaticKey =
                group == null && (HighwayKeys.general().containsKey(key) || HighwayKeys.GROUPS.contains(first));
        boolean isFixed = isFixed(key, fixed);
        if (isStaticKey || isFixed || isStaticOnlyPart(key)) {
            throw RuleText.error(
                    full(key),
                    entry.line(),
                    "the policy may not set it" + (isFixed ? ": highway.policy.fixed lists it" : ""),
                    "Remove it from the rule, and set it in the configuration of the applications");
        }
        Setting unknown = staticSettings.get(UNKNOWN_CALLERS);
        boolean isAnyIsland = GUARD_CALLERS.equals(group)
                && key.contains("*")
                && !key.substring(0, key.indexOf('*')).contains("/");
        if (isAnyIsland && unknown != null && unknown.value().trim().equals("refuse")) {
            throw RuleText.error(
                    full(key),
                    entry.line(),
                    UNKNOWN_CALLERS + " is refuse, so a rule registers callers of islands that it names only",
                    "Write the island without a star");
        }
        boolean isRule = GUARD_RULES.equals(group);
        boolean isSetStatically =
                ((GUARD_MODE.equals(group) || GUARD_CALLERS.equals(group)) && staticSettings.get(full(key)) != null)
                        || (isRule && namesStaticRule(key, staticSettings));
        if (isSetStatically) {
            throw RuleText.error(
                    full(key),
                    entry.line(),
                    "it is set in the static configuration, which a rule may not change",
                    isRule ? "Give the rule of the guard another name" : "Remove it from the rule");
        }
    }

    private static boolean namesStaticRule(String key, HighwaySettings staticSettings) {
        int dot = key.indexOf('.', GUARD_RULES.length());
        String rule = full(dot < 0 ? key : key.substring(0, dot)) + ".";
        return key.length() > GUARD_RULES.length()
                && staticSettings.values().keySet().stream().anyMatch(known -> known.startsWith(rule));
    }

    private static HighwayConfigurationException noSuchKey(String key, Entry entry) {
        if (key.startsWith(HighwayKeys.PREFIX) || key.equals("highway")) {
            return RuleText.error(
                    HighwayKeys.PREFIX + key,
                    entry.line(),
                    "the keys of a rule have no prefix",
                    "Write them without highway., such as islands.shanghai.tunnel: auto");
        }
        List<String> known = HighwayKeys.RULE_GROUPS.stream()
                .map(group -> group.endsWith(".") ? group.substring(0, group.length() - 1) : group)
                .toList();
        String first = key.contains(".") ? key.substring(0, key.indexOf('.')) : key;
        return RuleText.error(
                full(key),
                entry.line(),
                "there is no such key",
                Suggestions.hint(first, known, "A rule has " + String.join(", ", known) + ", version and use-static"));
    }

    /** The line of the first key beside the one that is missing, for an error about no line of the rule. */
    private static String nearestOrigin(String fullKey, Map<String, Entry> entries) {
        String parent = fullKey;
        while (parent.lastIndexOf('.') > 0) {
            parent = parent.substring(0, parent.lastIndexOf('.'));
            for (Map.Entry<String, Entry> entry : entries.entrySet()) {
                if (!parent.equals("highway") && full(entry.getKey()).startsWith(parent + ".")) {
                    return RuleText.origin(entry.getValue().line());
                }
            }
        }
        return RuleText.NAME;
    }

    private static HighwayConfigurationException notAllowed(String key, Entry entry, String allowed, String action) {
        return HighwayConfigurationException.notAllowed(
                        full(key), entry.value() == null ? "" : entry.value(), allowed, action)
                .at(RuleText.origin(entry.line()));
    }

    private static String full(String key) {
        return HighwayKeys.PREFIX + key;
    }
}
