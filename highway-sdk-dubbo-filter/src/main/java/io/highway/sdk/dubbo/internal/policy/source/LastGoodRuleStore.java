// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy.source;

import io.highway.sdk.dubbo.internal.background.BackgroundTasks;
import io.highway.sdk.dubbo.internal.background.BackgroundTasks.RepeatedTask;
import io.highway.sdk.dubbo.internal.policy.source.Mailbox.Publication;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the last good rule of an application on its disk. A separate task writes it: a disk that does not answer, as that of a
 * lost mount, holds up nothing else. Thread-safe.
 */
final class LastGoodRuleStore {

    /** While rules arrive without a pause, the disk gets one at most this often. */
    private static final long PAUSE_MILLIS = 1_000;

    private final LastGoodRuleFile store;
    private final RepeatedTask writer;

    /** The rule that is to be written; null if the disk has it. */
    private final AtomicReference<Publication.@Nullable Content> wanted = new AtomicReference<>();

    private volatile boolean isClosing;

    /** As {@code System.nanoTime}. Used by the task only. */
    private long writtenAt = System.nanoTime() - TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS);

    LastGoodRuleStore(LastGoodRuleFile store, BackgroundTasks tasks) {
        this.store = store;
        this.writer = tasks.repeat(this::write);
    }

    /** Writes a rule in the background. */
    void keep(Publication.Content content) {
        wanted.set(content);
        writer.runSoon();
    }

    /** Tries again what could not be written. */
    void retry() {
        if (wanted.get() != null) {
            writer.runSoon();
        }
    }

    private long write() {
        long pause = PAUSE_MILLIS - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - writtenAt);
        if (pause > 0 && !isClosing) {
            return pause;
        }
        Publication.Content next = wanted.get();
        if (next != null && store.save(next.text(), PolicyRule.versionOf(next.text()), next.source())) {
            wanted.compareAndSet(next, null);
        }
        writtenAt = System.nanoTime();
        return RepeatedTask.ON_REQUEST;
    }

    /** Writes what is to be written, and waits for it shortly. */
    void close(long millis) {
        isClosing = true;
        writer.finish(millis);
    }
}
