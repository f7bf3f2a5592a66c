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
     * @throws IllegalArgumentException if it does not start with {@code highway.}; unknown keys and values that are not
     *     allowed fail start-up, as those of other sources do
     */
    HighwaySetup set(String key, String value);

    /** Sets the resolver of business keys; the last one set is used. */
    HighwaySetup islandResolver(IslandResolver islandResolver);

    /** Adds a listener for the outcomes of routed calls. */
    HighwaySetup outcomeListener(OutcomeListener listener);

    /** Adds a listener for the health of gateway endpoints. */
    HighwaySetup networkListener(NetworkListener listener);

    /**
     * Replaces system properties and environment variables by the settings of a host that has read them itself, such as
     * Spring. They are stronger than Dubbo's other sources.
     */
    HighwaySetup environment(HighwaySettings settings);
}
