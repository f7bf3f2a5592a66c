// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.highway.sdk.dubbo.GatewayAddress;
import io.highway.sdk.dubbo.HighwayReport.Endpoint.State;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.TrafficClass;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.config.IslandPolicy.Breaking;
import io.highway.sdk.dubbo.internal.connection.GatewayConnection;
import io.highway.sdk.dubbo.internal.endpoint.HealthState.Event;
import io.highway.sdk.dubbo.internal.evidence.Failure;
import io.highway.sdk.dubbo.internal.limits.Listeners;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Walks the table with real endpoints, whose clock it moves. */
@Tag("any-dubbo")
class HealthStateTest {

    private static final List<Set<HealthState>> COLUMNS = List.of(
            EnumSet.range(HealthState.RESPONSIVE, HealthState.UNRESPONSIVE),
            EnumSet.range(HealthState.PASSING, HealthState.SILENT),
            EnumSet.range(HealthState.CLOSED, HealthState.HALF_OPEN));

    private static final Set<HealthState> ANY = EnumSet.allOf(HealthState.class);
    private static final Duration SLOW = Duration.ofSeconds(2);

    /**
     * What happens to an endpoint.
     *
     * @param states it happens to an endpoint in any of these
     * @param events the events that it consists of
     */
    private record Stimulus(Set<HealthState> states, List<Event> events, Consumer<Endpoint> action) {}

    private static final List<Stimulus> STIMULI = List.of(
            new Stimulus(ANY, List.of(Event.CALL_ANSWERED), one -> one.deliver(1)),
            new Stimulus(ANY, List.of(Event.CHECK_ANSWERED), one -> {
                one.endpoint.echoed(Duration.ofMillis(1), (int) SLOW.toMillis());
                one.pass(Duration.ofMillis(301));
            }),
            new Stimulus(ANY, List.of(Event.CALL_FAILED), one -> one.fail(Reason.CONNECTION_LOST, 1)),
            new Stimulus(ANY, List.of(Event.CALL_FAILED, Event.CALL_TIMED_OUT), one -> one.fail(Reason.TIMEOUT, 1)),
            new Stimulus(
                    EnumSet.of(HealthState.RESPONSIVE, HealthState.SUSPECT),
                    List.of(Event.CALL_FAILED, Event.CALL_TIMED_OUT, Event.CHECK_NOT_SENT),
                    one -> {
                        one.canProbe = false;
                        one.fail(Reason.TIMEOUT, 1);
                        one.canProbe = true;
                    }),
            new Stimulus(
                    ANY, List.of(Event.CHECK_SENT), one -> one.endpoint.health().checkSent(true, one.nanos)),
            new Stimulus(ANY, List.of(Event.CHECK_MISSED), one -> one.miss(Reason.CONNECTION_LOST)),
            new Stimulus(
                    EnumSet.of(HealthState.PASSING),
                    List.of(Event.CHECK_MISSED, Event.CHECK_TIMED_OUT),
                    one -> one.miss(Reason.TIMEOUT)),
            new Stimulus(
                    EnumSet.of(HealthState.MISSED, HealthState.SILENT),
                    List.of(Event.CHECK_MISSED, Event.CHECKS_TIMED_OUT),
                    one -> one.miss(Reason.TIMEOUT)),
            new Stimulus(
                    ANY, // a call is answered while another one ends
                    List.of(Event.CALL_FAILED, Event.CALL_ANSWERED, Event.CALL_TIMED_OUT),
                    one -> {
                        EndpointHealth health = one.endpoint.health();
                        health.callFailed(Reason.TIMEOUT);
                        long unused = health.callAnswered(one.nanos);
                        assertThat(health.answers().callTimedOut("a call")).isTrue();
                    }),
            new Stimulus(
                    ANY, // a call is answered while a health check ends
                    List.of(Event.CHECK_MISSED, Event.CALL_ANSWERED, Event.CHECKS_TIMED_OUT),
                    one -> {
                        EndpointHealth health = one.endpoint.health();
                        health.checkMissed(Failure.maybeRun(Reason.CONNECTION_LOST, "no answer"));
                        long unused = health.callAnswered(one.nanos);
                        health.answers().checkTimedOut(Event.CHECKS_TIMED_OUT, "health checks");
                    }),
            new Stimulus(
                    ANY, List.of(Event.CHECK_MISSED, Event.GATEWAY_ANSWERED), one -> one.miss(Reason.NOT_FORWARDED)),
            new Stimulus(ANY, List.of(Event.CHECKS_STOPPED), one -> one.endpoint
                    .health()
                    .checksStopped()),
            new Stimulus(EnumSet.of(HealthState.AWAITED), List.of(Event.WAIT_EXPIRED), one -> one.pass(SLOW)),
            new Stimulus(
                    EnumSet.of(HealthState.SUSPECT),
                    List.of(Event.SUSPECT_EXPIRED),
                    one -> one.pass(Duration.ofSeconds(5))),
            new Stimulus(EnumSet.of(HealthState.RESPONSIVE), List.of(Event.OPEN_EXPIRED), one -> {
                one.pass(Duration.ofSeconds(5));
                one.endpoint.released(one.endpoint.tryEnter() ? one.endpoint.period() : 0);
            }),
            new Stimulus(
                    EnumSet.of(HealthState.CLOSED),
                    List.of(Event.CALL_FAILED, Event.LIMIT_REACHED),
                    one -> one.fail(Reason.GATEWAY_ERROR, 50)),
            new Stimulus(
                    EnumSet.of(HealthState.HALF_OPEN),
                    List.of(Event.CALL_FAILED, Event.LIMIT_REACHED),
                    one -> one.fail(Reason.GATEWAY_ERROR, 5)),
            new Stimulus(
                    EnumSet.of(HealthState.HALF_OPEN),
                    List.of(Event.CALL_ANSWERED, Event.TRIAL_PASSED),
                    one -> one.deliver(5)));

    /** An endpoint that was answered once, and its clock. */
    private static final class Endpoint {
        private long nanos = -Duration.ofHours(1).toNanos();
        private boolean canProbe = true;
        private final GatewayEndpoint endpoint;

        Endpoint() {
            GatewayConnection connection = mock(GatewayConnection.class);
            when(connection.name()).thenReturn("dubbo gateway:1");
            when(connection.trafficClass()).thenReturn(TrafficClass.INTERACTIVE);
            when(connection.address()).thenReturn(GatewayAddress.of(TunnelKind.DUBBO, "gateway", 1, false));
            when(connection.isUp()).thenReturn(true);
            ProbeSchedule schedule = new ProbeSchedule(Duration.ofSeconds(10)::toNanos);
            endpoint = new GatewayEndpoint(
                    "shanghai",
                    "island shanghai over dubbo gateway:1",
                    connection,
                    new Breaking(50, 0),
                    new EndpointHealth("island shanghai over dubbo gateway:1", schedule, SLOW::toNanos, () -> nanos),
                    any -> canProbe,
                    Listeners.none());
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
                endpoint.delivered(endpoint.period(), nanos);
            }
            pass(Duration.ofMillis(301)); // else a call that times out does not concern the endpoint
        }

        void fail(Reason reason, int calls) {
            for (int i = 0; i < calls; i++) {
                Failure failure = Failure.maybeRun(reason, "no answer");
                endpoint.failed(endpoint.period(), nanos, "send", failure, new Exception("no answer"));
            }
        }

        void miss(Reason reason) {
            endpoint.missed(Failure.maybeRun(reason, "no answer"));
        }
    }

    /** A change of one state. */
    private record Change(Event event, HealthState from, HealthState to) {}

    private static Set<Change> table() {
        return HealthState.TABLE.stream()
                .flatMap(row -> row.from().stream().map(from -> new Change(row.event(), from, row.to())))
                .collect(Collectors.toSet());
    }

    /** The states after some events, by the table; records the changes. */
    private static Set<HealthState> after(Set<HealthState> states, List<Event> events, Set<Change> changes) {
        Set<HealthState> after = states;
        for (Event event : events) {
            Set<HealthState> next = EnumSet.noneOf(HealthState.class);
            for (HealthState state : after) {
                next.add(state.on(event));
                if (state.on(event) != state) {
                    changes.add(new Change(event, state, state.on(event)));
                }
            }
            after = next;
        }
        return after;
    }

    private static List<Stimulus> and(List<Stimulus> path, Stimulus last) {
        return Stream.concat(path.stream(), Stream.of(last)).toList();
    }

    /** In all combinations of states that it can reach, an endpoint goes on as the table says. */
    @Test
    void anEndpointFollowsTheTable_fromAllStates() {
        Set<Change> walked = new HashSet<>();
        Map<Set<HealthState>, List<Stimulus>> paths = new LinkedHashMap<>();
        List<Set<HealthState>> found = new ArrayList<>();
        found.add(EnumSet.of(HealthState.RESPONSIVE, HealthState.PASSING, HealthState.CLOSED));
        paths.put(found.get(0), List.of());
        for (int i = 0; i < found.size(); i++) {
            Set<HealthState> from = found.get(i);
            List<Stimulus> path = paths.get(from);
            for (Stimulus stimulus : STIMULI) {
                if (from.stream().anyMatch(stimulus.states::contains)) {
                    Endpoint endpoint = Endpoint.after(path);
                    assertThat(endpoint.endpoint.states()).isEqualTo(from);
                    stimulus.action.accept(endpoint);
                    Set<HealthState> to = after(from, stimulus.events, walked);
                    assertThat(endpoint.endpoint.states())
                            .as("%s after %s", from, stimulus.events)
                            .isEqualTo(to);
                    assertThat(endpoint.endpoint.status()).isEqualTo(status(to));
                    if (paths.putIfAbsent(to, and(path, stimulus)) == null) {
                        found.add(to);
                    }
                }
            }
        }

        assertThat(walked).isEqualTo(table());
        assertThat(found).hasSize(4 * 3 * 3);
    }

    /** The status of the first of these states. */
    private static final Map<HealthState, State> STATUS = statusByState();

    private static Map<HealthState, State> statusByState() {
        Map<HealthState, State> all = new LinkedHashMap<>();
        all.put(HealthState.OPEN, State.OPEN);
        all.put(HealthState.UNRESPONSIVE, State.OPEN);
        all.put(HealthState.HALF_OPEN, State.HALF_OPEN);
        all.put(HealthState.AWAITED, State.SUSPECT);
        all.put(HealthState.SILENT, State.SILENT);
        all.put(HealthState.SUSPECT, State.SUSPECT);
        all.put(HealthState.RESPONSIVE, State.UP);
        return all;
    }

    private static State status(Set<HealthState> states) {
        return STATUS.entrySet().stream()
                .filter(entry -> states.contains(entry.getKey()))
                .findFirst()
                .orElseThrow()
                .getValue();
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
                unused.endpoint.period(),
                unused.nanos,
                "send",
                new Failure(Reason.REFUSED_THERE, false, "refused", place),
                new Exception("refused"));

        assertThat(unused.endpoint.status()).isEqualTo(state);
    }

    @Test
    void aCallThatTimesOutDoesNotConcernTheEndpoint_whichHasJustAnswered() {
        Endpoint alive = new Endpoint();
        alive.endpoint.delivered(0, alive.nanos);
        alive.pass(Duration.ofMillis(300));

        alive.fail(Reason.TIMEOUT, 1);

        assertThat(alive.endpoint.states()).contains(HealthState.SUSPECT);
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static HealthState state(String word) {
        return HealthState.valueOf(word.strip().toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    /** The changes in a cell such as {@code passing -> missed -> silent} or {@code any -> passing}. */
    private static Stream<Change> changes(Event event, String cell, Set<HealthState> column) {
        String[] steps = cell.split("->");
        return Stream.iterate(1, i -> i < steps.length, i -> i + 1).flatMap(i -> {
            HealthState to = state(steps[i]);
            return steps[i - 1].isBlank()
                    ? Stream.of()
                    : Stream.of(steps[i - 1].split(","))
                            .flatMap(from -> from.strip().equals("any") ? column.stream() : Stream.of(state(from)))
                            .filter(from -> from != to)
                            .map(from -> new Change(event, from, to));
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "../docs/maintain/how-a-call-travels.md",
                "src/main/java/io/highway/sdk/dubbo/internal/endpoint/HealthState.java"
            })
    void isTheTableThatIsDocumented(String file) throws IOException {
        Map<String, Event> events =
                Stream.of(Event.values()).collect(Collectors.toMap(HealthStateTest::word, event -> event));
        Set<Change> documented = new HashSet<>();
        for (String line : Files.readAllLines(Path.of(file))) {
            String[] cells = line.replace("`", "").split("\\|", -1);
            Event event = cells.length < 5 ? null : events.get(cells[1].strip());
            for (int column = 0; event != null && column < COLUMNS.size(); column++) {
                changes(event, cells[2 + column], COLUMNS.get(column)).forEach(documented::add);
            }
        }

        assertThat(documented).isEqualTo(table());
    }
}
