// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.operate.audit;

import io.highway.sdk.dubbo.CallOutcome;
import io.highway.sdk.dubbo.GatewayAddress;
import io.highway.sdk.dubbo.Outcome;
import io.highway.sdk.dubbo.internal.call.DubboCall;
import io.highway.sdk.dubbo.internal.caller.route.RouteDecision;
import io.highway.sdk.dubbo.internal.operate.audit.AuditEntry.Crossing;
import io.highway.sdk.dubbo.internal.operate.audit.AuditEntry.Direction;
import io.highway.sdk.dubbo.internal.operate.audit.AuditEntry.End;
import io.highway.sdk.dubbo.internal.operate.audit.AuditEntry.From;
import io.highway.sdk.dubbo.internal.operate.audit.AuditEntry.To;
import io.highway.sdk.dubbo.internal.policy.Policy;
import java.util.Objects;
import org.apache.dubbo.common.URL;
import org.jspecify.annotations.Nullable;

/** The audit of one call at its caller: its lines are reserved before it runs. */
public final class OutboundCallAudit {

    private final DubboCall call;
    private final From from;
    private final String decision;
    private final String policy;
    private final AuditLog.@Nullable Reservation reservation;
    private final boolean refused;

    /** For tracing systems that put no id into the call; known on the caller's thread only. */
    private final @Nullable String callersTrace;

    private OutboundCallAudit(
            DubboCall call,
            From from,
            String decision,
            String policy,
            AuditLog.@Nullable Reservation reservation,
            boolean refused) {
        this.call = call;
        this.from = from;
        this.decision = decision;
        this.policy = policy;
        this.reservation = reservation;
        this.refused = refused;
        this.callersTrace = reservation == null ? null : TraceIdFinder.ofCaller(call.invocation());
    }

    /** Reserves the lines of a call that was decided on; writes the first one if the policy asks for it. */
    public static OutboundCallAudit begin(AuditLog log, DubboCall call, RouteDecision decision, Policy policy) {
        RouteDecision.@Nullable Tunnel tunnel = decision instanceof RouteDecision.Tunnel out ? out : null;
        boolean start = tunnel != null && policy.audit().start();
        AuditLog.Reservation reservation = log.reserve(start ? 2 : 1, null, true);
        OutboundCallAudit leaving = new OutboundCallAudit(
                call,
                new From(policy.home(), log.application(), null, null, null),
                tunnel == null ? "refuse" : "tunnel",
                policy.version(),
                reservation,
                reservation == null && policy.audit().refusesOnOverflow());
        if (tunnel != null && start && reservation != null) {
            Crossing crossing = leaving.crossing(decision.namedIsland(), tunnel.standsInFor());
            reservation.writeNow(
                    new AuditEntry(crossing, System.currentTimeMillis(), leaving.callersTrace, null, null, null));
        }
        if (reservation != null && call.isStreaming()) {
            reservation.idle();
        }
        return leaving;
    }

    /** The call; another island than at first may take it. */
    private Crossing crossing(@Nullable String island, @Nullable String asked) {
        URL reference = call.consumerUrl();
        To to = new To(
                island, asked, call.interfaceName(), call.methodName(), reference.getGroup(), reference.getVersion());
        return new Crossing(Direction.OUT, from, to, decision, null, policy);
    }

    /** Whether the call must not be sent, because there is no place for its lines. */
    public boolean isRefused() {
        return refused;
    }

    /**
     * The call has ended; called once.
     *
     * @param bytes the size of the request, or a negative number if it was not measured
     */
    public void ended(CallOutcome outcome, long bytes) {
        if (reservation == null) {
            return;
        }
        String carried = TraceIdFinder.of(call.invocation());
        GatewayAddress gateway = outcome.gateway();
        reservation.write(new AuditEntry(
                crossing(
                        outcome.island(),
                        Objects.equals(outcome.island(), outcome.askedIsland()) ? null : outcome.askedIsland()),
                System.currentTimeMillis(),
                carried != null ? carried : callersTrace,
                gateway == null ? null : gateway.kind().word(),
                gateway == null ? null : gateway.hostAndPort(),
                new End(
                        outcome.outcome().word(),
                        outcome.reason() == null ? null : outcome.reason().word(),
                        outcome.outcome() == Outcome.DELIVERED || outcome.outcome() == Outcome.SENT_UNKNOWN,
                        outcome.servedAtHome() ? "home" : outcome.fallbackReason() != null ? outcome.island() : null,
                        null,
                        bytes,
                        outcome.duration().toMillis())));
    }
}
