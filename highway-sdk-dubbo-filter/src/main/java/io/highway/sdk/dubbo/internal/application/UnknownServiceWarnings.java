// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.application;

import io.highway.sdk.dubbo.internal.policy.HighwayKeys;
import io.highway.sdk.dubbo.internal.policy.RawSettings;
import io.highway.sdk.dubbo.internal.policy.Suggestions;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds {@code services.<interface>.*} and {@code islands.<id>.services.<interface>.gateways.*} keys that have no effect
 * because the interface is misspelt: this application does not use it, and has no class of this name. Keys of services that only other applications use are normal where their
 * interfaces are on the class path.
 */
final class UnknownServiceWarnings {

    private static final String SERVICES = HighwayKeys.PREFIX + "services.";

    /** Those of an island; a pattern with a star may be for other applications. */
    private static final Pattern OF_ISLAND = Pattern.compile(
            Pattern.quote(HighwayKeys.PREFIX) + "islands\\.[^.]+\\.services\\.([^*]+)\\.gateways\\.[^.]+");

    private UnknownServiceWarnings() {}

    /**
     * A sentence for each interface, without a full stop.
     *
     * @param used the interfaces that this application references or exports
     * @param exists whether there is a class of a name, which is then no misspelling
     */
    static List<String> of(RawSettings settings, Set<String> used, Predicate<String> exists) {
        Map<String, Set<String>> keys = new TreeMap<>();
        for (String key : settings.values().keySet()) {
            int dot = key.lastIndexOf('.');
            Matcher ofIsland = OF_ISLAND.matcher(key);
            if (ofIsland.matches()) {
                keys.computeIfAbsent(ofIsland.group(1), any -> new TreeSet<>()).add(key);
            } else if (key.startsWith(SERVICES) && dot >= SERVICES.length()) {
                keys.computeIfAbsent(key.substring(SERVICES.length(), dot), any -> new TreeSet<>())
                        .add(key);
            }
        }
        Set<String> unnamed = new LinkedHashSet<>(used);
        unnamed.removeAll(keys.keySet());
        return keys.keySet().stream()
                .filter(name -> !used.contains(name) && !exists.test(name))
                .map(name -> String.join(", ", keys.getOrDefault(name, Set.of()))
                        + ": no effect, because there is no class " + name
                        + ", and this application neither references nor exports it"
                        + Suggestions.hint(name, unnamed))
                .toList();
    }
}
