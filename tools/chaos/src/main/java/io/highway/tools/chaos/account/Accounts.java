// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos.account;

import io.highway.tools.fixtures.time.Waiting;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * An entry for every call: its mode, its kind, the fault it began under, and how it ended. Memory for them is allocated
 * at the start, so that keeping them never looks like a leak. Thread-safe: each entry is written by one thread at a
 * time.
 */
@SuppressWarnings("EnumOrdinal") // an entry is a few bytes, and lives no longer than the run
public final class Accounts implements Closeable {

    /** The destination of every call. */
    public static final String ISLAND = "shanghai";

    /** The number of faults that can be distinguished. */
    private static final int FAULTS = 32;

    /** A call that takes longer than its timeout and this counts as hung. */
    private static final long GRACE_MILLIS = 3000;

    /** A call that is delivered later than its time-out and this is noted, too. */
    private static final long SLACK_MILLIS = 200;

    private static final int STEP_MILLIS = 20;
    private static final int MODES = Mode.values().length;

    private final byte[] modes;
    private final byte[] kinds;
    private final byte[] faults;
    private final byte[] endings;
    private final boolean[] late;
    private final long timeoutMillis;
    private final long hungMillis;
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();
    private final AtomicIntegerArray ofMode = new AtomicIntegerArray(MODES);
    private final AtomicIntegerArray slowest = new AtomicIntegerArray(FAULTS * MODES);
    private final Recovery recovery;
    private final CallLog log;
    private volatile int fault;

    /** With capacity for this number of calls. */
    public Accounts(int capacity, long timeoutMillis, Path log) throws IOException {
        this.modes = new byte[capacity];
        this.kinds = new byte[capacity];
        this.faults = new byte[capacity];
        this.endings = new byte[capacity];
        this.late = new boolean[capacity];
        this.recovery = new Recovery(timeoutMillis);
        this.timeoutMillis = timeoutMillis;
        this.hungMillis = timeoutMillis + GRACE_MILLIS;
        this.log = new CallLog(log);
    }

    /** Calls that begin from now on belong to this fault. */
    public void fault(int number) {
        fault = number;
    }

    /** The recovery of modes after a fault. */
    public Recovery recovery() {
        return recovery;
    }

    /** A call begins. */
    public Call begin(Mode mode, CallKind kind) {
        int id = begun.getAndIncrement();
        modes[id] = (byte) mode.ordinal();
        ofMode.incrementAndGet(mode.ordinal());
        kinds[id] = (byte) kind.ordinal();
        faults[id] = (byte) fault;
        return new Call(id);
    }

    /** One call in flight. */
    public final class Call {
        private final int id;
        private final long since = System.nanoTime();

        private Call(int id) {
            this.id = id;
        }

        /** Its id in the ledgers. */
        public int id() {
            return id;
        }

        /** Records the end that its caller sees; returns whether it was delivered. */
        public boolean end(@Nullable String value, @Nullable Throwable thrown) {
            return Accounts.this.end(this, value, thrown);
        }
    }

    private boolean end(Call call, @Nullable String value, @Nullable Throwable thrown) {
        Ending ending = Ending.of(call.id, ISLAND, value, thrown);
        int millis = (int) TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - call.since);
        late[call.id] = millis > hungMillis;
        endings[call.id] = (byte) ending.ordinal();
        slowest.accumulateAndGet(faults[call.id] * MODES + modes[call.id], millis, Math::max);
        recovery.ended(mode(call.id), call.since, ending == Ending.DELIVERED);
        if (ending != Ending.DELIVERED || millis > timeoutMillis + SLACK_MILLIS) {
            Object said = thrown == null ? value : Ending.unwrapped(thrown);
            log.note(
                    call.id,
                    LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.MILLIS) + " after " + millis + " ms, "
                            + mode(call.id).word() + " " + kind(call.id).method() + " under fault "
                            + faults[call.id] + ", " + ending.words() + ": " + said);
        }
        ended.incrementAndGet();
        return ending == Ending.DELIVERED;
    }

    /** How many calls of the mode with the fewest have begun. */
    public int fewest() {
        return IntStream.range(0, MODES).map(ofMode::get).min().orElse(0);
    }

    /** How many calls have begun. */
    public int size() {
        return begun.get();
    }

    /** Waits until every call has ended or counts as hung. */
    public void awaitEnds() {
        boolean unused = Waiting.until(Duration.ofMillis(hungMillis), STEP_MILLIS, () -> ended.get() >= begun.get());
    }

    Mode mode(int id) {
        return Mode.values()[modes[id]];
    }

    CallKind kind(int id) {
        return CallKind.values()[kinds[id]];
    }

    int faultOf(int id) {
        return faults[id];
    }

    Ending ending(int id) {
        return Ending.of(endings[id]);
    }

    boolean isHung(int id) {
        return late[id] || ending(id) == Ending.UNDER_WAY;
    }

    int slowestMillis(int ofFault, Mode mode) {
        return slowest.get(ofFault * MODES + mode.ordinal());
    }

    /** The SDK's failure of a call that was not delivered. */
    String said(int id) throws IOException {
        return log.find(id);
    }

    @Override
    public void close() throws IOException {
        log.close();
    }
}
