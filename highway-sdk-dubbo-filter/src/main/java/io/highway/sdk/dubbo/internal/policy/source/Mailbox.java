// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy.source;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Hands publications of a source to the task that applies them. It has one slot: the newest publication replaces one
 * that waits. Thread-safe.
 */
final class Mailbox {

    /** What a source reports. */
    sealed interface Publication {

        /** Why there is no rule in it that could be activated. */
        String reason();

        /**
         * The rule, as it is published now.
         *
         * @param source where, such as {@code config-center}
         */
        record Content(String text, String source) implements Publication {

            static final String BLANK = "the published rule is blank";

            @Override
            public String reason() {
                return BLANK;
            }
        }

        /** There is certainly no rule: it was deleted, or never published. */
        record Deleted() implements Publication {

            @Override
            public String reason() {
                return "there is no rule";
            }
        }

        /** The source has no answer: the rule is absent, or cannot be read. */
        record Unknown(String reason) implements Publication {}
    }

    private final BlockingQueue<Publication> slot = new ArrayBlockingQueue<>(1);
    private volatile boolean isClosed;
    private Runnable onPut = () -> {};

    /** Reports what is published now; whatever waits is better than an unknown answer. */
    synchronized void put(Publication publication) {
        if (!(publication instanceof Publication.Unknown)) {
            slot.clear();
        }
        if (slot.offer(publication)) {
            onPut.run();
        }
    }

    /** Runs an action, which does not block, for each publication from now on. */
    synchronized void onPut(Runnable action) {
        onPut = action;
    }

    /** The next publication; null if there is none in this time, the mailbox is closed or the thread interrupted. */
    @Nullable
    Publication poll(long millis) {
        try {
            Publication next = slot.poll(millis, TimeUnit.MILLISECONDS);
            return isClosed ? null : next;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    /** The publication that waits, or null if there is none or the mailbox is closed. */
    @Nullable
    Publication take() {
        return isClosed ? null : slot.poll();
    }

    void close() {
        isClosed = true;
        put(new Publication.Unknown("the application has stopped")); // wakes the thread that waits
    }
}
