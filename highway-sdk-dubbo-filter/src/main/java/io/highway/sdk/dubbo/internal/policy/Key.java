// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy;

import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One key: where it is allowed, what is active without it, and how its value is read. {@link HighwayKeys} has all of
 * them. Immutable.
 *
 * @param name without {@code highway.}, and without its island
 * @param reader reads a value
 * @param general what it is for all islands, or null if it is no general key
 * @param ofIsland what it is for one island, or null if islands do not have it
 */
record Key<T>(String name, Reader<T> reader, @Nullable Place general, @Nullable Place ofIsland) {

    static final String PREFIX = "highway.";

    /** What signing keys, rules and dictionaries are called. */
    static final Pattern NAME = Pattern.compile("[a-z0-9-]{1,63}");

    /** Reads a value. */
    interface Reader<T> {

        /**
         * Reads a value.
         *
         * @param fullKey the key as it is written, for messages
         * @throws io.highway.sdk.dubbo.HighwayConfigurationException if the value is not allowed
         */
        T read(String fullKey, String value);
    }

    /**
     * A key at its place in the configuration.
     *
     * @param builtIn its default: a value, or a description if there is none
     * @param isDynamic whether a rule of the dynamic policy may set it for an island or {@code defaults}; which general
     *     keys it may set, {@link HighwayKeys#RULE_GROUPS} lists
     * @param isOfOneIsland whether it makes sense for a single island only, and not below {@code defaults}
     */
    record Place(String builtIn, boolean isDynamic, boolean isOfOneIsland) {

        /** A key that only the static configuration sets. */
        static Place is(String builtIn) {
            return new Place(builtIn, false, false);
        }

        Place dynamic() {
            return new Place(builtIn, true, isOfOneIsland);
        }

        Place ofOneIsland() {
            return new Place(builtIn, isDynamic, true);
        }
    }

    /** As a general key. */
    String fullKey() {
        return PREFIX + name;
    }

    /** Its default as a general key, which is a value. */
    T generalDefault() {
        return read(fullKey(), Objects.requireNonNull(general).builtIn);
    }

    /** Its default as a key of an island, which is a value. */
    T islandDefault() {
        return read(fullKey(), Objects.requireNonNull(ofIsland).builtIn);
    }

    T read(String fullKey, String value) {
        return reader.read(fullKey, value);
    }
}
