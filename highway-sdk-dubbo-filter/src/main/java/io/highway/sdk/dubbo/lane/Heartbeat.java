// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.lane;

import io.highway.sdk.dubbo.link.GatewayLinks;
import io.highway.sdk.dubbo.outcome.Failure;
import io.highway.sdk.dubbo.policy.Heartbeating;
import io.highway.sdk.dubbo.route.Reason;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Asks every lane, end to end, whether a provider answers: at {@code heartbeat.interval} while all is well, every third of a
 * second while there is a doubt. One question per lane at a time. Turned by one thread.
 */
final class Heartbeat {

    private static final long DOUBT_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    private final Heartbeating policy;
    private final Echo echo;
    private final GatewayLinks links;
    private final Map<Lane, Beat> beats = new ConcurrentHashMap<>();

    /** When a lane was asked last, and whether the answer is outstanding. */
    private static final class Beat {
        private long asked;
        private volatile boolean outstanding;
    }

    Heartbeat(Heartbeating policy, Echo echo, GatewayLinks links) {
        this.policy = policy;
        this.echo = echo;
        this.links = links;
    }

    /** Asks what is due. */
    void turn(Destination destination, long now) {
        String configured = policy.service();
        String service = configured != null ? configured : destination.service();
        if (policy.intervalMillis() == 0 || service == null) {
            return;
        }
        for (Lane lane : destination.lanes()) {
            Beat beat = beats.computeIfAbsent(lane, any -> new Beat());
            if (!beat.outstanding && lane.link().live() != null && isDue(lane, beat, now)) {
                beat.asked = now;
                beat.outstanding = true;
                links.inBackground(() -> ask(lane, service, destination, beat));
            }
        }
    }

    private boolean isDue(Lane lane, Beat beat, long now) {
        long interval = TimeUnit.MILLISECONDS.toNanos(policy.intervalMillis());
        long due = lane.isQuestionable() || lane.isSuspect() ? Math.min(interval, DOUBT_INTERVAL_NANOS) : interval;
        return beat.asked == 0 || now - beat.asked >= due;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it ends here, whatever the answer
    private void ask(Lane lane, String service, Destination destination, Beat beat) {
        long begun = System.nanoTime();
        CompletableFuture<Optional<Failure>> asked;
        try {
            asked = echo.over(lane, service, destination, timeoutMillis());
        } catch (Throwable e) { // or it would never be asked again
            beat.outstanding = false;
            throw e;
        }
        asked.whenComplete((problem, thrown) -> {
            try {
                if (problem != null && problem.isEmpty()) {
                    lane.echoed(Duration.ofNanos(System.nanoTime() - begun), policy.slowMillis());
                } else {
                    lane.missed(
                            problem != null
                                    ? problem.get()
                                    : new Failure(Reason.REMOTE_FAILURE, true, String.valueOf(thrown)));
                }
            } finally {
                beat.outstanding = false;
            }
        });
    }

    /** A link that answers late is slow and not dead. */
    private int timeoutMillis() {
        return (int) Math.min(2L * policy.slowMillis(), Integer.MAX_VALUE);
    }
}
