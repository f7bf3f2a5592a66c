// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy;

import io.highway.sdk.dubbo.internal.policy.Key.Reader;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What is valid in a policy and seldom meant. */
public final class PolicyWarnings {

    private static final Set<Reader<?>> DURATIONS =
            Set.of(ValueParser.MILLIS, ValueParser.MILLIS_OR_ZERO, ValueParser.MILLIS_OR_NONE);
    private static final Set<Reader<?>> SIZES =
            Set.of(ValueParser.BYTES, ValueParser.BYTES_OR_NONE, ValueParser.MANY_BYTES);
    private static final Set<Key<?>> LISTS = Set.of(
            HighwayKeys.DENY,
            HighwayKeys.FALLBACK_METHODS,
            HighwayKeys.IDEMPOTENT,
            HighwayKeys.KEYS,
            HighwayKeys.BULK_METHODS);
    private static final String NO_EFFECT = " has no effect on calls to ";
    private static final Pattern SHORT = Pattern.compile("[1-9][0-9]?");
    private static final Pattern SMALL = Pattern.compile("[1-9][0-9]{0,2}");

    /** No call to another island takes less. */
    private static final int SHORT_MILLIS = 100;

    private final IslandPolicies islands;
    private final RawSettings settings;

    /** Those of a policy. */
    public PolicyWarnings(Policy policy) {
        this.islands = policy.islands();
        this.settings = policy.settings();
    }

    /**
     * The problems of the method patterns that name a service: patterns that match none of its methods.
     *
     * @param type the service's interface
     * @return a sentence for each, without a full stop; empty for most services
     */
    public List<String> ofPatterns(String interfaceName, Class<?> type) {
        if (islands.all()
                .noneMatch(island -> island.calls().deny().names(interfaceName)
                        || island.calls().fallback().methods().names(interfaceName)
                        || island.calls().idempotent().names(interfaceName)
                        || bulkMethods(island).names(interfaceName))) {
            return List.of(); // for nearly all, and this runs for every reference when the policy changes
        }
        List<String> methods = Arrays.stream(type.getMethods())
                .map(Method::getName)
                .distinct()
                .sorted()
                .toList();
        return islands.all()
                .flatMap(island -> Stream.of(
                                problems(island, "deny", island.calls().deny(), interfaceName, methods),
                                problems(
                                        island,
                                        "fallback-methods",
                                        island.calls().fallback().methods(),
                                        interfaceName,
                                        methods),
                                problems(island, "idempotent", island.calls().idempotent(), interfaceName, methods),
                                problems(island, "bulk.methods", bulkMethods(island), interfaceName, methods))
                        .flatMap(List::stream))
                .distinct()
                .toList();
    }

    private List<String> problems(
            IslandPolicy island, String name, MethodPatterns patterns, String interfaceName, List<String> methods) {
        return patterns.problems(keyOf(island, name), interfaceName, methods);
    }

    private static MethodPatterns bulkMethods(IslandPolicy island) {
        IslandPolicy.Bulk bulk = island.limits().bulk();
        return bulk == null ? MethodPatterns.NONE : bulk.methods();
    }

    /**
     * Keys that are valid and seldom meant: {@code retries} where no method is {@code idempotent}, a limit of bulk calls
     * where no call is bulk, a {@code tunnel} without a gateway, a {@code timeout} of a few milliseconds, numbers that
     * lack their unit, and empty lists.
     *
     * @return a sentence for each, without a full stop, with what to do; empty for most policies
     */
    public List<String> ofKeys() {
        List<String> warnings = new ArrayList<>();
        ineffective(
                        "retries",
                        island -> island.calls().retries() > 0
                                && island.calls().idempotent().isEmpty())
                .forEach((key, where) -> warnings.add(key + NO_EFFECT + where
                        + ", because no method there is idempotent; write highway.islands.<id>.idempotent with the methods"
                        + " that may run twice, such as query*, or remove " + key
                        + " (a call that was not sent fails over without it)"));
        ineffective(
                        "fallback-methods",
                        island -> island.calls().fallback().to().equals(IslandPolicy.NONE)
                                && isWritten(island, "fallback-methods"))
                .forEach((key, where) -> warnings.add(key + NO_EFFECT + where
                        + ", because they have no fallback; write highway.islands.<id>.fallback, or remove " + key));
        for (String limit : List.of("bulk.max-concurrent", "bulk.max-wait")) {
            ineffective(limit, island -> island.limits().bulk() == null && isWritten(island, limit))
                    .forEach((key, where) -> warnings.add(key + NO_EFFECT + where
                            + ", because no call there is bulk; write highway.islands.<id>.bulk.methods or .bulk.over, or"
                            + " remove " + key));
        }
        ineffective("tunnel", island -> isWritten(island, "tunnel") && hasNoGateway(island) && !island.isAlias())
                .forEach(
                        (key, where) -> warnings.add(
                                key + NO_EFFECT + where
                                        + ", because no gateway is configured; write highway.gateways.dubbo or highway.gateways.triple"));
        ineffective(
                        "timeout",
                        island -> island.calls().timeoutMillis() > 0
                                && island.calls().timeoutMillis() < SHORT_MILLIS)
                .forEach(
                        (key, where) -> warnings.add(
                                key + " is " + settings.value(key)
                                        + ", which is milliseconds and less than calls between islands take; write 3s for three seconds"));
        new TreeMap<>(settings.values()).forEach((key, value) -> warnings.addAll(ofValue(key, value)));
        return warnings;
    }

    private static boolean hasNoGateway(IslandPolicy island) {
        return island.withServices().allMatch(IslandPolicy::hasNoGateway);
    }

    /** The islands where a key is ineffective, as text, by the key as it is written. */
    private Map<String, String> ineffective(String name, Predicate<IslandPolicy> isIneffective) {
        Stream<IslandPolicy> used = islands.known().isEmpty() ? islands.all() : islands.known().values().stream();
        return used.filter(isIneffective)
                .sorted(Comparator.comparing(IslandPolicy::island))
                .collect(Collectors.groupingBy(
                        island -> keyOf(island, name),
                        TreeMap::new,
                        Collectors.mapping(
                                island -> island.island().equals("defaults") ? "unknown islands" : island.island(),
                                Collectors.joining(", "))));
    }

    private boolean isWritten(IslandPolicy island, String name) {
        return settings.get(keyOf(island, name)) != null;
    }

    /** The key that sets a value of an island. */
    private String keyOf(IslandPolicy island, String name) {
        String own = HighwayKeys.PREFIX + "islands." + island.island() + "." + name;
        return settings.get(own) != null ? own : HighwayKeys.PREFIX + "defaults." + name;
    }

    /** Of a number that lacks its unit, or an empty list. */
    private List<String> ofValue(String fullKey, String value) {
        Key<?> key = HighwayKeys.of(fullKey);
        if (key == null || key.equals(HighwayKeys.TIMEOUT)) { // a short timeout has a separate warning
            return List.of();
        }
        if (SHORT.matcher(value).matches() && DURATIONS.contains(key.reader())) {
            return List.of(fullKey + " is " + value + ", which is milliseconds; write " + value + "s for seconds");
        }
        if (SMALL.matcher(value).matches() && SIZES.contains(key.reader())) {
            return List.of(fullKey + " is " + value + ", which is bytes; write " + value + "KB or " + value + "MB");
        }
        String ofDefaults = HighwayKeys.PREFIX + HighwayKeys.DEFAULTS + key.name();
        boolean isEmptyList = value.isEmpty() && LISTS.contains(key) && !fullKey.equals(ofDefaults);
        return isEmptyList && settings.get(ofDefaults) == null
                ? List.of(fullKey + " is empty, so it has no effect; write its items, or remove it")
                : List.of();
    }
}
