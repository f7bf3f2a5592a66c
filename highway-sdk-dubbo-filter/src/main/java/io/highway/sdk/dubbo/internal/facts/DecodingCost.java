// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.facts;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * What it would cost to decode values of another process: how deep they are nested, and how many values the decoder
 * hashes, if each object has a hash code of all of its fields. A set is hashed whole whenever it is added to another one, so
 * a few kilobytes of sets that refer to each other can take years.
 */
final class DecodingCost {

    /** A decoder calls itself for each level; the default stack of a thread holds several times as many. */
    static final int MOST_NESTED = 1_000;

    /** Takes about half a second; what several refer to counts for each. */
    private static final long MOST_HASHED = 50_000_000;

    private static final int MOST_HASHED_PER_BYTE = 16;

    /** Smaller containers are not remembered: what refers to one counts as much. */
    private static final int LEAST_REMEMBERED = 16;

    /** How a container's values are used. */
    enum Container {
        /** Each is hashed. */
        SET,
        /** Every other one, which is a key, is hashed. */
        MAP,
        /** None is hashed: a list, an array, an object. */
        OTHER,
        /** It is no value, but precedes one. */
        PREFIX
    }

    private final long mostHashed;

    // by level
    private Container[] kinds = new Container[16];
    private int[] left = new int[16];
    private long[] costs = new long[16];
    private int[] numbers = new int[16];
    private boolean[] areKeysNext = new boolean[16];
    private int depth;
    private int nested;

    /** Of containers that can be referred to, by their number. */
    private final Map<Integer, Long> remembered = new HashMap<>();

    private int containers;
    private long hashed;
    private long referred;

    DecodingCost(int bytes) {
        this.mostHashed = MOST_HASHED + (long) MOST_HASHED_PER_BYTE * bytes;
    }

    /** Whether the values of a list of this type are hashed; those of a set in a field of that type come without one. */
    static boolean isSet(String type) {
        return !type.startsWith("[") && !type.endsWith("List");
    }

    int depth() {
        return depth;
    }

    boolean isOpen() {
        return depth > 0;
    }

    /** How many values the innermost container still has; negative if it ends with a code. */
    int left() {
        return left[depth - 1];
    }

    void open(Container kind, int values) {
        nested += kind == Container.PREFIX ? 0 : 1;
        if (nested > MOST_NESTED || depth > 2 * MOST_NESTED) {
            throw new UnreadableRequestException("has values that are nested more than " + MOST_NESTED + " deep");
        }
        if (depth == left.length) {
            kinds = Arrays.copyOf(kinds, 2 * depth);
            left = Arrays.copyOf(left, 2 * depth);
            costs = Arrays.copyOf(costs, 2 * depth);
            numbers = Arrays.copyOf(numbers, 2 * depth);
            areKeysNext = Arrays.copyOf(areKeysNext, 2 * depth);
        }
        kinds[depth] = kind;
        left[depth] = values;
        costs[depth] = 1;
        areKeysNext[depth] = true;
        if (kind != Container.PREFIX) {
            numbers[depth] = containers++;
        }
        depth++;
    }

    /** A value of the innermost container follows. */
    void next() {
        if (left[depth - 1] > 0) {
            left[depth - 1]--;
        }
        referred = 1;
    }

    /** The value is a reference to a container, of which one that is still open has the values so far. */
    void refersTo(int number) {
        Long known = remembered.get(number);
        referred = known == null ? LEAST_REMEMBERED : known;
        for (int level = depth - 1; known == null && level >= 0; level--) {
            if (kinds[level] != Container.PREFIX && numbers[level] == number) {
                referred = costs[level];
            }
        }
    }

    /** The value was no container. */
    void scalar() {
        add(referred);
    }

    /** The innermost container has ended. */
    void close() {
        depth--;
        long cost = costs[depth];
        if (kinds[depth] != Container.PREFIX) {
            nested--;
            if (cost > LEAST_REMEMBERED) {
                remembered.put(numbers[depth], cost);
            }
        }
        if (depth > 0) {
            add(cost);
        }
    }

    private void add(long cost) {
        int at = depth - 1;
        costs[at] = Math.min(mostHashed, costs[at]) + Math.min(mostHashed, cost);
        if (kinds[at] == Container.SET || (kinds[at] == Container.MAP && areKeysNext[at])) {
            hashed += Math.min(mostHashed, cost);
            if (hashed > mostHashed) {
                throw new UnreadableRequestException("has sets in sets, or references, of which more than " + mostHashed
                        + " values would be hashed");
            }
        }
        areKeysNext[at] = !areKeysNext[at];
    }
}
