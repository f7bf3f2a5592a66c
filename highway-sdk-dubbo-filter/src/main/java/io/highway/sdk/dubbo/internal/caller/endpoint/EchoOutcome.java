// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.endpoint;

import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.internal.call.GuardEchoReply;
import io.highway.sdk.dubbo.internal.evidence.Failure;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How one {@code $echo} over an endpoint ended.
 *
 * @param failure its failure, which may be an answer of the destination, such as a refusal; null if it was echoed
 * @param guard what the destination's guard has added, or null: the destination may not have the SDK
 */
public record EchoOutcome(@Nullable Failure failure, @Nullable GuardEchoReply guard) {

    /** Reasons that prove that the destination answered, although not with an echo: the network path works. */
    private static final Set<Reason> ANSWERED = EnumSet.of(
            Reason.REFUSED_THERE,
            Reason.NO_SUCH_SERVICE,
            Reason.NO_SUCH_METHOD,
            Reason.SERIALIZATION,
            Reason.REMOTE_FAILURE);

    /** What did not answer for the destination, or null if it has answered. */
    @Nullable
    Failure problem() {
        return failure != null && (failure.isMisrouted() || !ANSWERED.contains(failure.reason())) ? failure : null;
    }

    /** It was not echoed. */
    public static EchoOutcome failed(Failure failure) {
        return new EchoOutcome(failure, null);
    }
}
