// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.guard;

import io.highway.sdk.HighwayContext;
import io.highway.sdk.dubbo.internal.call.CallAttributes;
import io.highway.sdk.dubbo.internal.facts.DubboRequestFacts;
import io.highway.sdk.dubbo.internal.facts.GenericMethod;
import io.highway.sdk.dubbo.internal.operate.audit.InboundCallAudit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.RpcInvocation;
import org.jspecify.annotations.Nullable;

/**
 * A request that the guard has admitted, as it was then: what is decoded later must say the same. It serves once.
 * Thread-safe.
 */
final class AdmittedRequest {

    private final CalledService target;
    private final HighwayContext context;
    private final AtomicBoolean isUsed = new AtomicBoolean();

    private AdmittedRequest(CalledService target, HighwayContext context) {
        this.target = target;
        this.context = context;
    }

    /** Admits a call, decoded or not. */
    static void put(CalledService target, Invocation call, HighwayContext context) {
        CallAttributes.put(call, AdmittedRequest.class, new AdmittedRequest(target, context));
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
    String differenceFrom(CalledService decodedFor, RpcInvocation decoded) {
        if (!target.key().equals(decodedFor.key())) {
            return "service";
        }
        DubboRequestFacts facts = CallAttributes.get(decoded, DubboRequestFacts.class);
        if (facts != null) {
            return facts.differenceFrom(decoded);
        }
        GenericMethod generic = CallAttributes.get(decoded, GenericMethod.class);
        return generic == null || generic.areIn(decoded.getArguments()) ? null : "method";
    }

    /** Its call will not run, if it does not run already. */
    void abandon(Invocation call) {
        InboundCallAudit audited = isUsed.compareAndSet(false, true) ? InboundCallAudit.of(call) : null;
        if (audited != null) {
            audited.notRun();
        }
    }
}
