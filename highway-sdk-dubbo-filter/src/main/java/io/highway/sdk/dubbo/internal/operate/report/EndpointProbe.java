// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.operate.report;

import io.highway.sdk.dubbo.HighwayProbe;
import io.highway.sdk.dubbo.HighwayProbe.Hop;
import io.highway.sdk.dubbo.HighwayProbe.Reach;
import io.highway.sdk.dubbo.HighwayProbe.Result;
import io.highway.sdk.dubbo.HighwayProbe.Step.Name;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.internal.call.GuardEchoReply;
import io.highway.sdk.dubbo.internal.caller.endpoint.Destination;
import io.highway.sdk.dubbo.internal.caller.endpoint.Destinations;
import io.highway.sdk.dubbo.internal.caller.endpoint.EchoOutcome;
import io.highway.sdk.dubbo.internal.caller.endpoint.GatewayEndpoint;
import io.highway.sdk.dubbo.internal.evidence.Failure;
import io.highway.sdk.dubbo.internal.evidence.NotSentStatements;
import io.highway.sdk.dubbo.internal.network.connection.ConnectivityCheck;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
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

    /** The probe takes half a second, so that connections which do not last are found. */
    private static final long BETWEEN_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private static final long CONNECT_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** Over a connection that works, something arrives in this time: the gateway answers a heartbeat after two seconds. */
    private static final long HEARD_NANOS = TimeUnit.MILLISECONDS.toNanos(3500);

    private static final int LONGEST_ECHO_MILLIS = 5000;

    /** Signatures are valid for 60 s. */
    private static final long CLOCK_WARN_MILLIS = 30_000;

    private final Destinations destinations;
    private final Destination destination;
    private final GatewayEndpoint endpoint;
    private final String service;
    private final int slowMillis;
    private final List<ConnectivityCheck.Step> steps = new ArrayList<>();
    private @Nullable Long roundTripMillis;
    private HighwayProbe.@Nullable Guard guard;
    private long gatewayMillis;
    private boolean answered;

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
        try (ConnectivityCheck check =
                new ConnectivityCheck(endpoint.connection().opener())) {
            steps.addAll(check.run());
            gatewayMillis = millis(steps.get(steps.size() - 1)); // of the last one, which is a round trip
            if (first(Result.FAILED) == null && isConnected()) {
                echo();
                stability(check);
            }
        }
        return result();
    }

    /** The check has opened a connection; the pool may need a moment after start-up or after a disconnect. */
    private boolean isConnected() {
        long begun = System.nanoTime();
        while (!endpoint.connection().isUp()) {
            if (System.nanoTime() - begun > CONNECT_NANOS
                    || Thread.currentThread().isInterrupted()) {
                done(
                        Name.CONNECTION,
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
        Object used = endpoint.connection().opener().latestConnection();
        EchoOutcomes echoes = new EchoOutcomes();
        while (echoes.isUnfinished()) {
            if (echoes.sent() > 0) {
                LockSupport.parkNanos(BETWEEN_NANOS);
            }
            long asked = System.nanoTime();
            EchoOutcome answer = ask();
            echoes.add(answer, System.nanoTime() - asked);
        }
        Failure problem = echoes.problem();
        if (problem != null) {
            forwardFailed(problem, echoes, used);
        } else {
            forwarded(echoes);
        }
        if (echoes.isAnyAnswered()) {
            answered = true;
            roundTripMillis = echoes.fastestMillis();
            guard(echoes.guard(), echoes.aheadMillis());
        }
    }

    private EchoOutcome ask() {
        try {
            return destinations
                    .echo(destination, endpoint, service, 2 * slowMillis)
                    .get(LONGEST_ECHO_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return EchoOutcome.failed(Failure.maybeRun(Reason.TIMEOUT, "interrupted"));
        } catch (ExecutionException | TimeoutException e) {
            return EchoOutcome.failed(
                    Failure.maybeRun(Reason.TIMEOUT, "no answer within " + LONGEST_ECHO_MILLIS + " ms"));
        }
    }

    private void forwarded(EchoOutcomes echoes) {
        long millis = echoes.fastestMillis();
        boolean slow = millis > slowMillis;
        forward(
                slow ? Result.WARN : Result.OK,
                gatewayMillis > millis / 2 ? Hop.GATEWAY : Hop.BEYOND_GATEWAY,
                "round trip " + millis + " ms" + (slow ? ", over highway.heartbeat.slow (" + slowMillis + " ms)" : "")
                        + "; to the gateway " + gatewayMillis + " ms",
                echoes);
    }

    private void forward(Result result, Hop hop, String detail, EchoOutcomes echoes) {
        done(Name.FORWARD, result, hop, detail, echoes.nanos());
    }

    private void forwardFailed(Failure problem, EchoOutcomes echoes, @Nullable Object used) {
        boolean isAnyAnswered = echoes.isAnyAnswered();
        String what =
                (isAnyAnswered ? echoes.lost() + " of " + echoes.sent() + " requests failed: " : "") + inShort(problem);
        Result result = isAnyAnswered ? Result.WARN : Result.FAILED;
        switch (problem.reason()) {
            case REFUSED_THERE, NO_SUCH_METHOD, SERIALIZATION -> refused(what, echoes);
            case BUSY -> {
                answered = problem.isBusyThere();
                forward(result, answered ? Hop.ISLAND : Hop.LOCAL, what, echoes);
            }
            case NO_SUCH_SERVICE -> {
                answered = true;
                String advice = "; name a service that the island has in highway.heartbeat.service";
                forward(Result.WARN, Hop.ISLAND, what + advice, echoes);
            }
            case TIMEOUT -> unanswered(result, what, echoes, used);
            case GATEWAY_DOWN -> forward(result, Hop.CONNECTION, what, echoes);
            case CONNECTION_LOST -> {
                boolean isBeyond = problem.place() == Failure.Place.BEYOND_GATEWAY;
                forward(result, isBeyond ? Hop.BEYOND_GATEWAY : Hop.CONNECTION, what, echoes);
            }
            default -> {
                if (what.contains(
                        NotSentStatements.REFUSED_MESSAGE)) { // all that arrives of it from Triple on Dubbo 3.2
                    refused(what, echoes);
                } else {
                    forward(result, Hop.BEYOND_GATEWAY, what, echoes);
                }
            }
        }
    }

    private void refused(String what, EchoOutcomes echoes) {
        boolean isAnother = what.contains(NotSentStatements.WRONG_ISLAND); // the gateways' routes lead to it
        answered = !isAnother;
        forward(Result.OK, Hop.BEYOND_GATEWAY, "a provider answered", echoes);
        guard(Result.FAILED, isAnother ? Hop.BEYOND_GATEWAY : Hop.ISLAND, what);
    }

    private void unanswered(Result result, String what, EchoOutcomes echoes, @Nullable Object used) {
        if (isHeard(used, echoes)) {
            String where = "; the gateway answers, and what is behind it does not: the network between gateways, the"
                    + " island's gateway, or the provider";
            forward(result, Hop.BEYOND_GATEWAY, what + where, echoes);
        } else {
            String where = "; nothing is received over the open connection, and a new one works: a firewall or NAT may"
                    + " have dropped it";
            forward(result, Hop.CONNECTION, what + where, echoes);
        }
    }

    /** Dubbo's text has the times of both sides and the request. */
    private static String inShort(Failure problem) {
        return problem.reason() == Reason.TIMEOUT ? "no answer to $echo in time" : problem.what();
    }

    /** Whether the gateway has sent anything over this connection since; waits until it must have. */
    private boolean isHeard(@Nullable Object used, EchoOutcomes echoes) {
        while (endpoint.connection().opener().silentNanos() >= echoes.nanos()) {
            if (echoes.nanos() > HEARD_NANOS || Thread.currentThread().isInterrupted()) {
                return false;
            }
            LockSupport.parkNanos(10 * POLL_NANOS);
        }
        return endpoint.connection().opener().latestConnection() == used; // otherwise it was replaced
    }

    private void guard(@Nullable GuardEchoReply said, long aheadMillis) {
        if (said == null) {
            guard(Result.OK, Hop.ISLAND, "none: the provider has no SDK, or one that does not introduce itself");
            return;
        }
        guard = new HighwayProbe.Guard(said.island(), said.version(), aheadMillis);
        String found = "island " + said.island() + ", SDK " + said.version() + ", clock "
                + (aheadMillis < 0 ? -aheadMillis + " ms behind" : aheadMillis + " ms ahead");
        if (!said.island().equals(destination.island())) {
            answered = false;
            guard(Result.FAILED, Hop.BEYOND_GATEWAY, "another island answers: " + found);
        } else {
            boolean wrong = Math.abs(aheadMillis) > CLOCK_WARN_MILLIS;
            String advice = wrong ? "; synchronise the clocks: signed calls allow 60 s" : "";
            guard(wrong ? Result.WARN : Result.OK, Hop.ISLAND, found + advice);
        }
    }

    private void guard(Result result, Hop hop, String detail) {
        done(Name.GUARD, result, hop, detail, 0);
    }

    private void stability(ConnectivityCheck check) {
        String ended = check.ended();
        if (ended != null) {
            done(Name.STABILITY, Result.WARN, Hop.GATEWAY, "a new connection to the gateway was " + ended, 0);
        }
    }

    private void done(Name name, Result result, Hop hop, String detail, long nanos) {
        steps.add(new ConnectivityCheck.Step(name, result, detail, hop, nanos));
    }

    private ConnectivityCheck.@Nullable Step first(Result result) {
        return steps.stream()
                .filter(step -> step.result() == result)
                .findFirst()
                .orElse(null);
    }

    private static long millis(ConnectivityCheck.Step step) {
        return TimeUnit.NANOSECONDS.toMillis(step.nanos());
    }

    private HighwayProbe.Endpoint result() {
        ConnectivityCheck.Step failed = first(Result.FAILED);
        ConnectivityCheck.Step problem = failed != null ? failed : first(Result.WARN);
        return new HighwayProbe.Endpoint(
                endpoint.address().kind(),
                endpoint.address().hostAndPort(),
                problem == null ? Result.OK : problem.result(),
                problem == null ? null : problem.hop(),
                hops(failed == null ? null : failed.hop(), answered),
                problem == null ? null : problem.detail(),
                answered,
                roundTripMillis,
                guard,
                steps.stream()
                        .map(step -> new HighwayProbe.Step(step.name(), step.result(), step.detail(), millis(step)))
                        .toList());
    }

    /** By the hop that failed, if any; the island may have answered by a refusal. */
    static Map<Hop, Reach> hops(@Nullable Hop failed, boolean answered) {
        Map<Hop, Reach> hops = new EnumMap<>(Hop.class);
        for (Hop hop : List.of(Hop.GATEWAY, Hop.BEYOND_GATEWAY, Hop.ISLAND)) {
            int order = failed == null || answered ? -1 : hop.compareTo(failed);
            hops.put(hop, order < 0 ? Reach.REACHED : order == 0 ? Reach.NOT_REACHED : Reach.UNKNOWN);
        }
        return Collections.unmodifiableMap(hops);
    }
}
