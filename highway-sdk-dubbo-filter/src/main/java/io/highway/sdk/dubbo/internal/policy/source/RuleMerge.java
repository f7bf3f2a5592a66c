// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy.source;

import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.internal.policy.HighwayKeys;
import io.highway.sdk.dubbo.internal.policy.Mistakes;
import io.highway.sdk.dubbo.internal.policy.RawSettings;
import io.highway.sdk.dubbo.internal.policy.RawSettings.Setting;
import io.highway.sdk.dubbo.internal.policy.Suggestions;
import io.highway.sdk.dubbo.internal.policy.source.RuleYaml.Entry;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a rule over those of the static configuration.
 *
 * <ol>
 *   <li>A group of keys that the rule names replaces the static group as a whole.
 *   <li>A group that it does not name keeps its static keys.
 *   <li>Static keys that a rule may not set stay: {@code gateways.tls.*} of {@code defaults} and of the islands that
 *       the rule names, {@code sign.*} of these islands, what {@code policy.fixed} lists, {@code guard.mode}, the static
 *       rules of the guard, and {@code require-island} of a service.
 *   <li>What is denied statically stays denied: the rule adds to it.
 * </ol>
 */
final class RuleMerge {

    private static final String ISLANDS = HighwayKeys.ISLANDS;
    private static final String GUARD_RULES = "guard.rules";
    private static final String GUARD_MODE = "guard.mode";
    private static final String GUARD_CALLERS = "guard.callers";
    private static final String UNKNOWN_CALLERS = HighwayKeys.PREFIX + "guard.unknown-callers";
    private static final String DEFAULT_DENY = HighwayKeys.PREFIX + "defaults.deny";

    private final RawSettings staticSettings;

    /** The items of {@code policy.fixed}. */
    private final List<String> fixed;

    /** The groups and the islands that the rule names. */
    private final Set<String> named = new HashSet<>();

    private final Set<String> namedIslands = new HashSet<>();
    private final Map<String, Setting> merged = new LinkedHashMap<>();

    private RuleMerge(RawSettings staticSettings) {
        String listed = staticSettings.value(HighwayKeys.PREFIX + "policy.fixed");
        this.staticSettings = staticSettings;
        this.fixed = listed == null ? List.of() : items(listed);
    }

    /**
     * Merges.
     *
     * @throws HighwayConfigurationException for the first key that a rule may not set, or that does not exist
     */
    static RawSettings of(Map<String, Entry> entries, RawSettings staticSettings, Mistakes mistakes) {
        RuleMerge merge = new RuleMerge(staticSettings);
        entries.forEach((key, entry) -> mistakes.check(() -> merge.add(key, entry)));
        return merge.merged();
    }

    /** A key with its prefix. */
    static String full(String key) {
        return HighwayKeys.PREFIX + key;
    }

    private void add(String key, Entry entry) {
        String group = entry.value() == null ? emptyGroup(key, entry) : group(key);
        requireAllowed(key, group, entry);
        if (group == null) {
            throw noSuchKey(key, entry);
        }
        named.add(group);
        String island = HighwayKeys.islandOf(key);
        if (island != null) {
            namedIslands.add(island);
        }
        if (entry.value() != null || !HighwayKeys.RULE_GROUPS.contains(key)) {
            String value = Objects.requireNonNullElse(entry.value(), "");
            merged.put(full(key), new Setting(value, RuleYaml.origin(entry.line())));
        }
    }

    private RawSettings merged() {
        staticSettings.byKey().forEach((fullKey, setting) -> {
            String key =
                    fullKey.startsWith(HighwayKeys.PREFIX) ? fullKey.substring(HighwayKeys.PREFIX.length()) : fullKey;
            boolean requires =
                    key.endsWith(".require-island") && setting.value().equals("true");
            if (requires || staysStatic(key)) {
                merged.put(fullKey, setting);
            }
        });
        merged.putAll(united());
        return new RawSettings(merged);
    }

    private boolean staysStatic(String key) {
        String group = group(key);
        if (group == null || !named.contains(group) || group.startsWith("guard.")) {
            return true;
        }
        String island = HighwayKeys.islandOf(key);
        return (isStaticOnlyPart(key) || isFixed(key)) && (island == null || namedIslands.contains(island));
    }

    /** The lists of {@code deny} of which the static configuration has a part. */
    private Map<String, Setting> united() {
        Set<String> reached = new HashSet<>();
        merged.keySet().forEach(key -> reached.add(scope(key)));
        Set<String> lists = new HashSet<>(merged.keySet());
        lists.addAll(staticSettings.byKey().keySet());
        Map<String, Setting> united = new LinkedHashMap<>();
        for (String key : lists) {
            boolean isOfIsland = key.equals(scope(key) + ".deny") && reached.contains(scope(key));
            Setting denied = firstOf(staticSettings.get(key), staticSettings.get(DEFAULT_DENY));
            if (denied != null && (isOfIsland || key.equals(DEFAULT_DENY))) {
                united.put(key, with(denied, firstOf(merged.get(key), merged.get(DEFAULT_DENY))));
            }
        }
        return united;
    }

    private static @Nullable Setting firstOf(@Nullable Setting own, @Nullable Setting ofDefaults) {
        return own != null ? own : ofDefaults;
    }

    private static Setting with(Setting denied, @Nullable Setting own) {
        if (own == null || own.value().equals(denied.value())) {
            return denied;
        }
        Set<String> patterns = new LinkedHashSet<>(items(own.value()));
        patterns.addAll(items(denied.value()));
        return new Setting(String.join(",", patterns), own.origin());
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
        return HighwayKeys.RULE_GROUPS.stream()
                .filter(group -> (key + ".").startsWith(group + "."))
                .findFirst()
                .orElse(null);
    }

    /** An empty mapping or list empties a group; elsewhere only a list may be empty. */
    private static @Nullable String emptyGroup(String key, Entry entry) {
        String island = HighwayKeys.islandOf(key);
        if (island != null && key.length() == ISLANDS.length() + island.length()) {
            throw entry.error(
                    key, "the island has no key", "Write islands." + island + ".tunnel: auto, or remove the island");
        }
        if (key.equals(GUARD_MODE)) {
            throw entry.error(key, "the value is empty", "Write a value, or remove the key");
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
    private boolean isFixed(String key) {
        String part = key.replaceFirst("^(islands\\.[^.]*\\.(services\\..*\\.(?=gateways\\.))?|defaults\\.)", "");
        return fixed.stream()
                .anyMatch(item -> (part + ".").startsWith(item + ".")
                        || part.startsWith(item + "-") // fallback-methods with fallback
                        || (key + ".").startsWith(item + "."));
    }

    private void requireAllowed(String key, @Nullable String group, Entry entry) {
        String first = key.contains(".") ? key.substring(0, key.indexOf('.')) : key;
        boolean isStaticKey =
                group == null && (HighwayKeys.general().containsKey(key) || HighwayKeys.GROUPS.contains(first));
        boolean isFixed = isFixed(key);
        if (isStaticKey || isFixed || isStaticOnlyPart(key)) {
            throw entry.error(
                    key,
                    "the policy may not set it" + (isFixed ? ": highway.policy.fixed lists it" : ""),
                    "Remove it from the rule, and set it in the configuration of the applications");
        }
        boolean isAnyIsland = GUARD_CALLERS.equals(group)
                && key.contains("*")
                && !key.substring(0, key.indexOf('*')).contains("/");
        if (isAnyIsland
                && Objects.requireNonNullElse(staticSettings.value(UNKNOWN_CALLERS), "")
                        .trim()
                        .equals("refuse")) {
            throw entry.error(
                    key,
                    UNKNOWN_CALLERS + " is refuse, so a rule registers callers of islands that it names only",
                    "Write the island without a star");
        }
        boolean isRule = GUARD_RULES.equals(group);
        boolean isSetStatically =
                ((GUARD_MODE.equals(group) || GUARD_CALLERS.equals(group)) && staticSettings.get(full(key)) != null)
                        || (isRule && namesStaticRule(key));
        if (isSetStatically) {
            throw entry.error(
                    key,
                    "it is set in the static configuration, which a rule may not change",
                    isRule ? "Give the rule of the guard another name" : "Remove it from the rule");
        }
    }

    private boolean namesStaticRule(String key) {
        int dot = key.indexOf('.', GUARD_RULES.length() + 1);
        String rule = full(dot < 0 ? key : key.substring(0, dot)) + ".";
        return key.length() > GUARD_RULES.length()
                && staticSettings.byKey().keySet().stream().anyMatch(known -> known.startsWith(rule));
    }

    private static HighwayConfigurationException noSuchKey(String key, Entry entry) {
        if (key.startsWith(HighwayKeys.PREFIX) || key.equals("highway")) {
            return entry.error(
                    key,
                    "the keys of a rule have no prefix",
                    "Write them without highway., such as islands.shanghai.tunnel: auto");
        }
        String first = key.contains(".") ? key.substring(0, key.indexOf('.')) : key;
        return entry.error(
                key,
                "there is no such key",
                Suggestions.removed(
                        key,
                        Suggestions.hint(
                                first,
                                HighwayKeys.RULE_GROUPS,
                                "A rule has " + String.join(", ", HighwayKeys.RULE_GROUPS)
                                        + ", version and use-static")));
    }
}
