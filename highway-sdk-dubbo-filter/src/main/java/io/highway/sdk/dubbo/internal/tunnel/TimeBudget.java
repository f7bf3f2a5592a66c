// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.tunnel;

import io.highway.sdk.dubbo.internal.intent.DubboCall;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.RpcContextAttachment;
import org.apache.dubbo.rpc.support.RpcUtils;
import org.jspecify.annotations.Nullable;

/** One deadline for all attempts of a call: the timeout of the first attempt, counted from its start. */
final class TimeBudget {

    private final DubboCall call;
    private final LongSupplier clock;
    private final long start;
    private @Nullable Long total;

    /** Begins now, by a monotonic clock in nanoseconds. */
    TimeBudget(DubboCall call, LongSupplier clock) {
        this.call = call;
        this.clock = clock;
        this.start = clock.getAsLong();
    }

    /** The time by its clock. */
    long now() {
        return clock.getAsLong();
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
            known = known != null ? known : Long.valueOf(call.timeoutMillis());
            total = known;
        }
        return known - TimeUnit.NANOSECONDS.toMillis(now() - start);
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

    private @Nullable Long timeout() {
        Object written = call.invocation().getObjectAttachment(CommonConstants.TIMEOUT_KEY, null);
        return written == null ? null : RpcUtils.convertToNumber(written);
    }
}
