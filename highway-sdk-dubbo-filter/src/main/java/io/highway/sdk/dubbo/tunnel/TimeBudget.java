// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.tunnel;

import io.highway.sdk.dubbo.intent.DubboCall;
import java.util.concurrent.TimeUnit;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.RpcContextAttachment;
import org.apache.dubbo.rpc.support.RpcUtils;
import org.jspecify.annotations.Nullable;

/** One deadline for all attempts of a call: the timeout of the first attempt, counted from its start. */
final class TimeBudget {

    /**
     * The time of a call, milliseconds, where neither the call, the policy nor the reference sets one. Dubbo's default
     * of 1000 is shorter than 4 MB take at 30 Mbit/s, and than a first call on a busy machine may take.
     */
    static final int DEFAULT_MILLIS = 3_000;

    private final DubboCall call;
    private final long start = System.nanoTime();
    private @Nullable Long total;

    TimeBudget(DubboCall call) {
        this.call = call;
    }

    /** Whether no time is left for the call. */
    boolean isUsedUp() {
        Long timeout = timeout();
        return timeout != null && timeout <= 0;
    }

    /** The remaining time, milliseconds. */
    long left() {
        Long known = total;
        if (known == null) {
            known = timeout(); // the first attempt has written it, unless this is the first
            known = known != null ? known : Long.valueOf(own());
            total = known;
        }
        return known - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    }

    /** Sets the remaining time for the next attempt or the fallback; false if there is none. */
    boolean leaveRest() {
        long left = left();
        String rest = String.valueOf(left);
        call.invocation().setAttachment(CommonConstants.TIMEOUT_KEY, rest);
        RpcContextAttachment context = RpcContext.getClientAttachment();
        if (context.getObjectAttachment(CommonConstants.TIMEOUT_KEY) != null) { // it would take precedence
            context.setAttachment(CommonConstants.TIMEOUT_KEY, rest);
        }
        return left > 0;
    }

    /** In Dubbo's order: the context's, the invocation's, the method's, the reference's; else the default. */
    private long own() {
        return RpcUtils.getTimeout(
                call.consumerUrl(),
                call.methodName(),
                RpcContext.getClientAttachment(),
                call.invocation(),
                DEFAULT_MILLIS);
    }

    private @Nullable Long timeout() {
        Object written = call.invocation().getObjectAttachment(CommonConstants.TIMEOUT_KEY, null);
        return written == null ? null : RpcUtils.convertToNumber(written);
    }
}
