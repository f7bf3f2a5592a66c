// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.guard;

import io.highway.sdk.Caller;
import io.highway.sdk.dubbo.internal.operate.audit.AuditLog;
import io.highway.sdk.dubbo.internal.operate.audit.InboundCallAudit;
import java.net.InetAddress;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.rpc.Invoker;
import org.jspecify.annotations.Nullable;

/** Audits the calls that the guard sees, except for health checks. Does nothing if the audit trail is off. */
final class GuardAudit {

    private GuardAudit() {}

    /**
     * Reserves the lines of a call that passed every check.
     *
     * @param shadow why it would be refused if {@code guard.mode} were {@code enforce}, or null
     * @return why it is refused, or null if it may run
     */
    static @Nullable GuardRefusal begin(@Nullable AuditLog audit, GuardedCall call, @Nullable GuardRefusal shadow) {
        Invoker<?> service = call.target().service();
        if (audit == null || service == null || isHealthCheck(call)) {
            return null;
        }
        InboundCallAudit.Verdict verdict =
                shadow == null ? verdict(call, call.rule(), null) : verdict(call, shadow.rule(), shadow.reason());
        return InboundCallAudit.begin(audit, service, call.invocation(), verdict) != null
                ? null
                : GuardRefusal.of(
                        "busy",
                        "the audit buffer of " + call.policy().home() + ", or the caller's share of it, is full, and"
                                + " highway.audit.overflow is refuse there");
    }

    /** Writes the line of a call that is refused; none if there is no such service. */
    static void refused(@Nullable AuditLog audit, GuardedCall call, GuardRefusal refusal) {
        Invoker<?> service = call.target().service();
        if (audit != null && service != null && !isHealthCheck(call)) {
            InboundCallAudit.refused(
                    audit, service, call.invocation(), verdict(call, refusal.rule(), null), refusal.reason());
        }
    }

    private static InboundCallAudit.Verdict verdict(GuardedCall call, @Nullable String rule, @Nullable String shadow) {
        Caller caller = call.caller();
        String asked = call.isRouted() ? call.asked() : call.policy().home();
        boolean standsIn = !call.origin().isPassedOn()
                && call.policy().guard().standsInFor().containsKey(asked);
        String island = call.island();
        InetAddress peer = call.peer();
        return new InboundCallAudit.Verdict(
                caller != null ? caller : call.origin().caller(), // as claimed, if the signature does not prove it
                standsIn || island == null ? call.policy().home() : island,
                standsIn ? asked : null,
                peer == null ? null : peer.getHostAddress(),
                rule,
                shadow,
                call.policy());
    }

    private static boolean isHealthCheck(GuardedCall call) {
        return call.invocation().getMethodName().equals(CommonConstants.$ECHO);
    }
}
