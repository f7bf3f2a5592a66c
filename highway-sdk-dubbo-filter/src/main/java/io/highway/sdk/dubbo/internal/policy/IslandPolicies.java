// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy;

import io.highway.sdk.IslandResolver;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The policies of all islands, and what business keys mean. Immutable.
 *
 * @param known those that are configured, by id
 * @param unnamed that of an island without keys
 * @param byKey the island of each business key, or pattern of keys
 * @param keyPatterns the patterns among them, the longest first
 * @param resolver resolves a business key before these do, or null
 */
record IslandPolicies(
        Map<String, IslandPolicy> known,
        IslandPolicy unnamed,
        Map<String, String> byKey,
        List<String> keyPatterns,
        @Nullable IslandResolver resolver) {

    /** The keys of the islands are looked up in {@code byKey}. */
    static IslandPolicies configured(
            Map<String, IslandPolicy> known,
            IslandPolicy unnamed,
            Map<String, String> byKey,
            @Nullable IslandResolver resolver) {
        List<String> patterns = byKey.keySet().stream()
                .filter(key -> key.indexOf('*') >= 0)
                .sorted(Comparator.comparingInt(String::length).reversed().thenComparing(Comparator.naturalOrder()))
                .toList();
        return new IslandPolicies(Map.copyOf(known), unnamed, Map.copyOf(byKey), patterns, resolver);
    }

    /** Those that are configured, and that of {@code defaults} alone. */
    Stream<IslandPolicy> all() {
        return Stream.concat(known.values().stream(), Stream.of(unnamed));
    }

    /** As {@link Policy#islandOfKey}. */
    String ofKey(String key, String home) {
        String resolved = resolver == null ? null : resolver.islandOf(key);
        if (resolved != null) {
            return resolved;
        }
        String exact = byKey.get(key);
        if (exact != null) {
            return exact;
        }
        if (known.containsKey(key) || key.equals(home)) {
            return key;
        }
        for (String pattern : keyPatterns) {
            if (Glob.matches(pattern, key)) {
                return byKey.getOrDefault(pattern, key);
            }
        }
        return key;
    }
}
