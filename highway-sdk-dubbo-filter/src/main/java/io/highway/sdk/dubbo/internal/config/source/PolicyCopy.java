// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.config.source;

import io.highway.sdk.dubbo.internal.config.source.Mailbox.Publication;
import io.highway.sdk.dubbo.internal.files.LocalFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The last good rule of an application on its disk, and the one that is to be written. Used by one thread at a time. */
final class PolicyCopy {

    /** While rules arrive without a pause, the disk gets one at most this often. */
    private static final long SAVE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final PolicyStore store;
    private final Predicate<Publication.Content> writer;
    private final long limitMillis;

    /** Writes that have not returned, as on a lost mount: nothing else is written then. */
    private final AtomicInteger writing = new AtomicInteger();

    private Publication.@Nullable Content unsaved;
    private long savedAt = System.nanoTime() - SAVE_NANOS;

    PolicyCopy(PolicyStore store) {
        this(
                store,
                content -> store.save(content.text(), PolicyRule.versionOf(content.text()), content.source()),
                LocalFile.LIMIT_MILLIS);
    }

    PolicyCopy(PolicyStore store, Predicate<Publication.Content> writer, long limitMillis) {
        this.store = store;
        this.writer = writer;
        this.limitMillis = limitMillis;
    }

    /** Where it is. */
    Path file() {
        return store.file();
    }

    /** The text of the copy, or null if there is none that can be used. */
    @Nullable
    String load() {
        return store.load();
    }

    /** The rule that is to be written. */
    void keep(Publication.Content content) {
        unsaved = content;
    }

    /** Writes what is to be written, if no rule waits, or if the last write is a while ago. */
    void save(boolean isRuleWaiting) {
        if (!isRuleWaiting || System.nanoTime() - savedAt > SAVE_NANOS) {
            save();
        }
    }

    /** Writes what is to be written. */
    void save() {
        Publication.Content content = unsaved;
        if (content != null && writing.get() == 0) {
            unsaved = isWritten(content) ? null : content; // tried again with the next answer
            savedAt = System.nanoTime();
        }
    }

    private boolean isWritten(Publication.Content content) {
        writing.incrementAndGet();
        try {
            return LocalFile.inTime(
                    () -> {
                        try {
                            return writer.test(content);
                        } finally {
                            writing.decrementAndGet();
                        }
                    },
                    limitMillis);
        } catch (IOException e) {
            store.warnOfWrite(e);
            return false;
        } catch (OutOfMemoryError e) { // no thread: it has not begun
            writing.decrementAndGet();
            store.warnOfWrite(new IOException(e));
            return false;
        }
    }

    /** There is no rule any more. The copy of another source stays. */
    void forget() {
        unsaved = null;
        if (store.load() != null) {
            store.delete();
        }
    }
}
