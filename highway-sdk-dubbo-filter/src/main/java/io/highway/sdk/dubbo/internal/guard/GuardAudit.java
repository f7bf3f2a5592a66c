// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.guard;

import io.highway.sdk.Caller;
import io.highway.sdk.dubbo.internal.audit.AuditLog;
import io.highway.sdk.dubbo.internal.audit.ServedCall;
import io.highway.sdk.dubbo.internal.config.Policy;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.rpc.Invocation;
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
        return begin(
                audit,
                call.target().service(),
                call.invocation(),
                shadow == null ? verdict(call, call.rule(), null) : verdict(call, shadow.rule(), shadow.reason()));
    }

    /** The same, for a call without route headers that {@code guard.mode=shadow} spares a refusal. */
    static @Nullable GuardRefusal begin(
            @Nullable AuditLog audit, Policy policy, Target target, Invocation invocation, GuardRefusal shadow) {
        return begin(
                audit,
                target.service(),
                invocation,
                new ServedCall.Verdict(null, policy.home(), shadow.rule(), shadow.reason(), policy));
    }

    private static @Nullable GuardRefusal begin(
            @Nullable AuditLog audit, @Nullable Invoker<?> service, Invocation invocation, ServedCall.Verdict verdict) {
        return audit == null
                        || service == null
                        || isHealthCheck(invocation)
                        || ServedCall.begin(audit, service, invocation, verdict) != null
                ? null
                : GuardRefusal.of(
                        "busy",
                        "the audit buffer of " + verdict.policy().home() + ", or the caller's share of it, is full, and"
                                + " highway.audit.overflow is refuse there");
    }

    /** Writes the line of a call that is refused; none if there is no such service. */
    static void refused(@Nullable AuditLog audit, GuardedCall call, GuardRefusal refusal) {
        refused(audit, call.target(), call.invocation(), verdict(call, refusal.rule(), null), refusal);
    }

    /** Writes the line of a call without route headers that is refused. */
    static void refused(
            @Nullable AuditLog audit, Policy policy, Target target, Invocation invocation, GuardRefusal refusal) {
        refused(
                audit,
                target,
                invocation,
                new ServedCall.Verdict(null, policy.home(), refusal.rule(), null, policy),
                refusal);
    }

    private static void refused(
            @Nullable AuditLog audit,
            Target target,
            Invocation invocation,
            ServedCall.Verdict verdict,
            GuardRefusal refusal) {
        if (audit != null && target.service() != null && !isHealthCheck(invocation)) {
            ServedCall.refused(audit, target.service(), invocation, verdict, refusal.reason());
        }
    }

    /** The service has answered; {@code thrown} is null if it did so with a value or a stream. */
    static void returned(@Nullable AuditLog audit, Invocation invocation, @Nullable Throwable thrown) {
        ServedCall served = audit == null ? null : ServedCall.of(invocation);
        if (served != null) {
            served.returned(thrown);
        }
    }

    private static ServedCall.Verdict verdict(GuardedCall call, @Nullable String rule, @Nullable String shadow) {
        Caller caller = call.caller();
        return new ServedCall.Verdict(
                caller != null ? caller : call.origin().caller(), // as claimed, if the signature does not prove it
                call.headers().island(),
                rule,
                shadow,
                call.policy());
    }

    private static boolean isHealthCheck(Invocation invocation) {
        return invocation.getMethodName().equals(CommonConstants.$ECHO);
    }
}
