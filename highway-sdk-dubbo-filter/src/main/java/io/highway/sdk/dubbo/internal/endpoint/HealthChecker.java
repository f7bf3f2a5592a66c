// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.endpoint;

import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.internal.config.HeartbeatPolicy;
import io.highway.sdk.dubbo.internal.connection.GatewayConnectionPool;
import io.highway.sdk.dubbo.internal.connection.SharedInvokers;
import io.highway.sdk.dubbo.internal.endpoint.ProbeSchedule.Cause;
import io.highway.sdk.dubbo.internal.endpoint.ProbeSchedule.Probe;
import io.highway.sdk.dubbo.internal.evidence.Failure;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.dubbo.common.BaseServiceMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Runs end-to-end health checks of the endpoints of islands that are configured or have answered a call, when each
 * endpoint's {@link ProbeSchedule} allows. Their settings may change. Thread-safe.
 */
final class HealthChecker implements Destination.HealthChecks {

    private volatile HeartbeatPolicy policy;
    private final EchoProbe echo;
    private final GatewayConnectionPool connections;

    HealthChecker(HeartbeatPolicy policy, EchoProbe echo, GatewayConnectionPool connections) {
        this.policy = policy;
        this.echo = echo;
        this.connections = connections;
    }

    /** Applies other settings to all endpoints. */
    void follow(HeartbeatPolicy next) {
        policy = next;
    }

    @Override
    public ProbeSchedule schedule() {
        return new ProbeSchedule(() -> TimeUnit.MILLISECONDS.toNanos(policy.intervalMillis()));
    }

    @Override
    public long holdNanos() {
        return TimeUnit.MILLISECONDS.toNanos(policy.slowMillis());
    }

    /** Sends the probes that are due. */
    void update(Destination destination, long now) {
        boolean probed = service(destination) != null;
        for (GatewayEndpoint endpoint : destination.endpoints()) {
            if (probed) {
                boolean unused = probe(endpoint, destination, Cause.TIME, now);
            } else {
                endpoint.notProbed();
            }
        }
    }

    @Override
    public boolean probe(GatewayEndpoint endpoint, Destination destination, Cause cause, long now) {
        String service = service(destination);
        SharedInvokers live = endpoint.connection().activeInvokers();
        ProbeSchedule schedule = endpoint.schedule();
        if (live == null) {
            schedule.lost();
        }
        if (service == null || live == null) {
            return false;
        }
        Probe probe = schedule.begin(live, endpoint.isSettled(), endpoint.lastAnswerNanos(), cause, now);
        if (probe == null) {
            return schedule.isOutstanding();
        }
        endpoint.probing(probe.awaitable(), now);
        connections.inBackground(() -> ask(endpoint, service, destination, probe));
        return true;
    }

    private @Nullable String service(Destination destination) {
        HeartbeatPolicy now = policy;
        if (now.intervalMillis() == 0 || !destination.isProbed()) {
            return null;
        }
        String configured = now.service();
        return configured != null && destination.serves(BaseServiceMetadata.interfaceFromServiceKey(configured))
                ? configured
                : destination.service();
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the result is handled here
    private void ask(GatewayEndpoint endpoint, String service, Destination destination, Probe probe) {
        long begun = System.nanoTime();
        CompletableFuture<Optional<Failure>> asked;
        try {
            asked = echo.over(endpoint, service, destination, timeoutMillis());
        } catch (Throwable e) { // otherwise the endpoint would never be probed again
            boolean unused = endpoint.schedule().end(probe, false);
            throw e;
        }
        asked.whenComplete((problem, thrown) -> {
            boolean answered = problem != null && problem.isEmpty();
            if (!endpoint.schedule().end(probe, answered)) {
                return;
            }
            if (answered) {
                endpoint.echoed(Duration.ofNanos(System.nanoTime() - begun), policy.slowMillis());
            } else {
                endpoint.missed(
                        problem != null
                                ? problem.get()
                                : Failure.maybeRun(Reason.REMOTE_FAILURE, String.valueOf(thrown)));
                destination.unanswered(service);
            }
        });
    }

    /** Long enough to tell a slow connection from a dead one. */
    private int timeoutMillis() {
        return (int) Math.min(2L * policy.slowMillis(), Integer.MAX_VALUE);
    }
}
