// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.operate.report;

import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.internal.call.GuardEchoReply;
import io.highway.sdk.dubbo.internal.caller.endpoint.EchoOutcome;
import io.highway.sdk.dubbo.internal.evidence.Failure;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The answers to several {@code $echo} over one endpoint. Used by one thread. */
final class EchoOutcomes {

    private static final int MOST = 3;
    private static final int MOST_UNANSWERED = 2;

    private final long begun = System.nanoTime();
    private int sent;
    private int failed;
    private int unanswered;
    private long fastest = Long.MAX_VALUE;
    private boolean isFirstUnanswered;
    private @Nullable Failure problem;
    private @Nullable GuardEchoReply guard;
    private long aheadMillis;

    /** Whether another one is to be sent. */
    boolean isUnfinished() {
        return sent < MOST && unanswered < MOST_UNANSWERED;
    }

    /** Adds the answer to the next one. */
    void add(EchoOutcome answer, long nanos) {
        sent++;
        Failure failure = answer.failure();
        boolean isUnanswered = failure != null && failure.reason() == Reason.TIMEOUT;
        unanswered += isUnanswered ? 1 : 0;
        if (failure == null) {
            fastest = Math.min(fastest, nanos);
        } else if (isUnanswered && sent == 1) {
            isFirstUnanswered = true; // gateways may have to connect before they forward
        } else {
            failed++;
            problem = failure;
        }
        GuardEchoReply said = answer.guard();
        if (said != null) {
            guard = said;
            aheadMillis = said.aheadMillis(TimeUnit.NANOSECONDS.toMillis(nanos));
        }
    }

    int sent() {
        return sent;
    }

    /** How many failed; the first one counts only if another one failed, too. */
    int lost() {
        return isFirstUnanswered && problem != null ? failed + 1 : failed;
    }

    boolean isAnyAnswered() {
        return lost() < sent;
    }

    /** The last failure that counts, or null. */
    @Nullable
    Failure problem() {
        return problem;
    }

    long fastestMillis() {
        return TimeUnit.NANOSECONDS.toMillis(fastest);
    }

    /** The time since the first one was sent. */
    long nanos() {
        return System.nanoTime() - begun;
    }

    /** What the island's guard said last, or null. */
    @Nullable
    GuardEchoReply guard() {
        return guard;
    }

    /** How far the guard's clock is ahead. */
    long aheadMillis() {
        return aheadMillis;
    }
}
