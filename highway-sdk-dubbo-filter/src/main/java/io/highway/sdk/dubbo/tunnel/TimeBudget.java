// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.tunnel;

import java.util.concurrent.TimeUnit;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.support.RpcUtils;
import org.jspecify.annotations.Nullable;

/** One time for all tries of a call: what the first try had, counted from its start. */
final class TimeBudget {

    private final long start = System.nanoTime();
    private @Nullable Long total;

    /** Whether the caller left no time at all. */
    boolean isUsedUp(Invocation invocation) {
        Long timeout = timeout(invocation);
        return timeout != null && timeout <= 0;
    }

    /** Leaves the next try what the earlier ones left, milliseconds; false if that is nothing. */
    boolean leaveRest(Invocation invocation) {
        if (total == null) {
            total = timeout(invocation); // the first try has written it
        }
        if (total == null) {
            return true;
        }
        long left = total - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        invocation.setAttachment(CommonConstants.TIMEOUT_KEY, String.valueOf(left));
        return left > 0;
    }

    private static @Nullable Long timeout(Invocation invocation) {
        return RpcUtils.convertToNumber(invocation.getObjectAttachment(CommonConstants.TIMEOUT_KEY));
    }
}
