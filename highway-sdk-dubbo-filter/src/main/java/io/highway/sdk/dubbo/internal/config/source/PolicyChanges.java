// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.config.source;

import io.highway.sdk.dubbo.internal.config.HighwayKeys;
import io.highway.sdk.dubbo.internal.config.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The differences of two policies, for people. */
final class PolicyChanges {

    /** The characters of a value in a line; a rule may have a megabyte. */
    private static final int MOST_SHOWN = 1000;

    private PolicyChanges() {}

    /** One line each: islands, gateways and keys that are added (+), removed (-) or changed (~). */
    static List<String> of(Policy before, Policy after) {
        List<String> changes = new ArrayList<>();
        addChanges("island", Set.copyOf(before.knownIslands()), Set.copyOf(after.knownIslands()), changes);
        addChanges("gateway", gateways(before), gateways(after), changes);
        Map<String, String> old = before.settings().values();
        Map<String, String> now = after.settings().values();
        Set<String> keys = new TreeSet<>(old.keySet());
        keys.addAll(now.keySet());
        for (String key : keys) {
            String was = old.get(key);
            String is = now.get(key);
            if (was == null) {
                changes.add("+ " + key + ": " + shown(key, String.valueOf(is)));
            } else if (is == null) {
                changes.add("- " + key + ": " + shown(key, was));
            } else if (!was.equals(is)) {
                changes.add("~ " + key + ": " + shown(key, was) + " -> " + shown(key, is));
            }
        }
        return changes;
    }

    private static void addChanges(String what, Set<String> before, Set<String> after, List<String> changes) {
        new TreeSet<>(after)
                .stream().filter(id -> !before.contains(id)).forEach(id -> changes.add("+ " + what + " " + id));
        new TreeSet<>(before)
                .stream().filter(id -> !after.contains(id)).forEach(id -> changes.add("- " + what + " " + id));
    }

    private static Set<String> gateways(Policy policy) {
        Set<String> gateways = new TreeSet<>();
        policy.gateways()
                .forEach(gateway -> gateways.add(
                        gateway.address().kind() + " " + gateway.address().hostAndPort()));
        return gateways;
    }

    private static String shown(String key, String value) {
        if (HighwayKeys.isSecret(key.substring(HighwayKeys.PREFIX.length()))) {
            return "******";
        }
        return value.length() > MOST_SHOWN
                ? value.substring(0, MOST_SHOWN) + "... (" + value.length() + " characters)"
                : value;
    }
}
