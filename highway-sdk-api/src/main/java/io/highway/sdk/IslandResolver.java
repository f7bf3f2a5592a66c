// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk;

import org.jspecify.annotations.Nullable;

/**
 * Says which island a business key means, where {@code highway.islands.<id>.keys} cannot: from a table, a hash, a service.
 *
 * <p>It is asked on the calling thread, for every call whose island is named by an {@link IslandKey} argument, so it should
 * answer from memory. Called by many threads at once.
 */
@FunctionalInterface
public interface IslandResolver {

    /**
     * Returns the island's id, or null to leave the key to the configuration. What it throws refuses the call; nothing is
     * sent then.
     *
     * @param key the value of the argument or of its property, never null
     */
    @Nullable
    String islandOf(String key);
}
