// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk;

import org.jspecify.annotations.Nullable;

/**
 * Maps a business key to its island where {@code highway.islands.<id>.keys} cannot: by a table, a hash, a service.
 *
 * <p>Called on the calling thread, by many threads at once, for every call whose island is named by an
 * {@link IslandKey} argument; it should answer from memory.
 */
@FunctionalInterface
public interface IslandResolver {

    /**
     * {@return the island's id, or null to leave the key to the configuration} If it throws, the call is refused and
     * nothing is sent.
     *
     * @param key the value of the argument or of its property, never null
     */
    @Nullable
    String islandOf(String key);
}
