// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.guard;

import io.highway.sdk.dubbo.internal.call.CallAttributes;
import io.highway.sdk.dubbo.internal.call.InboundHttpTunnelCall;
import io.highway.sdk.dubbo.internal.call.InboundRouteHeaders;
import io.highway.sdk.dubbo.internal.evidence.NotSentStatements;
import io.highway.sdk.dubbo.internal.policy.GuardRule;
import io.highway.sdk.dubbo.internal.policy.MethodPatterns;
import io.highway.sdk.dubbo.internal.signature.CallVerifier;
import io.highway.sdk.dubbo.internal.signature.Verification;
import io.highway.sdk.internal.Texts;
import java.net.InetAddress;
import java.util.List;
import java.util.Objects;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.jspecify.annotations.Nullable;

/** One check of the guard, and all of them in their order. None blocks, except that the signature's waits for the replay store. */
@FunctionalInterface
interface GuardStep {

    /**
     * The checks of a call without route headers of its own: over HTTP, the request does not contradict itself; and the
     * call comes from home.
     */
    static List<GuardStep> ofHome(GuardContext state) {
        return List.of(call -> problem(call.invocation()), call -> PeerClassifier.refusalOf(call, state));
    }

    /**
     * All checks of a call with route headers in their order; the first refusal wins.
     *
     * <ol>
     *   <li>If another application's call had the headers, the call comes from home.
     *   <li>This island is the call's destination, or stands in for that.
     *   <li>It does so for this method, unless an application at home passed the headers on.
     *   <li>The chain of calls is not too long.
     *   <li>The signature is valid, if {@code sign.accept} demands one, unless an application at home passed the
     *       headers on: whether the peer is at home decides the connection, and nothing that the caller writes.
     *   <li>Over HTTP, no copy of the request has run before.
     *   <li>The caller has an owner, if {@code guard.unknown-callers} demands it.
     *   <li>The rules allow it.
     *   <li>Over HTTP, the request is recorded. What follows may be otherwise for the next copy: if one is refused as
     *       not run, none may run later.
     *   <li>The caller is within the rates of these rules.
     *   <li>The service is exported, and has the method.
     * </ol>
     */
    static List<GuardStep> all(GuardContext state) {
        return List.of(
                call -> ingress(call, state),
                GuardStep::destination,
                call -> standby(call, state),
                GuardStep::hops,
                call -> signature(call, state),
                call -> copy(call, state),
                call -> owner(call, state),
                GuardStep::rules,
                call -> repeated(call, state),
                call -> rate(call, state),
                GuardStep::method);
    }

    /** Those that need the headers only and no state, for the first stage. None waits. */
    static List<GuardStep> ofHeaders(GuardContext state) {
        return List.of(
                call -> ingress(call, state),
                GuardStep::destination,
                call -> headerOfStandby(call, state),
                GuardStep::hops,
                call -> headerOfSignature(call, state));
    }

    /** Why the call is refused, or null if this check lets it pass. */
    @Nullable
    GuardRefusal refusal(GuardedCall call);

    /**
     * Why a request is refused that came over HTTP and contradicts itself, or null. Without proof that nothing ran: another
     * copy of it may be intact.
     */
    static @Nullable GuardRefusal problem(Invocation invocation) {
        InboundHttpTunnelCall http = CallAttributes.get(invocation, InboundHttpTunnelCall.class);
        InboundHttpTunnelCall.Problem problem = http == null ? null : http.problem();
        return problem == null ? null : GuardRefusal.of(problem.reason(), problem.detail());
    }

    /** Headers that an application passed on say nothing about this call, which counts as one without headers. */
    private static @Nullable GuardRefusal ingress(GuardedCall call, GuardContext state) {
        if (!call.origin().isPassedOn()) {
            return null;
        }
        return CallAttributes.get(call.invocation(), InboundHttpTunnelCall.class) != null
                ? PeerClassifier.overHttp()
                : PeerClassifier.refusalOf(call, state);
    }

    /** Whether an application at home sent the call, with the headers of one that it serves. */
    private static boolean isPassedOnAtHome(GuardedCall call, GuardContext state) {
        return call.origin().isPassedOn() && PeerClassifier.isFromHome(call, state);
    }

    private static @Nullable GuardRefusal destination(GuardedCall call) {
        String island = call.headers().island();
        String home = call.policy().home();
        return island.equals(home) || call.policy().guard().standsInFor().containsKey(island)
                ? null
                : GuardRefusal.of(
                        NotSentStatements.WRONG_ISLAND,
                        "this is " + home + ", the call was for \"" + Texts.printable(island)
                                + "\"; look at the gateways' routes");
    }

    /** Whether this island serves the method for the island that was asked for. */
    private static @Nullable GuardRefusal standby(GuardedCall call, GuardContext state) {
        String asked = call.asked();
        String home = call.policy().home();
        MethodPatterns methods = call.policy().guard().standsInFor().get(asked);
        boolean isServed = asked.equals(home)
                || isPassedOnAtHome(call, state)
                || (methods != null
                        && (call.isEcho()
                                || methods.matches(
                                        call.service(), call.calledMethod().name())));
        return isServed
                ? null
                : GuardRefusal.of(
                        "not-standby",
                        home + " does not serve " + call.name() + " for " + Texts.printable(asked)
                                + "; see highway.guard.stands-in-for.<island> in " + home);
    }

    /** What a generic call calls, and whether it is a health check, is in its body. */
    private static @Nullable GuardRefusal headerOfStandby(GuardedCall call, GuardContext state) {
        return call.invocation().getMethodName().startsWith("$") ? null : standby(call, state);
    }

    private static @Nullable GuardRefusal hops(GuardedCall call) {
        int hops = call.origin().hops();
        int max = call.policy().local().maxHops();
        return hops <= max
                ? null
                : GuardRefusal.of(
                        "too-many-hops", "the call crossed " + hops + " islands and highway.max-hops is " + max);
    }

    private static @Nullable GuardRefusal signature(GuardedCall call, GuardContext state) {
        CallVerifier verifier = call.verifier();
        if (verifier == null || isPassedOnAtHome(call, state)) {
            return null;
        }
        Verification verdict = verify(call, verifier);
        String shadow = call.policy().signing().isShadow() ? "sign.mode" : null;
        if (verdict.reason() == null || shadow == null) {
            call.verifiedAs(verdict.caller());
        }
        return refusal(verdict, shadow);
    }

    private static @Nullable GuardRefusal refusal(Verification verdict, @Nullable String shadow) {
        return verdict.reason() == null
                ? null
                : new GuardRefusal(verdict.reason(), verdict.detail(), null, verdict.mayHaveRun(), shadow);
    }

    private static Verification verify(GuardedCall call, CallVerifier verifier) {
        InboundRouteHeaders headers = call.headers();
        return verifier.verify(
                headers.island(),
                headers.from(),
                headers.sign(),
                call.origin().claimed(),
                call.target().key(),
                call.calledMethod());
    }

    /** Form, key and time of the signature, without what it covers. */
    private static @Nullable GuardRefusal headerOfSignature(GuardedCall call, GuardContext state) {
        CallVerifier verifier = call.verifier();
        if (verifier == null || call.policy().signing().isShadow() || isPassedOnAtHome(call, state)) {
            return null;
        }
        Verification verdict = verifier.refusalOf(call.headers().sign());
        return verdict == null ? null : refusal(verdict, null);
    }

    private static @Nullable GuardRefusal owner(GuardedCall call, GuardContext state) {
        return !call.policy().guard().callers().refusesUnknown()
                        || call.isEcho()
                        || call.owner() != null
                        || isPassedOnAtHome(call, state)
                ? null
                : GuardRefusal.unlessShadow(
                        call.policy(),
                        "unknown-caller",
                        "highway.guard.callers in " + call.policy().home() + " has no entry for " + call.who()
                                + ", and highway.guard.unknown-callers is refuse there",
                        null);
    }

    private static @Nullable GuardRefusal rules(GuardedCall call) {
        Authorization decision = call.authorize();
        GuardRule rule = decision.rule();
        return switch (decision.verdict()) {
            case ALLOWED -> null;
            case DENIED ->
                GuardRefusal.unlessShadow(
                        call.policy(),
                        "denied",
                        "the rule \"" + Objects.requireNonNull(rule).name() + "\" (highway.guard.rules in "
                                + call.policy().home() + ") denies " + call.name() + " to " + call.who(),
                        rule.name());
            case NOT_ALLOWED ->
                GuardRefusal.unlessShadow(
                        call.policy(),
                        "not-allowed",
                        "no allow rule (highway.guard.rules in " + call.policy().home() + ") allows " + call.name()
                                + " to " + call.who(),
                        null);
        };
    }

    private static @Nullable GuardRefusal rate(GuardedCall call, GuardContext state) {
        Authorization decision = call.authorize();
        for (GuardRule limit : decision.limits()) {
            long nanos = state.rates().nanosToWait(limit, call.caller());
            if (nanos > 0) {
                return GuardRefusal.unlessShadow(
                        call.policy(),
                        NotSentStatements.BUSY,
                        "the rule \"" + limit.name() + "\" (highway.guard.rules in "
                                + call.policy().home() + ") allows " + limit.rate() + "/s to " + call.who()
                                + "; retry after " + (nanos / 1_000_000 + 1) + " ms",
                        limit.name());
            }
        }
        return null;
    }

    private static @Nullable GuardRefusal method(GuardedCall call) {
        Invoker<?> service = call.target().service();
        if (service == null) {
            return GuardRefusal.of(
                    NotSentStatements.NO_SUCH_SERVICE,
                    "it is not exported here in this group and version, or not on this port");
        }
        String missing = MethodCheck.missing(service, call.invocation());
        return missing == null ? null : GuardRefusal.of(NotSentStatements.NO_SUCH_METHOD, missing);
    }

    /** A copy is known as one, whatever else would refuse it: another refusal would say that nothing has run. */
    private static @Nullable GuardRefusal copy(GuardedCall call, GuardContext state) {
        InboundHttpTunnelCall http = CallAttributes.get(call.invocation(), InboundHttpTunnelCall.class);
        Verification verdict = http == null || call.isEcho()
                ? null
                : state.served().refusalOfCopy(http.id(), call.headers().sign() != null);
        return verdict == null ? null : refusal(verdict, null);
    }

    /** Behind what needs no state: who is refused there takes no place. An echo may run twice. */
    private static @Nullable GuardRefusal repeated(GuardedCall call, GuardContext state) {
        boolean isVerified = call.verifier() != null && !call.policy().signing().isShadow();
        return call.isEcho()
                ? null
                : repeated(call.invocation(), call.headers(), isVerified ? null : call.peer(), state);
    }

    /**
     * Why a copy of a request that came over HTTP is refused, or null.
     *
     * @param stranger the peer, if no signature was verified
     */
    static @Nullable GuardRefusal repeated(
            Invocation invocation, InboundRouteHeaders headers, @Nullable InetAddress stranger, GuardContext state) {
        InboundHttpTunnelCall http = CallAttributes.get(invocation, InboundHttpTunnelCall.class);
        Verification verdict =
                http == null ? null : state.served().refusal(http.id(), headers.sign() != null, stranger);
        return verdict == null ? null : refusal(verdict, null);
    }
}
