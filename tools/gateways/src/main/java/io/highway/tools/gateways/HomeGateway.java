// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways;

import java.io.IOException;
import java.util.Optional;

/** One gateway of home, with the routes of its star. */
public interface HomeGateway {

    /** Where calls to an island enter by this protocol; empty if it does not carry it. */
    Optional<Entrance> entrance(Protocol protocol, String island);

    /**
     * Replaces it as its operators would, at the same addresses. Returns when the new one takes calls; the old one ends when
     * its calls are over, or its drain time is.
     */
    void reload() throws IOException;

    /** Waits until everything that {@link #reload} has replaced is gone. */
    void awaitReplaced() throws IOException;

    /** Stops it as its operators would: it takes no new calls and lets those in flight finish. Returns at once. */
    void drain() throws IOException;

    /** Waits until it is gone after {@link #drain}. */
    void awaitDrained() throws IOException;
}
