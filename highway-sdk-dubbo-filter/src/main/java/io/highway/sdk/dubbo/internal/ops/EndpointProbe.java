// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.ops;

import io.highway.sdk.dubbo.HighwayProbe;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.internal.connection.channel.GatewayCheck;
import io.highway.sdk.dubbo.internal.connection.channel.GatewayCheck.Result;
import io.highway.sdk.dubbo.internal.endpoint.Destination;
import io.highway.sdk.dubbo.internal.endpoint.Destinations;
import io.highway.sdk.dubbo.internal.endpoint.EchoAnswer;
import io.highway.sdk.dubbo.internal.endpoint.GatewayEndpoint;
import io.highway.sdk.dubbo.internal.evidence.Failure;
import io.highway.sdk.dubbo.internal.route.GuardAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Checks one endpoint, step by step:
 *
 * <ol>
 *   <li>{@code resolve}, {@code connect}, {@code tls}, {@code protocol} over a new connection, which stays open
 *   <li>{@code connection}: the one that calls use is up
 *   <li>{@code forward} and {@code guard}: three times {@code $echo} over it
 *   <li>{@code stability}: the new connection is still open
 * </ol>
 *
 * The first step that fails names the hop, else the first with a warning. Blocks; used by one thread.
 */
final class EndpointProbe {

    private static final int ECHOES = 3;
    private static final int MOST_UNANSWERED = 2;

    /** The probe takes half a second, so that connections which do not last are found. */
    private static final long BETWEEN_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private static final long CONNECT_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** Over a connection that works, something arrives in this time: the gateway answers a heartbeat after two seconds. */
    private static final long HEARD_NANOS = TimeUnit.MILLISECONDS.toNanos(3500);

    /** In the text of the guard's refusal, which is all that arrives from a Triple provider on Dubbo 3.2. */
    private static final String REFUSAL = "HIGHWAY-REFUSED:";

    private static final int LONGEST_ECHO_MILLIS = 5000;

    /** Signatures are valid for 60 s. */
    private static final long CLOCK_WARN_MILLIS = 30_000;

    private final Destinations destinations;
    private final Destination destination;
    private final GatewayEndpoint endpoint;
    private final String service;
    private final int slowMillis;
    private final List<HighwayProbe.Step> steps = new ArrayList<>();
    private @Nullable String failedHop;
    private @Nullable String failure;
    private @Nullable String warnedHop;
    private @Nullable String warning;
    private @Nullable Long roundTripMillis;
    private HighwayProbe.@Nullable Guard guard;
    private long gatewayMillis;
    private boolean answered;

    /** The hop that a step is about. */
    private enum Hop {
        LOCAL,
        GATEWAY,
        CONNECTION,
        BEYOND_GATEWAY,
        ISLAND;

        String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    EndpointProbe(
            Destinations destinations,
            Destination destination,
            GatewayEndpoint endpoint,
            String service,
            int slowMillis) {
        this.destinations = destinations;
        this.destination = destination;
        this.endpoint = endpoint;
        this.service = service;
        this.slowMillis = slowMillis;
    }

    HighwayProbe.Endpoint run() {
        try (GatewayCheck check = endpoint.connection().transport().check()) {
            for (GatewayCheck.Step step : check.run()) {
                done(step.name(), step.result(), hopOf(step), step.detail(), step.nanos());
                gatewayMillis = TimeUnit.NANOSECONDS.toMillis(step.nanos()); // of the last one, which is a round trip
            }
            if (failure == null && isConnected()) {
                echo();
                stability(check);
            }
        }
        return result();
    }

    private static Hop hopOf(GatewayCheck.Step step) {
        return step.local() ? Hop.LOCAL : Hop.GATEWAY;
    }

    /** The check has opened a connection; the pool may need a moment after start-up or after a disconnect. */
    private boolean isConnected() {
        long begun = System.nanoTime();
        while (endpoint.connection().activeInvokers() == null) {
            if (System.nanoTime() - begun > CONNECT_NANOS
                    || Thread.currentThread().isInterrupted()) {
                done(
                        "connection",
                        Result.FAILED,
                        Hop.CONNECTION,
                        "calls have no connection: " + endpoint.connection().problem(),
                        System.nanoTime() - begun);
                return false;
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
        return true;
    }

    private void echo() {
        Object used = endpoint.connection().transport().latestConnection();
        long begun = System.nanoTime();
        int sent = 0;
        int lost = 0;
        long fastest = Long.MAX_VALUE;
        Failure first = null;
        Failure problem = null;
        GuardAnswer said = null;
        long ahead = 0;
        int unanswered = 0;
        while (sent < ECHOES && unanswered < MOST_UNANSWERED) {
            if (sent > 0) {
                LockSupport.parkNanos(BETWEEN_NANOS);
            }
            sent++;
            long asked = System.nanoTime();
            EchoAnswer answer = ask();
            long took = System.nanoTime() - asked;
            Failure failed = answer.failure();
            if (failed == null) {
                fastest = Math.min(fastest, took);
            } else if (failed.reason() == Reason.TIMEOUT && sent == 1) {
                first = failed; // gateways may have to connect before they forward
                unanswered++;
            } else {
                unanswered += failed.reason() == Reason.TIMEOUT ? 1 : 0;
                lost++;
                problem = failed;
            }
            if (answer.guard() != null) {
                said = answer.guard();
                ahead = said.aheadMillis(TimeUnit.NANOSECONDS.toMillis(took));
            }
        }
        long took = System.nanoTime() - begun;
        lost += first != null && problem != null ? 1 : 0;
        if (problem != null) {
            forwardFailed(problem, sent, lost, begun, used);
        } else {
            forwarded(TimeUnit.NANOSECONDS.toMillis(fastest), took);
        }
        if (lost < sent) {
            answered = true;
            roundTripMillis = TimeUnit.NANOSECONDS.toMillis(fastest);
            guard(said, ahead);
        }
    }

    private EchoAnswer ask() {
        try {
            return destinations
                    .echo(destination, endpoint, service, 2 * slowMillis)
                    .get(LONGEST_ECHO_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new EchoAnswer(Failure.maybeRun(Reason.TIMEOUT, "interrupted"), null);
        } catch (ExecutionException | TimeoutException e) {
            return new EchoAnswer(
                    Failure.maybeRun(Reason.TIMEOUT, "no answer within " + LONGEST_ECHO_MILLIS + " ms"), null);
        }
    }

    private void forwarded(long millis, long took) {
        boolean slow = millis > slowMillis;
        Hop hop = gatewayMillis > millis / 2 ? Hop.GATEWAY : Hop.BEYOND_GATEWAY;
        done(
                "forward",
                slow ? Result.WARN : Result.OK,
                hop,
                "round trip " + millis + " ms" + (slow ? ", over highway.heartbeat.slow (" + slowMillis + " ms)" : "")
                        + "; to the gateway " + gatewayMillis + " ms",
                took);
    }

    private void forwardFailed(Failure problem, int sent, int lost, long begun, @Nullable Object used) {
        String what = (lost < sent ? lost + " of " + sent + " requests failed: " : "") + inShort(problem);
        Result result = lost < sent ? Result.WARN : Result.FAILED;
        switch (problem.reason()) {
            case REFUSED_THERE, NO_SUCH_METHOD, SERIALIZATION -> {
                answered = true;
                forwardedTo("a provider answered", begun);
                done("guard", Result.FAILED, Hop.ISLAND, what, 0);
            }
            case BUSY -> {
                answered = problem.isBusyThere();
                done("forward", result, answered ? Hop.ISLAND : Hop.LOCAL, what, System.nanoTime() - begun);
            }
            case NO_SUCH_SERVICE -> {
                answered = true;
                done(
                        "forward",
                        Result.WARN,
                        Hop.ISLAND,
                        what + "; name a service that the island has in highway.heartbeat.service",
                        System.nanoTime() - begun);
            }
            case TIMEOUT -> {
                boolean heard = isHeard(used, begun);
                done(
                        "forward",
                        result,
                        heard ? Hop.BEYOND_GATEWAY : Hop.CONNECTION,
                        heard
                                ? what + "; the gateway answers, and what is behind it does not: the network between"
                                        + " gateways, the island's gateway, or the provider"
                                : what + "; nothing is received over the open connection, and a new one works: a"
                                        + " firewall or NAT may have dropped it",
                        System.nanoTime() - begun);
            }
            case GATEWAY_DOWN -> done("forward", result, Hop.CONNECTION, what, System.nanoTime() - begun);
            case CONNECTION_LOST ->
                done(
                        "forward",
                        result,
                        problem.place() == Failure.Place.BEYOND_GATEWAY ? Hop.BEYOND_GATEWAY : Hop.CONNECTION,
                        what,
                        System.nanoTime() - begun);
            default -> {
                if (what.contains(REFUSAL)) {
                    answered = true;
                    forwardedTo("a provider answered", begun);
                    done("guard", Result.FAILED, Hop.ISLAND, what, 0);
                } else {
                    done("forward", result, Hop.BEYOND_GATEWAY, what, System.nanoTime() - begun);
                }
            }
        }
    }

    /** Dubbo's text has the times of both sides and the request. */
    private static String inShort(Failure problem) {
        return problem.reason() == Reason.TIMEOUT ? "no answer to $echo in time" : problem.what();
    }

    private void forwardedTo(String detail, long begun) {
        done("forward", Result.OK, Hop.BEYOND_GATEWAY, detail, System.nanoTime() - begun);
    }

    /** Whether the gateway has sent anything over this connection since; waits until it must have. */
    private boolean isHeard(@Nullable Object used, long begun) {
        while (endpoint.connection().transport().silentNanos() >= System.nanoTime() - begun) {
            if (System.nanoTime() - begun > HEARD_NANOS
                    || Thread.currentThread().isInterrupted()) {
                return false;
            }
            LockSupport.parkNanos(10 * POLL_NANOS);
        }
        return endpoint.connection().transport().latestConnection() == used; // otherwise it was replaced
    }

    private void guard(@Nullable GuardAnswer said, long aheadMillis) {
        if (said == null) {
            done(
                    "guard",
                    Result.OK,
                    Hop.ISLAND,
                    "none: the provider has no SDK, or one that does not introduce itself",
                    0);
            return;
        }
        guard = new ProbeValues.GuardFound(said.island(), said.version(), aheadMillis);
        String found = "island " + said.island() + ", SDK " + said.version() + ", clock "
                + (aheadMillis < 0 ? -aheadMillis + " ms behind" : aheadMillis + " ms ahead");
        if (!said.island().equals(destination.island())) {
            done("guard", Result.FAILED, Hop.BEYOND_GATEWAY, "another island answers: " + found, 0);
        } else {
            boolean wrong = Math.abs(aheadMillis) > CLOCK_WARN_MILLIS;
            done(
                    "guard",
                    wrong ? Result.WARN : Result.OK,
                    Hop.ISLAND,
                    found + (wrong ? "; synchronise the clocks: signed calls allow 60 s" : ""),
                    0);
        }
    }

    private void stability(GatewayCheck check) {
        String ended = check.ended();
        if (ended != null) {
            done("stability", Result.WARN, Hop.GATEWAY, "a new connection to the gateway was " + ended, 0);
        }
    }

    private void done(String name, Result result, Hop hop, String detail, long nanos) {
        steps.add(new ProbeValues.StepDone(name, result.word(), detail, TimeUnit.NANOSECONDS.toMillis(nanos)));
        if (result == Result.FAILED && failure == null) {
            failedHop = hop.word();
            failure = detail;
        } else if (result == Result.WARN && warning == null) {
            warnedHop = hop.word();
            warning = detail;
        }
    }

    private HighwayProbe.Endpoint result() {
        return new ProbeValues.ProbedEndpoint(
                endpoint.address().kind().word(),
                endpoint.address().hostAndPort(),
                (failure != null ? Result.FAILED : warning != null ? Result.WARN : Result.OK).word(),
                failure != null ? failedHop : warnedHop,
                failure != null ? failure : warning,
                answered,
                roundTripMillis,
                guard,
                List.copyOf(steps));
    }
}
