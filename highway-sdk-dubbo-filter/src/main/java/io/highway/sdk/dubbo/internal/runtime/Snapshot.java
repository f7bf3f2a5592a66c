// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.runtime;

import io.highway.sdk.dubbo.internal.config.Policy;
import io.highway.sdk.dubbo.internal.endpoint.Destination;
import io.highway.sdk.dubbo.internal.endpoint.Destinations;
import io.highway.sdk.dubbo.internal.route.RouteDecision;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The policy in force and its destinations. A call reads it once, so that a policy that is published meanwhile does not
 * concern it.
 *
 * @param policy the policy
 * @param destinations its destinations; null until the application's first reference
 */
public record Snapshot(Policy policy, @Nullable Destinations destinations) {

    /** The destination of a call that was decided with this policy. */
    public Destination destination(RouteDecision.Tunnel decision) {
        return Objects.requireNonNull(destinations, "no reference").of(decision);
    }
}
