// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.highway.sdk.dubbo.GatewayAddress;
import io.highway.sdk.dubbo.HighwayReport.Endpoint.State;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.TrafficClass;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.caller.endpoint.HealthState.Event;
import io.highway.sdk.dubbo.internal.evidence.Failure;
import io.highway.sdk.dubbo.internal.limits.Listeners;
import io.highway.sdk.dubbo.internal.network.connection.ReconnectingLink;
import io.highway.sdk.dubbo.internal.policy.IslandPolicy.Breaking;
import io.highway.tools.fixtures.logs.CapturedLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Walks the table with real endpoints, whose clock it moves. */
@Tag("any-dubbo")
class HealthStateTest {

    private static final Set<HealthState> ANY = EnumSet.allOf(HealthState.class);
    private static final Set<HealthState> TAKING =
            EnumSet.of(HealthState.UP, HealthState.SUSPECT, HealthState.MISROUTED);
    private static final Duration SLOW = Duration.ofSeconds(2);

    /**
     * What happens to an endpoint.
     *
     * @param states it happens to an endpoint in any of these
     * @param events the events that it consists of
     */
    private record Stimulus(Set<HealthState> states, List<Event> events, Consumer<Endpoint> action) {}

    private static final List<Stimulus> STIMULI = List.of(
            new Stimulus(ANY, List.of(Event.ANSWERED), one -> one.deliver(1)),
            new Stimulus(
                    EnumSet.complementOf(EnumSet.of(HealthState.EJECTED)), List.of(Event.ANSWERED), Endpoint::echo),
            new Stimulus(EnumSet.of(HealthState.EJECTED), List.of(Event.ANSWERED, Event.TRIAL_DUE), Endpoint::echo),
            new Stimulus(ANY, List.of(Event.FAILED), one -> one.fail(Reason.CONNECTION_LOST, 1)),
            new Stimulus(ANY, List.of(Event.FAILED, Event.TIMED_OUT), one -> one.fail(Reason.TIMEOUT, 1)),
            new Stimulus(TAKING, List.of(Event.FAILED, Event.TIMED_OUT, Event.UNCHECKED), Endpoint::failWithoutChecks),
            new Stimulus(
                    EnumSet.of(HealthState.TRIAL, HealthState.EJECTED),
                    List.of(Event.FAILED, Event.TIMED_OUT, Event.UNCHECKED, Event.LIMIT_REACHED),
                    Endpoint::failWithoutChecks),
            new Stimulus(ANY, List.of(Event.CHECK_MISSED), one -> one.miss(Reason.CONNECTION_LOST)),
            new Stimulus(ANY, List.of(Event.CHECK_MISSED, Event.TIMED_OUT), one -> {
                one.miss(Reason.TIMEOUT);
                one.miss(Reason.TIMEOUT);
            }),
            new Stimulus(ANY, List.of(Event.CHECK_MISSED, Event.GATEWAY_ANSWERED), one -> {
                one.miss(Reason.NOT_FORWARDED);
                one.pass(Duration.ofMillis(301));
            }),
            new Stimulus(
                    ANY, List.of(Event.UNCHECKED), one -> one.endpoint.health().checksStopped()),
            new Stimulus(ANY, List.of(Event.MISROUTED), Endpoint::misroute),
            new Stimulus(EnumSet.of(HealthState.MISROUTED), List.of(Event.CONNECTION_LOST), one -> one.endpoint
                    .health()
                    .connectionLost()),
            new Stimulus(EnumSet.of(HealthState.MISROUTED), List.of(Event.EXPIRED), one -> {
                one.pass(Duration.ofSeconds(11));
                one.endpoint.health().checksStopped();
            }),
            new Stimulus(
                    EnumSet.of(HealthState.SUSPECT), List.of(Event.EXPIRED), one -> one.pass(Duration.ofSeconds(5))),
            new Stimulus(EnumSet.of(HealthState.EJECTED), List.of(Event.TRIAL_DUE), one -> {
                one.pass(Duration.ofSeconds(5));
                one.endpoint.released(one.endpoint.tryEnter() ? one.endpoint.trial() : 0);
            }),
            new Stimulus(TAKING, List.of(Event.FAILED, Event.LIMIT_REACHED), one -> one.fail(Reason.GATEWAY_ERROR, 50)),
            new Stimulus(
                    EnumSet.of(HealthState.TRIAL),
                    List.of(Event.FAILED, Event.LIMIT_REACHED),
                    one -> one.fail(Reason.GATEWAY_ERROR, 5)),
            new Stimulus(
                    EnumSet.of(HealthState.TRIAL), List.of(Event.ANSWERED, Event.TRIAL_PASSED), one -> one.deliver(5)),
            new Stimulus( // the calls in flight had reached the limit
                    EnumSet.of(HealthState.UNRESPONSIVE),
                    List.of(Event.ANSWERED, Event.LIMIT_REACHED, Event.TRIAL_DUE),
                    one -> {
                        one.fail(Reason.GATEWAY_ERROR, 50);
                        one.deliver(1);
                    }),
            new Stimulus(EnumSet.of(HealthState.UNRESPONSIVE), List.of(Event.UNCHECKED, Event.LIMIT_REACHED), one -> {
                one.fail(Reason.GATEWAY_ERROR, 50);
                one.endpoint.health().checksStopped();
            }));

    /** An endpoint that was answered once, and its clock. */
    private static final class Endpoint {
        private long nanos = -Duration.ofHours(1).toNanos();
        private boolean canProbe = true;
        private final GatewayEndpoint endpoint;

        Endpoint() {
            ReconnectingLink connection = mock(ReconnectingLink.class);
            when(connection.name()).thenReturn("dubbo gateway:1");
            when(connection.trafficClass()).thenReturn(TrafficClass.INTERACTIVE);
            when(connection.address()).thenReturn(GatewayAddress.of(TunnelKind.DUBBO, "gateway", 1, false));
            when(connection.isUp()).thenReturn(true);
            ProbeSchedule schedule = new ProbeSchedule(Duration.ofSeconds(10)::toNanos);
            endpoint = new GatewayEndpoint(
                    "shanghai",
                    "island shanghai over dubbo gateway:1",
                    connection,
                    new EndpointHealth(
                            "island shanghai over dubbo gateway:1",
                            new Breaking(50, 0),
                            schedule,
                            SLOW::toNanos,
                            () -> nanos),
                    any -> canProbe,
                    Listeners.none());
        }

        HealthState state() {
            return endpoint.health().state();
        }

        static Endpoint after(List<Stimulus> stimuli) {
            Endpoint one = new Endpoint();
            one.deliver(1);
            stimuli.forEach(stimulus -> stimulus.action.accept(one));
            return one;
        }

        void pass(Duration time) {
            nanos += time.toNanos();
        }

        void deliver(int calls) {
            for (int i = 0; i < calls; i++) {
                endpoint.delivered(endpoint.trial(), nanos);
            }
            pass(Duration.ofMillis(301)); // else a call that times out does not concern the endpoint
        }

        void fail(Reason reason, int calls) {
            for (int i = 0; i < calls; i++) {
                Failure failure = Failure.maybeRun(reason, "no answer");
                endpoint.failed(endpoint.trial(), nanos, "send", failure);
            }
        }

        void miss(Reason reason) {
            endpoint.missed(Failure.maybeRun(reason, "no answer"));
        }

        void echo() {
            endpoint.echoed(Duration.ofMillis(1), (int) SLOW.toMillis());
            pass(Duration.ofMillis(301));
        }

        void failWithoutChecks() {
            canProbe = false;
            fail(Reason.TIMEOUT, 1);
            canProbe = true;
        }

        void misroute() {
            endpoint.misrouted(
                    new Failure(Reason.REFUSED_THERE, false, "this is beijing", Failure.Place.ANOTHER_ISLAND));
            pass(Duration.ofMillis(301));
        }
    }

    /** A change of the state. */
    private record Change(Event event, HealthState from, HealthState to) {}

    private static Set<Change> table() {
        return HealthState.TABLE.stream()
                .flatMap(row -> row.from().stream().map(from -> new Change(row.event(), from, row.to())))
                .filter(change -> change.from != change.to)
                .collect(Collectors.toSet());
    }

    /** The state after some events, by the table; records the changes. */
    private static HealthState after(HealthState before, List<Event> events, Set<Change> changes) {
        HealthState state = before;
        for (Event event : events) {
            HealthState next = state.on(event);
            if (next != state) {
                changes.add(new Change(event, state, next));
            }
            state = next;
        }
        return state;
    }

    private static List<Stimulus> and(List<Stimulus> path, Stimulus last) {
        return Stream.concat(path.stream(), Stream.of(last)).toList();
    }

    /** From each state an endpoint goes on as the table says. */
    @Test
    void anEndpointFollowsTheTable_fromAllStates() {
        Set<Change> walked = new HashSet<>();
        Map<HealthState, List<Stimulus>> paths = new EnumMap<>(HealthState.class);
        List<HealthState> found = new ArrayList<>(List.of(HealthState.UP));
        paths.put(HealthState.UP, List.of());
        for (int i = 0; i < found.size(); i++) {
            HealthState from = found.get(i);
            List<Stimulus> path = paths.get(from);
            for (Stimulus stimulus : STIMULI) {
                if (stimulus.states.contains(from)) {
                    Endpoint endpoint = Endpoint.after(path);
                    assertThat(endpoint.state()).isEqualTo(from);
                    stimulus.action.accept(endpoint);
                    HealthState to = after(from, stimulus.events, walked);
                    assertThat(endpoint.state())
                            .as("%s after %s", from, stimulus.events)
                            .isEqualTo(to);
                    assertThat(STATUS.get(to)).contains(endpoint.endpoint.status());
                    if (paths.putIfAbsent(to, and(path, stimulus)) == null) {
                        found.add(to);
                    }
                }
            }
        }

        assertThat(walked).isEqualTo(table());
        assertThat(found).containsExactlyInAnyOrder(HealthState.values());
    }

    /** What is reported of an endpoint that is connected and was answered once. */
    private static final Map<HealthState, Set<State>> STATUS = Map.of(
            HealthState.UP, Set.of(State.UP),
            HealthState.SUSPECT, Set.of(State.SUSPECT, State.SILENT),
            HealthState.MISROUTED, Set.of(State.MISROUTED),
            HealthState.UNRESPONSIVE, Set.of(State.SUSPECT, State.OPEN),
            HealthState.EJECTED, Set.of(State.OPEN),
            HealthState.TRIAL, Set.of(State.HALF_OPEN));

    /** No call goes to an endpoint that does not answer; first they wait for the health check. */
    @Test
    void callsWaitForTheAnswerOfAnUnresponsiveEndpoint_thenTheyAreRefused() {
        Endpoint one = Endpoint.after(List.of());
        one.fail(Reason.TIMEOUT, 1);
        CompletableFuture<?> answer = one.endpoint.health().answer();
        assertThat(one.endpoint.tryEnter()).isFalse();
        assertThat(one.endpoint.waitNanos()).isEqualTo(SLOW.toNanos());
        assertThat(one.endpoint.status()).isEqualTo(State.SUSPECT);

        one.pass(SLOW);
        assertThat(one.endpoint.tryEnter()).isFalse();
        assertThat(one.endpoint.waitNanos()).isZero();
        assertThat(one.endpoint.status()).isEqualTo(State.OPEN);
        assertThat(answer).isNotDone();

        one.endpoint.health().checkSent(true, one.nanos); // over another connection
        assertThat(one.endpoint.waitNanos()).isEqualTo(SLOW.toNanos());
        one.miss(Reason.TIMEOUT);
        assertThat(one.endpoint.waitNanos()).isZero();
        assertThat(one.endpoint.problem())
                .contains("a call got no answer (send ended as", "heartbeats are not answered");

        one.echo();
        assertThat(answer).isDone();
        assertThat(one.endpoint.tryEnter()).isTrue();
        assertThat(one.endpoint.status()).isEqualTo(State.UP);
    }

    /** Else real calls would find out again and again that it does not work. */
    @Test
    void aTrialComesAfterOtherEndpoints_asLongAsHealthChecksFail() {
        Endpoint one = Endpoint.after(List.of());
        one.fail(Reason.GATEWAY_ERROR, 20);
        one.miss(Reason.GATEWAY_ERROR);
        one.miss(Reason.GATEWAY_ERROR);
        one.pass(Duration.ofSeconds(6));

        assertThat(one.endpoint.isSuspect()).isTrue();
        assertThat(one.endpoint.isHealthy()).isFalse();
        assertThat(one.endpoint.tryEnter()).isTrue(); // the only one
        assertThat(one.state()).isEqualTo(HealthState.TRIAL);
        assertThat(one.endpoint.isSuspect()).isTrue();
        assertThat(one.endpoint.isHealthy()).isFalse();

        one.echo();

        assertThat(one.endpoint.isSuspect()).isFalse();
        assertThat(one.endpoint.isHealthy()).isTrue();
    }

    @Test
    void anEjectedEndpointThatFallsSilentGetsNoTrial_andHasOneOnceItAnswers() {
        Endpoint one = Endpoint.after(List.of());
        one.fail(Reason.GATEWAY_ERROR, 20);
        assertThat(one.state()).isEqualTo(HealthState.EJECTED);
        one.miss(Reason.TIMEOUT);
        one.miss(Reason.TIMEOUT);
        one.pass(Duration.ofSeconds(6));
        assertThat(one.endpoint.tryEnter()).isFalse();
        assertThat(one.endpoint.status()).isEqualTo(State.OPEN);

        one.echo();

        assertThat(one.state()).isEqualTo(HealthState.TRIAL);
    }

    /** It was ejected before the guard of another island answered. */
    @Test
    void aMisroutedEndpointIsStillToProveItself_onceItsRouteIsMended() {
        Endpoint one = Endpoint.after(List.of());
        one.fail(Reason.GATEWAY_ERROR, 20);
        one.pass(Duration.ofSeconds(5));
        assertThat(one.endpoint.tryEnter()).isTrue();
        one.misroute();
        assertThat(one.state()).isEqualTo(HealthState.MISROUTED);

        one.echo();

        assertThat(one.state()).isEqualTo(HealthState.TRIAL);
    }

    /** Each further health check is awaited, too, as long as no call asks for one. */
    @Test
    void isReportedOnce_whileItHangs() {
        Endpoint one = Endpoint.after(List.of());
        try (CapturedLog log = new CapturedLog()) {
            one.fail(Reason.TIMEOUT, 1);
            for (int i = 0; i < 10; i++) {
                one.pass(Duration.ofSeconds(10));
                one.endpoint.noteLoss(); // of a connection that is up: looks at the time
                one.endpoint.health().checkSent(true, one.nanos);
                one.endpoint.noteLoss();
                one.miss(Reason.TIMEOUT);
            }
            assertThat(log.ofSdk("takes no calls for now")).hasSize(1);
            assertThat(log.ofSdk("takes calls again")).isEmpty();

            one.echo();

            assertThat(log.ofSdk("takes calls again")).hasSize(1);
        }
    }

    /** A balancer leads to another island in turn, while the endpoint has to prove itself. */
    @Test
    void isReportedOnce_whileItIsMisroutedInTurn() {
        Endpoint one = Endpoint.after(List.of());
        try (CapturedLog log = new CapturedLog()) {
            one.fail(Reason.GATEWAY_ERROR, 20);
            one.echo();
            for (int i = 0; i < 10; i++) {
                one.misroute();
                one.echo();
            }

            assertThat(log.ofSdk("takes no calls for now")).hasSize(1);
            assertThat(log.ofSdk("takes calls again")).isEmpty();
        }
    }

    @Test
    void isSilent_asLongAsHealthChecksAreMissed() {
        Endpoint one = Endpoint.after(List.of());
        one.miss(Reason.CONNECTION_LOST);
        assertThat(one.endpoint.status()).isEqualTo(State.SUSPECT);
        one.miss(Reason.CONNECTION_LOST);
        assertThat(one.endpoint.status()).isEqualTo(State.SILENT);
        one.pass(Duration.ofMinutes(1));
        assertThat(one.endpoint.status()).isEqualTo(State.SILENT);
        assertThat(one.endpoint.tryEnter()).isTrue();

        one.echo();

        assertThat(one.endpoint.status()).isEqualTo(State.UP);
    }

    @Test
    void aPeerThatHasNeverAnsweredMayBeStarting_forTenSecondsAfterItsFirstHealthCheck() {
        Endpoint starting = new Endpoint();
        starting.endpoint.health().checkSent(true, starting.nanos);
        starting.miss(Reason.TIMEOUT);
        starting.miss(Reason.TIMEOUT);
        assertThat(starting.endpoint.status()).isEqualTo(State.SILENT);

        starting.pass(Duration.ofSeconds(10));
        starting.miss(Reason.TIMEOUT);

        assertThat(starting.endpoint.status()).isEqualTo(State.OPEN);
    }

    @Test
    void isUnknown_untilItHasAnswered_andAgainOnceItsFirstFailureIsForgotten() {
        Endpoint unused = new Endpoint();
        assertThat(unused.endpoint.status()).isEqualTo(State.UNKNOWN);
        assertThat(unused.endpoint.problem()).isNull();

        unused.fail(Reason.NOT_FORWARDED, 1);
        assertThat(unused.endpoint.status()).isEqualTo(State.SUSPECT);
        unused.pass(Duration.ofSeconds(5));
        assertThat(unused.endpoint.status()).isEqualTo(State.UNKNOWN);

        unused.deliver(1);
        assertThat(unused.endpoint.status()).isEqualTo(State.UP);
    }

    @ParameterizedTest
    @CsvSource({"ISLAND, UP", "PROVIDER, UP", "UNKNOWN, UNKNOWN", "BEYOND_GATEWAY, UNKNOWN", "ANOTHER_ISLAND, MISROUTED"
    })
    void isUp_onceTheIslandHasRefusedACall(Failure.Place place, State state) {
        Endpoint unused = new Endpoint();

        unused.endpoint.failed(
                unused.endpoint.trial(),
                unused.nanos,
                "send",
                new Failure(Reason.REFUSED_THERE, false, "refused", place));

        assertThat(unused.endpoint.status()).isEqualTo(state);
    }

    @Test
    void aCallThatTimesOutDoesNotConcernTheEndpoint_whichHasJustAnswered() {
        Endpoint alive = new Endpoint();
        alive.endpoint.delivered(0, alive.nanos);
        alive.pass(Duration.ofMillis(300));

        alive.fail(Reason.TIMEOUT, 1);

        assertThat(alive.state()).isEqualTo(HealthState.SUSPECT);
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static HealthState state(String word) {
        return HealthState.valueOf(word.strip().toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    @Test
    void isTheTableThatIsDocumented() throws IOException {
        Path file = Path.of("src/main/java/io/highway/sdk/dubbo/internal/caller/endpoint/HealthState.java");
        Map<String, Event> events =
                Stream.of(Event.values()).collect(Collectors.toMap(HealthStateTest::word, event -> event));
        Set<Change> documented = new HashSet<>();
        for (String line : Files.readAllLines(file)) {
            String[] cells = line.replace("`", "").split("\\|", -1);
            Event event = cells.length < 5 ? null : events.get(cells[1].strip());
            if (event != null) {
                Stream.of(cells[2].split(","))
                        .forEach(from -> documented.add(new Change(event, state(from), state(cells[3]))));
            }
        }

        assertThat(documented).isEqualTo(table());
    }
}
