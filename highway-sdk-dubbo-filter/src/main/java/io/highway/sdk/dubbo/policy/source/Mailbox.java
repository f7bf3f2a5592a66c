// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.policy.source;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Hands publications of a source to the thread that applies them. It has one slot: the newest publication replaces one
 * that waits. Thread-safe.
 */
final class Mailbox {

    /** What a source reports. */
    sealed interface Publication {

        /** The rule, as it is published now. */
        record Content(String text) implements Publication {}

        /** The rule was deleted. */
        record Deleted() implements Publication {}

        /** The source has no answer: the rule is absent, or cannot be read. */
        record Unknown(String reason) implements Publication {}
    }

    private @Nullable Publication waiting;
    private int events;
    private boolean isClosed;

    /** Reports a change. */
    synchronized void changed(@Nullable String text) {
        events++;
        put(text == null ? new Publication.Deleted() : new Publication.Content(text));
    }

    /** The number of changes until now, for {@link #read}. */
    synchronized int events() {
        return events;
    }

    /**
     * Reports the answer of a read, unless a change was reported since the read began: the answer may be older.
     *
     * @param eventsBefore {@link #events()} before the read
     */
    synchronized void read(String text, int eventsBefore) {
        if (events == eventsBefore) {
            put(new Publication.Content(text));
        }
    }

    /** Reports that there is no answer; whatever waits is better. */
    synchronized void unknown(String reason) {
        if (waiting == null) {
            put(new Publication.Unknown(reason));
        }
    }

    private void put(Publication publication) {
        waiting = publication;
        notifyAll();
    }

    /** The next publication, or null if there is none in this time or the mailbox is closed. */
    synchronized @Nullable Publication poll(long millis) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        for (long left = millis; waiting == null && !isClosed && left > 0; ) {
            wait(left);
            left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime() + 999_999);
        }
        return takeNow();
    }

    /** The next publication, or null when the mailbox is closed. */
    synchronized @Nullable Publication take() throws InterruptedException {
        while (waiting == null && !isClosed) {
            wait();
        }
        return takeNow();
    }

    private @Nullable Publication takeNow() {
        Publication next = isClosed ? null : waiting;
        waiting = null;
        return next;
    }

    synchronized boolean isEmpty() {
        return waiting == null;
    }

    synchronized void close() {
        isClosed = true;
        notifyAll();
    }
}
