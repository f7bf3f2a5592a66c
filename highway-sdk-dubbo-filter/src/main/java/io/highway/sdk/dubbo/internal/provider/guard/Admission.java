// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.guard;

import io.highway.sdk.HighwayContext;
import io.highway.sdk.dubbo.internal.call.CallState;
import io.highway.sdk.dubbo.internal.facts.GenericFacts;
import io.highway.sdk.dubbo.internal.facts.RequestFacts;
import io.highway.sdk.dubbo.internal.operate.audit.InboundAudit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.RpcInvocation;
import org.jspecify.annotations.Nullable;

/**
 * That the guard has admitted a call, and what it was told then: what is decoded later must say the same. It serves once.
 * Thread-safe.
 */
final class Admission {

    private final Target target;
    private final HighwayContext context;
    private final AtomicBoolean isUsed = new AtomicBoolean();

    private Admission(Target target, HighwayContext context) {
        this.target = target;
        this.context = context;
    }

    /** Admits a call, decoded or not. */
    static void put(Target target, Invocation call, HighwayContext context) {
        CallState.put(call, Admission.class, new Admission(target, context));
    }

    /** The caller and the hops, for the service. */
    HighwayContext context() {
        return context;
    }

    /** Whether its call may run now: the caller may have left, and a call runs once. */
    boolean use() {
        return isUsed.compareAndSet(false, true);
    }

    /**
     * What is different in a decoded call, or null if it says what was checked. Over Triple the attachments are those that
     * were checked; the arguments were not there.
     */
    @Nullable
    String differenceFrom(Target decodedFor, RpcInvocation decoded) {
        if (!target.key().equals(decodedFor.key())) {
            return "service";
        }
        RequestFacts facts = CallState.get(decoded, RequestFacts.class);
        if (facts != null) {
            return facts.differenceFrom(decoded);
        }
        GenericFacts generic = CallState.get(decoded, GenericFacts.class);
        return generic == null || generic.areIn(decoded.getArguments()) ? null : "method";
    }

    /** Its call will not run, if it does not run already. */
    void abandon(Invocation call) {
        InboundAudit audited = isUsed.compareAndSet(false, true) ? InboundAudit.of(call) : null;
        if (audited != null) {
            audited.notRun();
        }
    }
}
