// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.failover;

import io.highway.sdk.dubbo.TrafficClass;
import io.highway.sdk.dubbo.internal.call.DubboCall;
import io.highway.sdk.dubbo.internal.caller.route.RouteDecision;
import io.highway.sdk.dubbo.internal.limits.RequestSizeEstimator;
import io.highway.sdk.dubbo.internal.policy.IslandPolicy;

/**
 * The class of a call, which must be known before its connection is chosen: its arguments are measured as the
 * reference's cluster filters left them. Rules in this order:
 *
 * <ol>
 *   <li>a method of {@code bulk.methods}: bulk
 *   <li>a stream: interactive, since the size of its messages is unknown
 *   <li>a request larger than {@code bulk.over}: bulk
 *   <li>otherwise: interactive
 * </ol>
 */
final class TrafficClassifier {

    private TrafficClassifier() {}

    static TrafficClass of(DubboCall call, RouteDecision.Tunnel decision) {
        IslandPolicy.Bulk bulk = decision.policy().limits().bulk();
        if (bulk == null) {
            return TrafficClass.INTERACTIVE;
        }
        boolean isBulk = bulk.methods().matches(call.interfaceName(), call.methodName())
                || (bulk.dependsOnSize()
                        && !decision.streaming()
                        && RequestSizeEstimator.exceeds(
                                call, bulk.overBytes(), decision.policy().wire().serialization()));
        return isBulk ? TrafficClass.BULK : TrafficClass.INTERACTIVE;
    }
}
