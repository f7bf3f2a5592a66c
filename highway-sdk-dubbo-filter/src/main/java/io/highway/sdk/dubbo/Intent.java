// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

import io.highway.sdk.HighwayRoute;
import io.highway.sdk.Island;
import io.highway.sdk.IslandId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which island a call asks for, as it was written: nothing is checked yet.
 *
 * @param source the source of the request
 * @param asked the island, or the business key where {@code source} is {@link IntentSource#KEY}; null for home
 * @param when whether home providers come first
 * @param problem why the island cannot be determined, or null; a call with a problem is refused
 */
public record Intent(IntentSource source, @Nullable String asked, Island.When when, @Nullable String problem) {

    /** The call asks for no island. */
    public static final Intent NONE = new Intent(IntentSource.NONE, null, Island.When.ALWAYS, null);

    public static Intent attachment(String value) {
        return new Intent(IntentSource.ATTACHMENT, value, Island.When.ALWAYS, null);
    }

    public static Intent scope(HighwayRoute route) {
        return new Intent(IntentSource.SCOPE, route.island().orElse(null), Island.When.ALWAYS, null);
    }

    public static Intent key(String key) {
        return new Intent(IntentSource.KEY, key, Island.When.ALWAYS, null);
    }

    public static Intent missingKey(String problem) {
        return new Intent(IntentSource.KEY, null, Island.When.ALWAYS, problem);
    }

    public static Intent of(IntentSource source, Island island) {
        return new Intent(source, island.value(), island.when(), null);
    }

    public static Intent reference(String island, Island.When when) {
        return new Intent(IntentSource.REFERENCE, island, when, null);
    }

    /** The island that {@code highway.services.<interface>} names. */
    public static Intent configuration(String island, Island.When when) {
        return new Intent(IntentSource.CONFIGURATION, island, when, null);
    }

    /** Whether the call asks for no island. */
    public boolean isNone() {
        return source == IntentSource.NONE;
    }

    /** The island or business key, or empty for home. */
    public Optional<String> target() {
        return Optional.ofNullable(asked);
    }

    /** For messages: {@code island shanghai (from attachment)}. */
    @Override
    public String toString() {
        if (isNone()) {
            return "home (no island requested)";
        }
        String what;
        if (problem != null) {
            what = "an island by key";
        } else if (asked == null) {
            what = "home";
        } else {
            what = (source == IntentSource.KEY ? "the island of key \"" : "island \"") + IslandId.printable(asked)
                    + "\"";
        }
        return what + " (from " + source + ")";
    }
}
