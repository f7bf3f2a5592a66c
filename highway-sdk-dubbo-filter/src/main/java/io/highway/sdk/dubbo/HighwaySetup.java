// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

import io.highway.sdk.IslandResolver;

/** What a {@link HighwayCustomizer} can configure. Used by one thread, while the configuration is read. */
public interface HighwaySetup {

    /**
     * Sets a key, stronger than any other source.
     *
     * @param key a full key, such as {@code highway.islands.shanghai.tunnel}
     * @param value the value, as in a configuration file
     * @return this setup
     * @throws IllegalArgumentException if it does not start with {@code highway.}; unknown keys and values that are not
     *     allowed fail start-up, as those of other sources do
     */
    HighwaySetup set(String key, String value);

    /**
     * Sets the resolver of business keys; the last one set is used.
     *
     * @param islandResolver the resolver
     * @return this setup
     */
    HighwaySetup islandResolver(IslandResolver islandResolver);

    /**
     * Adds a listener for the outcomes of routed calls.
     *
     * @param listener the listener; it may be called by several threads at once
     * @return this setup
     */
    HighwaySetup outcomeListener(OutcomeListener listener);

    /**
     * Adds a listener for the health of gateway endpoints.
     *
     * @param listener the listener; it may be called by several threads at once
     * @return this setup
     */
    HighwaySetup networkListener(NetworkListener listener);

    /**
     * Sets the store that shares used signatures with other processes of this island; the last one set is used.
     *
     * @param store the store; it is called by several threads at once
     * @return this setup
     */
    HighwaySetup replayStore(ReplayStore store);

    /**
     * Adds a listener for what the guard of this process refuses, would refuse or marks.
     *
     * @param listener the listener; it may be called by several threads at once
     * @return this setup
     */
    HighwaySetup guardListener(GuardListener listener);
}
