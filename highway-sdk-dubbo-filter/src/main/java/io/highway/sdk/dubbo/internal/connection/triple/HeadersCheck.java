// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.triple;

import io.highway.sdk.dubbo.internal.route.RouteHeaders;
import java.net.SocketAddress;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Checks a Triple request by its headers, before any of its data is buffered or inflated. Called on event loops, so it
 * never waits.
 */
public interface HeadersCheck {

    /**
     * Checks a request.
     *
     * @param path {@code /<service>/<method>}
     * @param headers the value of a header, or null
     * @return why it is refused, or null if it passes or is for another application's service
     */
    @Nullable
    Refusal refusal(SocketAddress peer, String path, UnaryOperator<@Nullable String> headers);

    /** Whether the path leads to a method of a stream, which may run before its request is whole. */
    boolean isStream(String path, UnaryOperator<@Nullable String> headers);

    /**
     * A request that passed has ended.
     *
     * @param isServedLater whether its client has gone, and Dubbo has the whole request: it may wait for a thread
     */
    void ended(UnaryOperator<@Nullable String> headers, boolean isServedLater);

    /**
     * Reports a request for which no thread was free: it has not begun.
     *
     * @param service its path
     * @param headers its route headers
     * @param sender the application that sent it, or null
     * @return how it is refused, or null if it is for another application's service
     */
    @Nullable
    Refusal withoutThread(
            SocketAddress peer, String service, String method, RouteHeaders headers, @Nullable String sender);

    /**
     * Why a request is refused.
     *
     * @param message for people
     * @param statement the value of {@code highway-refused}, or null if nothing is proved
     */
    record Refusal(String message, @Nullable String statement) {}
}
