// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.policy;

import io.highway.sdk.dubbo.HighwaySettings;
import io.highway.sdk.dubbo.HighwaySettings.Setting;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a rule leaves out that other settings name, since a group of keys in a rule replaces the one before as a whole.
 * Immutable.
 *
 * @param islands islands that calls cannot reach
 * @param services interfaces whose calls stay home, unless something else names an island
 * @param rule the rule and its source, such as {@code policy 7 (config-center)}
 */
public record Missing(Set<String> islands, Set<String> services, String rule) {

    private static final String SERVICES = HighwayKeys.PREFIX + HighwayKeys.SERVICES;
    private static final String ISLAND = ".island";

    /** What {@code inForce} leaves out of {@code before}. */
    public static Missing of(HighwaySettings before, HighwaySettings inForce, String rule) {
        Setting unknown = inForce.get(HighwayKeys.PREFIX + "unknown-islands");
        boolean reachesAll = unknown != null && unknown.value().equals("gateway");
        Set<String> islands = islands(before);
        islands.removeAll(reachesAll ? Set.copyOf(islands) : islands(inForce));
        Set<String> services = services(before);
        services.removeAll(services(inForce));
        return new Missing(islands, services, rule);
    }

    private static Set<String> islands(HighwaySettings settings) {
        return names(settings.values().keySet().stream()
                .map(key -> HighwayKeys.islandOf(key.substring(HighwayKeys.PREFIX.length())))
                .flatMap(Stream::ofNullable));
    }

    private static Set<String> services(HighwaySettings settings) {
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

    /** In a sentence, or null if nothing is left out. */
    public @Nullable String problem() {
        Set<String> names = names(Stream.concat(
                islands.stream().map(island -> "island " + island),
                services.stream().map(service -> HighwayKeys.SERVICES + service)));
        return names.isEmpty()
                ? null
                : rule + " leaves out what the static configuration names: " + String.join(", ", names);
    }
}
