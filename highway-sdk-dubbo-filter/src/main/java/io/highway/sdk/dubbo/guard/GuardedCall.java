// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.guard;

import io.highway.sdk.Caller;
import io.highway.sdk.dubbo.policy.Policy;
import io.highway.sdk.dubbo.route.RouteHeaders;
import io.highway.sdk.dubbo.signature.CallVerifier;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.jspecify.annotations.Nullable;

/** A call with route headers, as the checks of the guard see it. Used by one thread. */
final class GuardedCall {

    private final Invoker<?> invoker;
    private final Invocation invocation;
    private final RouteHeaders headers;
    private final Origin origin;
    private final Policy policy;
    private final @Nullable CallVerifier verifier;
    private @Nullable Caller caller;

    /**
     * A call whose caller is the one that its headers claim.
     *
     * @param headers its route headers, already removed from the invocation
     * @param origin the origin that the headers claim
     * @param policy the policy in force
     * @param verifier verifies signatures, or null if unsigned calls are accepted
     */
    GuardedCall(
            Invoker<?> invoker,
            Invocation invocation,
            RouteHeaders headers,
            Origin origin,
            Policy policy,
            @Nullable CallVerifier verifier) {
        this.invoker = invoker;
        this.invocation = invocation;
        this.headers = headers;
        this.origin = origin;
        this.policy = policy;
        this.verifier = verifier;
        this.caller = origin.caller();
    }

    Invoker<?> invoker() {
        return invoker;
    }

    Invocation invocation() {
        return invocation;
    }

    RouteHeaders headers() {
        return headers;
    }

    Origin origin() {
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

    /** The caller, or null if it is unknown. */
    @Nullable
    Caller caller() {
        return caller;
    }
}
