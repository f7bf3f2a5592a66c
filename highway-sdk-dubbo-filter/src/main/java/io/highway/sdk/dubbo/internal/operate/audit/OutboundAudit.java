// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.operate.audit;

import io.highway.sdk.dubbo.CallOutcome;
import io.highway.sdk.dubbo.GatewayAddress;
import io.highway.sdk.dubbo.Outcome;
import io.highway.sdk.dubbo.internal.call.DubboCall;
import io.highway.sdk.dubbo.internal.caller.route.RouteDecision;
import io.highway.sdk.dubbo.internal.operate.audit.AuditLine.Crossing;
import io.highway.sdk.dubbo.internal.operate.audit.AuditLine.Direction;
import io.highway.sdk.dubbo.internal.operate.audit.AuditLine.End;
import io.highway.sdk.dubbo.internal.operate.audit.AuditLine.From;
import io.highway.sdk.dubbo.internal.operate.audit.AuditLine.To;
import io.highway.sdk.dubbo.internal.policy.Policy;
import java.util.Objects;
import org.apache.dubbo.common.URL;
import org.jspecify.annotations.Nullable;

/** The audit of one call at its caller: its lines are reserved before it runs. */
public final class OutboundAudit {

    private final DubboCall call;
    private final Crossing crossing;
    private final AuditLog.@Nullable Reservation reservation;
    private final boolean refused;

    /** For tracing systems that put no id into the call; known on the caller's thread only. */
    private final @Nullable String callersTrace;

    private OutboundAudit(
            DubboCall call, Crossing crossing, AuditLog.@Nullable Reservation reservation, boolean refused) {
        this.call = call;
        this.crossing = crossing;
        this.reservation = reservation;
        this.refused = refused;
        this.callersTrace = reservation == null ? null : TraceIds.ofCaller(call.invocation());
    }

    /** Reserves the lines of a call that was decided on; writes the first one if the policy asks for it. */
    public static OutboundAudit begin(AuditLog log, DubboCall call, RouteDecision decision, Policy policy) {
        RouteDecision.@Nullable Tunnel tunnel = decision instanceof RouteDecision.Tunnel out ? out : null;
        boolean start = tunnel != null && policy.audit().start();
        AuditLog.Reservation reservation = log.reserve(start ? 2 : 1, null, true);
        URL reference = call.consumerUrl();
        Crossing crossing = new Crossing(
                Direction.OUT,
                new From(policy.home(), log.application(), null, null, null),
                new To(
                        decision.namedIsland(),
                        tunnel == null ? null : tunnel.standsInFor(),
                        call.interfaceName(),
                        call.methodName(),
                        reference.getGroup(),
                        reference.getVersion()),
                tunnel == null ? "refuse" : "tunnel",
                null,
                policy.version());
        OutboundAudit leaving = new OutboundAudit(
                call,
                crossing,
                reservation,
                reservation == null && policy.audit().refusesOnOverflow());
        if (start && reservation != null) {
            reservation.writeNow(
                    new AuditLine(crossing, System.currentTimeMillis(), leaving.callersTrace, null, null, null));
        }
        if (reservation != null && call.isStreaming()) {
            reservation.idle();
        }
        return leaving;
    }

    /** The call as it is known at its end: another island may have taken it since. */
    private Crossing answeredBy(@Nullable String island, @Nullable String asked) {
        To to = crossing.to();
        return Objects.equals(island, to.island())
                ? crossing
                : new Crossing(
                        crossing.direction(),
                        crossing.from(),
                        new To(island, asked, to.service(), to.method(), to.group(), to.version()),
                        crossing.decision(),
                        crossing.rule(),
                        crossing.policy());
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
        String carried = TraceIds.of(call.invocation());
        GatewayAddress gateway = outcome.gateway();
        reservation.write(new AuditLine(
                answeredBy(outcome.island(), outcome.askedIsland()),
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
