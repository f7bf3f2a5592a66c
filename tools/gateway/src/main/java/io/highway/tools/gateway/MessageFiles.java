// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway;

import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Recorded messages, one in each file {@code <directory>/<island>/<number>-<kind>}. The limits include what earlier
 * processes have recorded. Messages are added on the event loop and written on another thread.
 */
final class MessageFiles implements AutoCloseable {

    /** Longer messages are left out: a dictionary hardly shortens them. */
    static final int LONGEST = 128 << 10;

    private static final Logger log = LoggerFactory.getLogger(MessageFiles.class);
    private static final long MOST_BYTES = 64 << 20;
    private static final int LAST_WRITES_SECONDS = 10;

    private final Path directory;
    private final int most;
    private final ExecutorService writer =
            Executors.newSingleThreadExecutor(new DefaultThreadFactory("gateway-record", true));
    private int messages;
    private long bytes;
    private volatile boolean failed;

    /**
     * Creates the directory, for this user only.
     *
     * @throws IllegalArgumentException if it cannot be used
     */
    MessageFiles(RecordSpec spec) {
        this.directory = spec.directory().toAbsolutePath();
        this.most = spec.messages();
        try {
            Files.createDirectories(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            count();
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "record.directory: '" + spec.directory() + "' cannot be used: " + e + "; write a directory", e);
        }
        log.warn(
                "recording at most {} messages in {}: they contain application data; delete them after the training",
                most,
                directory);
    }

    private void count() throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            List<Path> files = all.filter(Files::isRegularFile).toList();
            messages = files.size();
            for (Path file : files) {
                bytes += Files.size(file);
            }
        }
    }

    boolean isFull() {
        return failed || messages >= most || bytes >= MOST_BYTES;
    }

    /** Writes it soon, unless a limit is reached. The island must have been checked: it is part of the path. */
    void add(String island, String kind, byte[] message) {
        if (isFull()) {
            return;
        }
        messages++;
        bytes += message.length;
        Path file = directory.resolve(island).resolve("%06d-%s".formatted(messages, kind));
        writer.execute(() -> write(file, message));
        if (isFull()) {
            log.info("recorded {} messages with {} bytes in {}; recording ends", messages, bytes, directory);
        }
    }

    private void write(Path file, byte[] message) {
        try {
            Files.createDirectories(file.getParent());
            Files.write(file, message, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        } catch (IOException e) {
            if (!failed) {
                log.warn("cannot record {}; recording ends", file, e);
            }
            failed = true;
        }
    }

    @Override
    public void close() {
        writer.shutdown();
        try {
            if (!writer.awaitTermination(LAST_WRITES_SECONDS, TimeUnit.SECONDS)) {
                log.warn("not all messages are recorded in {}: it took more than {} s", directory, LAST_WRITES_SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
