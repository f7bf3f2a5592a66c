// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.files;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Reads files that the static configuration names: regular ones only, since a pipe or a device may have no end, and up
 * to a size.
 */
public final class LocalFile {

    /** The longest time of a read, milliseconds. */
    public static final long LIMIT_MILLIS = 10_000;

    private LocalFile() {}

    /**
     * Reads a file on the calling thread.
     *
     * @throws IOException if it is not a regular file, has more bytes, or cannot be read
     */
    public static byte[] read(Path file, int most) throws IOException {
        requireRegular(file);
        try (InputStream in = Files.newInputStream(file)) {
            byte[] content = in.readNBytes(most + 1);
            if (content.length > most) {
                throw new IOException(file + " has more than " + most + " bytes");
            }
            return content;
        }
    }

    /** Passes for a missing file, which the read reports. */
    public static void requireRegular(Path file) throws IOException {
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new IOException(file + " is not a regular file");
        }
    }

    /** As {@link #inTime(Callable)}, of {@link #read}. */
    public static byte[] readInTime(Path file, int most) throws IOException {
        return inTime(() -> read(file, most));
    }

    /**
     * Reads on another thread, which ends with the read: a file system that does not answer, such as a lost mount, must
     * not stop the thread that starts the application.
     *
     * @throws IOException if it takes more than ten seconds, or the read throws it
     */
    public static <T> T inTime(Callable<T> read) throws IOException {
        return inTime(read, LIMIT_MILLIS);
    }

    /** As {@link #inTime(Callable)}, with another limit. */
    public static <T> T inTime(Callable<T> read, long millis) throws IOException {
        FutureTask<T> task = new FutureTask<>(read);
        Thread reader = new Thread(task, "highway-file");
        reader.setDaemon(true);
        reader.start();
        try {
            return task.get(millis, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new IOException("no answer within " + millis + " ms", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException problem ? problem : new IOException("not read", e.getCause());
        }
    }
}
