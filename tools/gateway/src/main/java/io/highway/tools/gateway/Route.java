// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The route to one island. */
interface Route extends AutoCloseable {

    /** Addresses to try, best first, at least one; fails with a {@link Refusal}. */
    CompletableFuture<List<Address>> candidates(ServiceName service, Protocol protocol);

    /** Whether the addresses are those of providers and not of another gateway. */
    boolean facesProviders();

    @Override
    default void close() {}
}
