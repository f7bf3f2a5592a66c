// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy;

import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a rule leaves out that other settings name, since a group of keys in a rule replaces the one before as a whole; and
 * the callers that it adds to theirs. Immutable.
 *
 * @param islands islands that calls cannot reach
 * @param services interfaces whose calls stay home, unless something else names an island
 * @param keys business keys, or patterns of them, that mean no island any more, or another one, with the island that each
 *     meant
 * @param formerly islands that earlier rules named: calls to them are refused, as they may be meant to be
 * @param callers the keys of {@code guard.callers} that only the rule has
 * @param rule the rule and its source, such as {@code policy 7 (config-center)}
 */
public record RuleDifferences(
        Set<String> islands,
        Set<String> services,
        Map<String, String> keys,
        Set<String> formerly,
        Set<String> callers,
        String rule) {

    private static final String SERVICES = HighwayKeys.PREFIX + HighwayKeys.SERVICES;
    private static final String ISLAND = ".island";
    private static final String CALLERS = HighwayKeys.PREFIX + HighwayKeys.CALLERS;

    /** What {@code active} leaves out of {@code before}. */
    public static RuleDifferences of(RawSettings before, RawSettings active, String rule) {
        Set<String> islandsNow = islands(active);
        Set<String> islands = islands(before);
        islands.removeAll(islandsNow);
        islands.removeIf(
                island -> island.equals(active.value(HighwayKeys.ISLAND.fullKey()))); // calls for home stay there
        Set<String> services = services(before);
        services.removeAll(services(active));
        Map<String, String> keys = keys(before);
        Map<String, String> keysNow = keys(active);
        keys.entrySet().removeIf(key -> key.getValue().equals(meaning(key.getKey(), keysNow, islandsNow)));
        Set<String> callers = new TreeSet<>(active.values().keySet());
        callers.removeIf(key -> !key.startsWith(CALLERS) || before.get(key) != null);
        return new RuleDifferences(islands, services, keys, Set.of(), callers, rule);
    }

    /** With the islands that rules named which were active before. */
    public RuleDifferences after(Set<String> formerly) {
        return new RuleDifferences(islands, services, keys, Set.copyOf(formerly), callers, rule);
    }

    private static Map<String, String> keys(RawSettings settings) {
        Map<String, String> keys = new TreeMap<>();
        for (String island : islands(settings)) {
            String listed =
                    settings.value(HighwayKeys.PREFIX + HighwayKeys.ISLANDS + island + "." + HighwayKeys.KEYS.name());
            ValueParser.list(listed == null ? "" : listed).forEach(key -> keys.put(key, island));
        }
        return keys;
    }

    /** The island that a key, or every key of a pattern, means; null if there is none. An {@code IslandResolver} is not asked. */
    private static @Nullable String meaning(String key, Map<String, String> keys, Set<String> islands) {
        return islands.contains(key) ? key : listed(key, keys);
    }

    /** The island of the key in a list, or of the longest pattern for it; null if there is none. */
    private static @Nullable String listed(String key, Map<String, String> keys) {
        String exact = keys.get(key);
        String start = key.endsWith("*") ? key.substring(0, key.length() - 1) : key;
        return exact != null
                ? exact
                : keys.entrySet().stream()
                        .filter(known -> known.getKey().endsWith("*") && Glob.matches(known.getKey(), start))
                        .max(Comparator.comparingInt(known -> known.getKey().length()))
                        .map(Map.Entry::getValue)
                        .orElse(null);
    }

    private static Set<String> islands(RawSettings settings) {
        return names(settings.values().keySet().stream()
                .map(key -> HighwayKeys.islandOf(key.substring(HighwayKeys.PREFIX.length())))
                .flatMap(Stream::ofNullable));
    }

    private static Set<String> services(RawSettings settings) {
        return names(settings.values().keySet().stream()
                .filter(key -> key.startsWith(SERVICES) && key.endsWith(ISLAND))
                .filter(key -> key.length() > SERVICES.length() + ISLAND.length())
                .map(key -> key.substring(SERVICES.length(), key.length() - ISLAND.length())));
    }

    private static Set<String> names(Stream<String> names) {
        return names.collect(Collectors.toCollection(TreeSet::new));
    }

    /** Whether it leaves out an island; null is none. */
    public boolean hasIsland(@Nullable String island) {
        return island != null && islands.contains(island);
    }

    /** Whether other settings or an earlier rule name the island, so that it may be the value of a tag. */
    public boolean isNamed(String island) {
        return islands.contains(island) || formerly.contains(island);
    }

    /** The island that a business key would mean without the rule, or null if the rule leaves it out of nothing. */
    public @Nullable String islandOfKey(String key) {
        return listed(key, keys);
    }

    /** In a sentence, or null if nothing is left out. */
    public @Nullable String problem() {
        Set<String> names = names(Stream.of(
                        islands.stream().map(island -> "island " + island),
                        services.stream().map(service -> HighwayKeys.SERVICES + service),
                        keys.values().stream().map(island -> "keys of " + island))
                .flatMap(Function.identity()));
        return names.isEmpty()
                ? null
                : rule + " leaves out what the static configuration names: " + String.join(", ", names);
    }
}
