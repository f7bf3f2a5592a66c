// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway;

import io.netty.channel.Channel;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * From a call's destination to an open connection: route, then the first address that answers.
 *
 * @param recording where messages are recorded; null if they are not
 */
record Forwarder(
        Executor loop,
        Routes routes,
        Upstreams dubbo,
        Upstreams triple,
        Upstreams http,
        Traffic traffic,
        @Nullable MessageFiles recording) {

    /** Completes on the event loop, fails with a {@link Refusal}. */
    CompletableFuture<Channel> connect(Protocol protocol, @Nullable String island, ServiceName service) {
        if (traffic.refuses(protocol)) {
            return CompletableFuture.failedFuture(Refusal.draining());
        }
        CompletableFuture<List<Address>> candidates = routes.candidates(island, service, protocol);
        Function<List<Address>, CompletableFuture<Channel>> connections =
                switch (protocol) {
                    case DUBBO -> dubbo::anyOf;
                    case TRIPLE -> triple::anyOf;
                    case HTTP -> http::anyIdleOf;
                };
        return candidates.isDone()
                ? candidates.thenCompose(connections)
                : candidates.thenComposeAsync(connections, loop);
    }
}
