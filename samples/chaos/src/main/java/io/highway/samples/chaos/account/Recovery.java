// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.chaos.account;

import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/** Waits, after a fault is over, until every mode delivers again. Thread-safe. */
public final class Recovery {

    /** So many calls in a row must be delivered before a mode counts as steady. */
    private static final int STEADY = 10;

    private static final long STEP_MILLIS = 5;

    private final Map<Mode, State> states = new EnumMap<>(Mode.class);
    private long begun = Long.MAX_VALUE;

    private static final class State {
        long firstMillis = -1;
        long steadyMillis = -1;
        int row;
    }

    /** Nothing is awaited yet. */
    Recovery() {
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
        State state = states.get(mode);
        if (state == null || begun == Long.MAX_VALUE || callBegun - begun < 0 || state.steadyMillis >= 0) {
            return;
        }
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
        state.row = delivered ? state.row + 1 : 0;
        if (delivered && state.firstMillis < 0) {
            state.firstMillis = millis;
        }
        if (state.row == STEADY) {
            state.steadyMillis = millis;
        }
    }

    /** Waits at most so long until each mode has delivered several calls in a row, and returns whether it has. */
    public boolean awaitSteady(long seconds) throws InterruptedException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (!isSteady()) {
            if (System.nanoTime() - until > 0) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(STEP_MILLIS);
        }
        return true;
    }

    private synchronized boolean isSteady() {
        return states.values().stream().allMatch(state -> state.steadyMillis >= 0);
    }

    /** Milliseconds from the end of the fault to the first call that was delivered. */
    public synchronized OptionalLong firstMillis(Mode mode) {
        State state = states.get(mode);
        return state == null || state.firstMillis < 0 ? OptionalLong.empty() : OptionalLong.of(state.firstMillis);
    }

    /** Milliseconds from the end of the fault until several calls in a row had been delivered. */
    public synchronized OptionalLong steadyMillis(Mode mode) {
        State state = states.get(mode);
        return state == null || state.steadyMillis < 0 ? OptionalLong.empty() : OptionalLong.of(state.steadyMillis);
    }
}
