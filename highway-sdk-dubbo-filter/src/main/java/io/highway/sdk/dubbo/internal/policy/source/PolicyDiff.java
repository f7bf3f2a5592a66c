// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy.source;

import io.highway.sdk.dubbo.internal.policy.HighwayKeys;
import io.highway.sdk.dubbo.internal.policy.Policy;
import io.highway.sdk.dubbo.internal.policy.RuleDifferences;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;

/** The differences of two policies, for people. */
final class PolicyDiff {

    /** The characters of a value in a line; a rule may have a megabyte. */
    private static final int MOST_SHOWN = 1000;

    /** The lines about changes of one kind in one rule. */
    private static final int MOST_LINES = 20;

    private static final Logger log = LoggerFactory.getLogger(PolicyDiff.class);

    private PolicyDiff() {}

    /**
     * Logs the changes. What is gone is a warning, since calls are refused, or stay home.
     *
     * @param isStart at start-up, all else is in the summary
     */
    static void log(Policy before, Policy next, boolean isStart) {
        String policy = "highway: policy " + next.version();
        if (!isStart) {
            bounded(of(before, next)).forEach(change -> log.info(policy + " changes: " + change));
        }
        RuleDifferences gone = RuleDifferences.of(before.settings(), next.settings(), "");
        bounded(gone.islands())
                .forEach(island ->
                        log.warn(policy + " drops the island " + island + "; calls that ask for it are refused"));
        bounded(Set.copyOf(gone.keys().values()))
                .forEach(island -> log.warn(
                        policy + " drops keys of the island " + island + "; they mean no island now, or another one"));
        bounded(gone.services())
                .forEach(service -> log.warn(policy + " drops services." + service
                        + ".island; calls of that service stay home, unless something else names an island"));
    }

    private static List<String> bounded(Collection<String> lines) {
        List<String> first = new ArrayList<>(lines).subList(0, Math.min(lines.size(), MOST_LINES));
        return first.size() == lines.size()
                ? first
                : Stream.concat(first.stream(), Stream.of("... and " + (lines.size() - first.size()) + " more"))
                        .toList();
    }

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
        return policy.gateways().stream()
                .map(gateway ->
                        gateway.address().kind() + " " + gateway.address().hostAndPort())
                .collect(Collectors.toSet());
    }

    private static String shown(String key, String value) {
        String shown = HighwayKeys.shown(key.substring(HighwayKeys.PREFIX.length()), value);
        return shown.length() > MOST_SHOWN
                ? shown.substring(0, MOST_SHOWN) + "... (" + shown.length() + " characters)"
                : shown;
    }
}
