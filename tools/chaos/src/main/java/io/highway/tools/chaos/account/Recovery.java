// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos.account;

import io.highway.tools.fixtures.time.Waiting;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/** Waits, after a fault is over, until every mode delivers again. Thread-safe. */
public final class Recovery {

    private static final long MARGIN_MILLIS = 200;
    private static final long STEP_MILLIS = 5;

    private final Map<Mode, State> states = new EnumMap<>(Mode.class);
    private final long quietNanos;
    private long begun = System.nanoTime();

    /** Nanoseconds since the fault was over; -1 is never. */
    private static final class State {
        long first = -1;
        long firstSinceFailure = -1;
        long lastFailure;
    }

    /**
     * Nothing is awaited yet.
     *
     * @param timeoutMillis of a call: a mode that has not failed for longer is steady
     */
    Recovery(long timeoutMillis) {
        this.quietNanos = TimeUnit.MILLISECONDS.toNanos(timeoutMillis + MARGIN_MILLIS);
        for (Mode mode : Mode.values()) {
            states.put(mode, new State());
        }
    }

    /** The fault is over now; only calls that begin from here on count. */
    public synchronized void begin() {
        begun = System.nanoTime();
        states.replaceAll((mode, state) -> new State());
    }

    synchronized void ended(Mode mode, long callBegun, boolean delivered) {
        State state = state(mode);
        long now = System.nanoTime() - begun;
        if (!delivered) {
            state.lastFailure = now;
        }
        if (callBegun - begun < 0) { // a failure of an older call: newer ones had no permit yet
            return;
        }
        if (!delivered) {
            state.firstSinceFailure = -1;
            return;
        }
        state.first = state.first < 0 ? now : state.first;
        state.firstSinceFailure = state.firstSinceFailure < 0 ? now : state.firstSinceFailure;
    }

    /** Waits at most so long until each mode delivers and has not failed for a time-out, and returns whether it does. */
    public boolean awaitSteady(long seconds) {
        return Waiting.until(Duration.ofSeconds(seconds), STEP_MILLIS, this::isSteady);
    }

    private synchronized boolean isSteady() {
        long now = System.nanoTime() - begun;
        return states.values().stream()
                .allMatch(state -> state.firstSinceFailure >= 0 && now - state.lastFailure > quietNanos);
    }

    /** Milliseconds from the end of the fault to the first call that was delivered. */
    public synchronized OptionalLong firstMillis(Mode mode) {
        return millis(state(mode).first);
    }

    /** Milliseconds from the end of the fault to the first call after the last that failed; empty while any fail. */
    public synchronized OptionalLong steadyMillis(Mode mode) {
        State state = state(mode);
        boolean steady = System.nanoTime() - begun - state.lastFailure > quietNanos;
        return millis(steady ? state.firstSinceFailure : -1);
    }

    private State state(Mode mode) {
        return Objects.requireNonNull(states.get(mode));
    }

    private static OptionalLong millis(long nanos) {
        return nanos < 0 ? OptionalLong.empty() : OptionalLong.of(TimeUnit.NANOSECONDS.toMillis(nanos));
    }
}
