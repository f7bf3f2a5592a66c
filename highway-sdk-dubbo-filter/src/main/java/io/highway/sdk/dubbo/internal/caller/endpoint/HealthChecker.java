// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.endpoint;

import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.internal.caller.endpoint.ProbeSchedule.Cause;
import io.highway.sdk.dubbo.internal.caller.endpoint.ProbeSchedule.Probe;
import io.highway.sdk.dubbo.internal.evidence.Failure;
import io.highway.sdk.dubbo.internal.network.connection.ConnectionPool;
import io.highway.sdk.dubbo.internal.policy.HealthCheckPolicy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs end-to-end health checks of the endpoints of islands that are configured or have answered a call, when each
 * endpoint's {@link ProbeSchedule} allows. Their settings may change. Thread-safe.
 */
final class HealthChecker {

    private volatile HealthCheckPolicy policy;
    private final EchoProbe echo;
    private final ConnectionPool connections;

    HealthChecker(HealthCheckPolicy policy, EchoProbe echo, ConnectionPool connections) {
        this.policy = policy;
        this.echo = echo;
        this.connections = connections;
    }

    /** Applies other settings to all endpoints. */
    void follow(HealthCheckPolicy next) {
        policy = next;
    }

    /** The schedule of one endpoint. */
    ProbeSchedule schedule() {
        return new ProbeSchedule(() -> TimeUnit.MILLISECONDS.toNanos(policy.intervalMillis()));
    }

    /** How long calls wait for the answer of a probe before they are refused, nanoseconds. */
    long holdNanos() {
        return TimeUnit.MILLISECONDS.toNanos(policy.slowMillis());
    }

    /** Sends the probes that are due. */
    void update(List<GatewayEndpoint> endpoints, HealthCheckedDestination destination, long now) {
        boolean probed = service(destination) != null;
        for (GatewayEndpoint endpoint : endpoints) {
            if (probed) {
                boolean unused = probe(endpoint, destination, Cause.TIME, now);
            } else {
                endpoint.health().checksStopped();
            }
        }
    }

    /**
     * Probes an endpoint if its schedule allows.
     *
     * @return whether a probe is in flight, this one or an earlier one
     */
    boolean probe(GatewayEndpoint endpoint, HealthCheckedDestination destination, Cause cause, long now) {
        String service = service(destination);
        boolean isUp = endpoint.connection().isUp();
        EndpointHealth health = endpoint.health();
        ProbeSchedule schedule = health.schedule();
        if (!isUp) {
            schedule.lost();
        }
        if (service == null || !isUp) {
            return false;
        }
        Probe probe = schedule.begin(endpoint.isSettled(), health.lastAnswerNanos(), cause, now);
        if (probe == null) {
            return schedule.isOutstanding();
        }
        health.checkSent(probe.awaitable(), now);
        connections.inBackground(() -> ask(endpoint, service, destination, probe));
        return true;
    }

    /** Sends one {@code $echo} next to the probes. */
    CompletableFuture<EchoOutcome> echo(
            GatewayEndpoint endpoint, String service, HealthCheckedDestination destination, int timeoutMillis) {
        return echo.ask(endpoint, service, destination, timeoutMillis).thenApply(answer -> {
            if (answer.problem() == null) {
                endpoint.health().islandAnswered(connections.clock().getAsLong());
            }
            return answer;
        });
    }

    private @Nullable String service(HealthCheckedDestination destination) {
        HealthCheckPolicy now = policy;
        return now.intervalMillis() == 0 ? null : destination.service(now.service());
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the result is handled here
    private void ask(GatewayEndpoint endpoint, String service, HealthCheckedDestination destination, Probe probe) {
        ProbeSchedule schedule = endpoint.health().schedule();
        long begun = connections.clock().getAsLong();
        CompletableFuture<EchoOutcome> asked;
        try {
            asked = echo.ask(endpoint, service, destination, timeoutMillis());
        } catch (Throwable e) { // otherwise the endpoint would never be probed again
            boolean unused = schedule.end(probe, false, begun);
            throw e;
        }
        asked.whenComplete((answer, thrown) -> {
            Failure problem =
                    answer != null ? answer.problem() : Failure.maybeRun(Reason.REMOTE_FAILURE, String.valueOf(thrown));
            long ended = connections.clock().getAsLong();
            if (!schedule.end(probe, problem == null, ended)) {
                return;
            }
            if (problem == null) {
                endpoint.echoed(Duration.ofNanos(ended - begun), policy.slowMillis());
            } else if (problem.isMisrouted()) {
                endpoint.misrouted(problem);
            } else {
                endpoint.missed(problem);
                destination.use().unanswered(service);
            }
        });
    }

    /** Long enough to tell a slow connection from a dead one. */
    private int timeoutMillis() {
        return (int) Math.min(2L * policy.slowMillis(), Integer.MAX_VALUE);
    }
}
