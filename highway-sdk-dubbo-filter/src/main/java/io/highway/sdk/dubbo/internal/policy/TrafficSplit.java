// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy;

import io.highway.sdk.IslandId;
import io.highway.sdk.dubbo.HighwayConfigurationException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Which islands answer the calls for one, by weight. Immutable.
 *
 * @param members in the order that they are written; their weights are not all 0
 * @param total the sum of the weights
 */
public record TrafficSplit(List<Member> members, int total) {

    private static final int MOST_MEMBERS = 8;
    private static final int MOST_WEIGHT = 1000;
    private static final Pattern MEMBER = Pattern.compile("([^:\\s]+)(?:\\s*:\\s*(\\d{1,4}))?");

    /**
     * One of them.
     *
     * @param island its id, or {@code home}
     * @param weight its share of the calls, relative to those of the others; 0 for none
     */
    public record Member(String island, int weight) {}

    static TrafficSplit read(String key, String value) {
        List<Member> members = new ArrayList<>();
        List<String> items = List.of(value.trim().split("\\s*,\\s*"));
        for (String item : items) {
            Matcher parts = MEMBER.matcher(item);
            boolean isMember = parts.matches()
                    && IslandId.isValid(parts.group(1))
                    && (parts.group(2) != null || items.size() == 1)
                    && members.stream().noneMatch(other -> other.island.equals(parts.group(1)));
            int weight = isMember && parts.group(2) != null ? Integer.parseInt(parts.group(2)) : 1;
            if (!isMember || weight > MOST_WEIGHT) {
                throw notAllowed(key, item);
            }
            members.add(new Member(parts.group(1), weight));
        }
        int total = members.stream().mapToInt(Member::weight).sum();
        if (total == 0 || members.size() > MOST_MEMBERS) {
            throw notAllowed(key, value);
        }
        return new TrafficSplit(List.copyOf(members), total);
    }

    private static HighwayConfigurationException notAllowed(String key, String value) {
        return HighwayConfigurationException.notAllowed(
                key,
                value,
                "an island, or <island>:<weight> for each of up to " + MOST_MEMBERS
                        + " different islands, with weights from" + " 0 to " + MOST_WEIGHT + " that are not all 0",
                "Write hangzhou for all calls, or shanghai:95,hangzhou:5 for a share of them");
    }

    /**
     * Who answers one call.
     *
     * @param random a random number from 0 to below its argument
     */
    public String choose(IntUnaryOperator random) {
        int rest = members.size() == 1 ? 0 : random.applyAsInt(total);
        for (Member member : members) {
            rest -= member.weight;
            if (rest < 0) {
                return member.island;
            }
        }
        throw new IllegalArgumentException("random: not below " + total);
    }

    /** Whether it may answer a call. */
    public boolean includes(String island) {
        return members.stream().anyMatch(member -> member.weight > 0 && member.island.equals(island));
    }

    /** Each island that answers calls, with its share unless it answers all. */
    @Override
    public String toString() {
        List<Member> answering =
                members.stream().filter(member -> member.weight > 0).toList();
        return answering.size() == 1
                ? answering.get(0).island
                : answering.stream()
                        .map(member -> member.island + " (" + member.weight + " of " + total + ")")
                        .collect(Collectors.joining(", "));
    }
}
