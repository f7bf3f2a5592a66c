// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.tunnel;

import io.highway.sdk.dubbo.GatewayAddress;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.InternalHighwayException;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.TrafficClass;
import io.highway.sdk.dubbo.internal.endpoint.Destination;
import io.highway.sdk.dubbo.internal.evidence.Failure;
import io.highway.sdk.dubbo.internal.intent.DubboCall;
import io.highway.sdk.dubbo.internal.limits.Bulkhead;
import io.highway.sdk.dubbo.internal.route.RouteDecision;
import io.highway.sdk.dubbo.internal.route.Routed;

/** The exceptions of calls that a tunnel could not deliver: what was asked, what was decided, why, and what to do. */
final class TunnelFailures {

    private TunnelFailures() {}

    /** An attempt through this gateway has failed. */
    static HighwayException over(
            GatewayAddress gateway,
            DubboCall call,
            Routed routed,
            RouteDecision.Tunnel decision,
            Failure failure,
            Throwable thrown) {
        return InternalHighwayException.create(
                call.name(),
                failure.reason(),
                routed.intent(),
                decision.island(),
                failure.mayHaveRun(),
                routed.decided(
                        gateway.kind() + " tunnel to " + decision.island() + " through " + gateway.hostAndPort()),
                failure.what(),
                Remedies.on(failure, decision, thrown),
                thrown);
    }

    /** The call was not sent, for a reason that concerns no single gateway. */
    static HighwayException notSent(
            DubboCall call, Routed routed, RouteDecision.Tunnel decision, Reason reason, String what) {
        return notSent(call, routed, decision, reason, what, Remedies.on(reason, decision));
    }

    private static HighwayException notSent(
            DubboCall call, Routed routed, RouteDecision.Tunnel decision, Reason reason, String what, String advice) {
        return InternalHighwayException.create(
                call.name(),
                reason,
                routed.intent(),
                decision.island(),
                false,
                routed.decided("tunnel to " + decision.island()),
                what,
                advice,
                null);
    }

    /** The concurrency limit of its class does not admit the call. */
    static HighwayException refusedByLimit(
            DubboCall call, Routed routed, RouteDecision.Tunnel decision, Bulkhead limit) {
        boolean bulk = limit.trafficClass() == TrafficClass.BULK;
        return notSent(
                call,
                routed,
                decision,
                Reason.BUSY,
                "the limit of " + (bulk ? "bulk " : "") + "calls in flight, " + limit.limit() + ", is reached",
                Remedies.onBusy(decision.island(), limit.trafficClass()));
    }

    /** No endpoint has accepted the call. */
    static HighwayException noEndpoint(
            DubboCall call, Routed routed, RouteDecision.Tunnel decision, Destination destination) {
        boolean refusing = destination.isRefusing(decision.tunnels());
        return notSent(
                call,
                routed,
                decision,
                refusing ? Reason.BREAKER_OPEN : Reason.GATEWAY_DOWN,
                (refusing ? "no gateway takes calls (" : "no gateway is connected (")
                        + destination.problems(decision.tunnels()) + ")");
    }
}
