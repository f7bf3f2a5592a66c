// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The values of the keys of an island: its own, else those of {@code defaults}, else the built-in ones.
 *
 * @param general the values of the general keys and of {@code defaults}
 * @param island the island's id, or null for {@code defaults} alone
 * @param own the island's values as written, by key
 */
record IslandSettings(GeneralSettings general, @Nullable String island, Map<String, String> own) {

    boolean has(Key<?> key) {
        return text(key) != null;
    }

    /** Whether it is the island's own, and not that of {@code defaults}. */
    boolean hasOwn(Key<?> key) {
        return own.containsKey(key.name());
    }

    private @Nullable String text(Key<?> key) {
        String text = own.get(key.name());
        return text != null ? text : general.texts().get(HighwayKeys.DEFAULTS + key.name());
    }

    /** What is written, or the default, which is a value. */
    <T> T get(Key<T> key) {
        T written = written(key);
        return written != null ? written : key.islandDefault();
    }

    /** What is written, or null if there is nothing that can be read. */
    <T> @Nullable T written(Key<T> key) {
        String text = text(key);
        return text == null ? null : general.mistakes().read(() -> key.read(fullKey(key), text));
    }

    String fullKey(Key<?> key) {
        return fullKey(key.name());
    }

    String fullKey(String name) {
        boolean fromDefaults =
                island == null || (!own.containsKey(name) && general.texts().containsKey(HighwayKeys.DEFAULTS + name));
        return HighwayKeys.PREFIX + (fromDefaults ? HighwayKeys.DEFAULTS : HighwayKeys.ISLANDS + island + ".") + name;
    }

    /** The island's value as written, or that of home's gateways; null if there is neither. */
    @Nullable
    String textOrHomes(Key<?> key) {
        String text = text(key);
        return text != null ? text : general.texts().get(key.name());
    }

    String fullKeyOrHomes(Key<?> key) {
        return has(key) ? fullKey(key) : key.fullKey();
    }
}
