// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy.source;

import io.highway.sdk.dubbo.internal.background.BackgroundTasks;
import io.highway.sdk.dubbo.internal.background.BackgroundTasks.RepeatedTask;
import io.highway.sdk.dubbo.internal.files.LocalFileReader;
import io.highway.sdk.dubbo.internal.files.SlowReadWatch;
import io.highway.sdk.dubbo.internal.policy.source.Mailbox.Publication;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.jspecify.annotations.Nullable;

/**
 * A rule in a file. It compares the content, since a mounted ConfigMap changes by replacing a symbolic link to a
 * directory, which no time stamp and no watch of the file shows.
 *
 * <p>A change counts when two reads in a row find the same content, so that a file which is being written is not read
 * in part; a file counts as deleted when it is missing for two seconds, so that an editor may replace it.
 */
final class FileSource implements RuleSource {

    private static final Logger log = LoggerFactory.getLogger(FileSource.class);
    private static final long INTERVAL_MILLIS = 250;
    private static final int READS_UNTIL_DELETED = 8;

    /** What could not be done with a content is tried again: as often as with a config centre. */
    private static final int READS_UNTIL_REPEATED = 120;

    /** One byte more than a rule may have, so that a longer file is refused as too large. */
    private static final int MAX_READ = (1 << 20) + 1;

    private final Path file;
    private final RepeatedTask task;
    private volatile @Nullable Mailbox mailbox;

    // used by the task only
    private boolean isFirst = true;
    private byte @Nullable [] seen;
    private byte @Nullable [] reported;
    private int missing;
    private int readsSinceReport;
    private final SlowReadWatch reading = new SlowReadWatch(LocalFileReader.LIMIT_MILLIS);
    private volatile @Nullable String problem;

    FileSource(Path file, BackgroundTasks tasks) {
        this.file = file;
        this.task = tasks.repeat(this::readOnce);
    }

    @Override
    public String name() {
        return "file:" + file;
    }

    @Override
    public String identity() {
        return name();
    }

    @Override
    public @Nullable String problem() {
        return reading.isSlow() ? name() + " does not answer" : problem;
    }

    @Override
    public void start(Mailbox changes) {
        this.mailbox = changes;
        task.runSoon();
    }

    @Override
    public void close() {
        task.close();
    }

    private long readOnce() {
        Mailbox changes = Objects.requireNonNull(mailbox);
        try {
            byte[] content = read();
            missing = 0;
            problem = null;
            byte[] known = reported;
            if (!Arrays.equals(content, known) && (isFirst || Arrays.equals(content, seen))) {
                report(content, changes);
            } else if (known != null && ++readsSinceReport == READS_UNTIL_REPEATED) {
                report(known, changes);
            }
            seen = content;
        } catch (NoSuchFileException e) {
            seen = null;
            problem = null;
            if (isFirst) {
                changes.put(new Publication.Unknown("there is no file " + file));
            } else if (++missing == READS_UNTIL_DELETED) {
                reported = null;
                changes.put(new Publication.Deleted());
            }
        } catch (IOException | RuntimeException | Error e) {
            seen = null;
            cannotBeRead(name() + " cannot be read: " + e, changes);
        }
        isFirst = false;
        return INTERVAL_MILLIS;
    }

    private void cannotBeRead(String why, Mailbox changes) {
        if (isFirst) {
            changes.put(new Publication.Unknown(why));
        }
        if (!why.equals(problem)) {
            problem = why;
            log.warn("highway: the policy's " + why + "; the active policy stays");
        }
    }

    private byte[] read() throws IOException {
        reading.begin();
        try {
            return LocalFileReader.readStart(file, MAX_READ);
        } finally {
            reading.end();
        }
    }

    private void report(byte[] content, Mailbox changes) {
        reported = content;
        readsSinceReport = 0;
        changes.put(new Publication.Content(new String(content, StandardCharsets.UTF_8), name()));
    }
}
