// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.guard;

import io.highway.sdk.Caller;
import io.highway.sdk.dubbo.internal.call.CanonicalMethod;
import io.highway.sdk.dubbo.internal.call.InboundRouteHeaders;
import io.highway.sdk.dubbo.internal.policy.GuardRule;
import io.highway.sdk.dubbo.internal.policy.Policy;
import io.highway.sdk.dubbo.internal.signature.CallVerifier;
import java.net.InetAddress;
import java.util.List;
import java.util.Objects;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.rpc.Invocation;
import org.jspecify.annotations.Nullable;

/** A call as the checks of the guard see it. Used by one thread. */
final class GuardedCall {

    private final CalledService target;
    private final Invocation invocation;
    private final @Nullable InetAddress peer;
    private final @Nullable InboundRouteHeaders headers;
    private final ClaimedOrigin origin;
    private final Policy policy;
    private final @Nullable CallVerifier verifier;
    private @Nullable Caller caller;
    private @Nullable CanonicalMethod method;
    private @Nullable Authorization authorization;

    /**
     * A call whose caller is the one that its headers claim.
     *
     * @param peer the address of the connection's peer, or null if it is unknown
     * @param headers its route headers, or null if it has none that can be relied on
     * @param policy the active policy
     * @param verifier verifies signatures, or null if unsigned calls are accepted
     */
    GuardedCall(
            CalledService target,
            Invocation invocation,
            @Nullable InetAddress peer,
            @Nullable InboundRouteHeaders headers,
            Policy policy,
            @Nullable CallVerifier verifier) {
        this.target = target;
        this.invocation = invocation;
        this.peer = peer;
        this.headers = headers;
        this.origin = headers == null ? ClaimedOrigin.UNKNOWN : ClaimedOrigin.of(headers, invocation);
        this.policy = policy;
        this.verifier = verifier;
        this.caller = origin.caller();
    }

    CalledService target() {
        return target;
    }

    Invocation invocation() {
        return invocation;
    }

    /** The address of the connection's peer, or null if it is unknown. No header is read. */
    @Nullable
    InetAddress peer() {
        return peer;
    }

    /** Whether it has route headers. */
    boolean isRouted() {
        return headers != null;
    }

    /** Its route headers; it must have them. */
    InboundRouteHeaders headers() {
        return Objects.requireNonNull(headers);
    }

    /** The island that it names as its destination, or null. */
    @Nullable
    String island() {
        return headers == null ? null : headers.island();
    }

    /** The island that was asked for; this one's if the call names no other. It must have route headers. */
    String asked() {
        String island = headers().island();
        String home = policy.home();
        return island.equals(home) ? Objects.requireNonNullElse(origin.asked(), home) : island;
    }

    ClaimedOrigin origin() {
        return origin;
    }

    Policy policy() {
        return policy;
    }

    /** Verifies signatures, or null if unsigned calls are accepted. */
    @Nullable
    CallVerifier verifier() {
        return verifier;
    }

    /** Replaces the caller by the one that a signature proves. */
    void verifiedAs(@Nullable Caller verified) {
        this.caller = verified;
    }

    /** The full name of the service interface. */
    String service() {
        return target.name();
    }

    /** The method that it executes; of a generic call, the one that it names. */
    CanonicalMethod calledMethod() {
        CanonicalMethod known = method;
        if (known == null) {
            known = CanonicalMethod.of(invocation);
            method = known;
        }
        return known;
    }

    /** {@code interface#method} for messages: the caller chooses the method's name. */
    String name() {
        return service() + "#" + printableMethod();
    }

    /** The method's name for messages and listeners. */
    String printableMethod() {
        return MethodCheck.printable(calledMethod().name());
    }

    /** The caller for messages, and who answers for it. */
    String who() {
        String owner = owner();
        return caller == null ? "an unknown caller" : caller + (owner == null ? "" : " (owner: " + owner + ")");
    }

    /** Who answers for the caller, or null. */
    @Nullable
    String owner() {
        return policy.ownerOf(caller);
    }

    /** Whether it is answered by Dubbo, for health checks, and reaches no service. */
    boolean isEcho() {
        List<String> types = calledMethod().types();
        return invocation.getMethodName().equals(CommonConstants.$ECHO) && types != null && types.size() == 1;
    }

    /** What the rules decide about it. */
    Authorization authorize() {
        Authorization known = authorization;
        if (known == null) {
            known = Authorization.decide(
                    isEcho() ? List.of() : policy.guard().rules(),
                    policy.signing().isDemanded(),
                    caller,
                    service(),
                    calledMethod().name(),
                    CanonicalMethod.nameOf(invocation));
            authorization = known;
        }
        return known;
    }

    /** The name of the rule that marks or allows it, or null. */
    @Nullable
    String rule() {
        Authorization decision = authorize();
        GuardRule rule = decision.audit() != null ? decision.audit() : decision.rule();
        return rule == null ? null : rule.name();
    }

    /** The caller, or null if it is unknown. */
    @Nullable
    Caller caller() {
        return caller;
    }
}
