// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.application;

import io.highway.sdk.dubbo.internal.caller.endpoint.Destination;
import io.highway.sdk.dubbo.internal.caller.endpoint.Destinations;
import io.highway.sdk.dubbo.internal.caller.route.RouteDecision;
import io.highway.sdk.dubbo.internal.policy.Policy;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The active policy and its destinations. A call reads it once, so that a policy that is published meanwhile does not
 * concern it.
 *
 * @param policy the policy
 * @param destinations its destinations; null until the application's first reference
 */
public record PolicySnapshot(Policy policy, @Nullable Destinations destinations) {

    /** The destination of a call that was decided with this policy. */
    public Destination destination(RouteDecision.Tunnel decision) {
        return Objects.requireNonNull(destinations, "no reference").of(decision);
    }
}
