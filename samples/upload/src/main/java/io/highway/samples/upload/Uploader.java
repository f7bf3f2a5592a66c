// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.upload;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.LongConsumer;
import org.apache.dubbo.common.stream.StreamObserver;
import org.apache.dubbo.rpc.RpcException;
import org.jspecify.annotations.Nullable;

/**
 * Uploads a file, and continues after each failure with what is not stored yet. At most {@link #WINDOW} bytes are
 * between the file and the other island: Dubbo's streams accept as much as they are given and keep it in memory.
 */
public final class Uploader {

    /** The size of a part. */
    static final int PART = 64 * 1024;

    /** Bytes that were sent and are not stored yet, at most: more than a link of 100 Mbit/s carries in 80 ms. */
    static final int WINDOW = 16 * PART;

    /** So long without a part that is stored, and the stream counts as cut. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final Duration PAUSE = Duration.ofMillis(200);

    private final FileService files;
    private final int attempts;

    /**
     * Creates an uploader.
     *
     * @param attempts how often in a row it tries without any progress
     */
    public Uploader(FileService files, int attempts) {
        this.files = files;
        this.attempts = attempts;
    }

    /**
     * Uploads a file.
     *
     * @param progress receives how many bytes are stored
     * @return how often it continued after a failure
     * @throws IOException if the file cannot be read, does not arrive, or changed meanwhile
     */
    public int upload(Path file, LongConsumer progress) throws IOException, InterruptedException {
        String sha256 = Checksum.of(file);
        int continued = 0;
        int failures = 0;
        long before = -1;
        while (true) {
            try (FileChannel content = FileChannel.open(file)) {
                long stored = files.stored(sha256);
                progress.accept(stored);
                failures = stored > before ? 0 : failures;
                before = Math.max(before, stored);
                new Stream(sha256, stored, progress).send(content);
                if (!files.finish(sha256)) {
                    throw new IOException(file + " arrived with another checksum");
                }
                return continued;
            } catch (RpcException | CutException e) {
                continued++;
                if (++failures == attempts) {
                    throw new IOException(file + " was not uploaded after " + attempts + " attempts in a row", e);
                }
                Thread.sleep(PAUSE.toMillis());
            }
        }
    }

    /** A stream ended before the file did. */
    private static final class CutException extends Exception {

        private static final long serialVersionUID = 1L;

        CutException(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }

    /** One stream: the parts on their way, and the confirmations of those that are stored. */
    private final class Stream implements StreamObserver<Long> {

        private final String sha256;
        private final LongConsumer progress;
        private long sent;
        private long stored;
        private boolean completed;
        private @Nullable Throwable failure;

        Stream(String sha256, long stored, LongConsumer progress) {
            this.sha256 = sha256;
            this.progress = progress;
            this.sent = stored;
            this.stored = stored;
        }

        void send(FileChannel file) throws IOException, InterruptedException, CutException {
            long size = file.size();
            StreamObserver<FilePart> parts = files.upload(this);
            try {
                while (sent < size) {
                    awaitRoom();
                    byte[] content = read(file);
                    parts.onNext(new FilePart(sha256, sent, content));
                    sent += content.length;
                }
                parts.onCompleted();
                awaitEnd(size);
            } catch (IllegalStateException e) { // Dubbo's stream has ended meanwhile
                throw new CutException("the stream has ended", e);
            } catch (IOException | InterruptedException | CutException e) {
                cancel(parts, e);
                throw e;
            }
        }

        private void cancel(StreamObserver<FilePart> parts, Exception why) {
            try {
                parts.onError(why);
            } catch (RuntimeException e) {
                // it has ended already
            }
        }

        private byte[] read(FileChannel file) throws IOException {
            ByteBuffer part = ByteBuffer.allocate(PART);
            int read = file.read(part, sent);
            if (read < 0) {
                throw new IOException("the file has become shorter");
            }
            return Arrays.copyOf(part.array(), read);
        }

        private synchronized void awaitRoom() throws InterruptedException, CutException {
            while (failure == null && sent - stored > WINDOW - PART) {
                awaitNews();
            }
            requireAlive();
        }

        private synchronized void awaitEnd(long size) throws InterruptedException, CutException {
            while (failure == null && !completed) {
                awaitNews();
            }
            requireAlive();
            if (stored < size) {
                throw new CutException("the stream ended at " + stored + " of " + size + " bytes", null);
            }
        }

        private void awaitNews() throws InterruptedException, CutException {
            long before = stored;
            boolean ended = completed;
            long end = System.nanoTime() + PATIENCE.toNanos();
            while (failure == null && stored == before && completed == ended) {
                long millis = (end - System.nanoTime()) / 1_000_000;
                if (millis <= 0) {
                    throw new CutException("no part was stored for " + PATIENCE.toSeconds() + " s", null);
                }
                wait(millis);
            }
        }

        private void requireAlive() throws CutException {
            Throwable cut = failure;
            if (cut != null) {
                throw new CutException("the stream was cut: " + cut.getMessage(), cut);
            }
        }

        @Override
        public void onNext(Long storedNow) {
            synchronized (this) {
                stored = Math.max(stored, storedNow);
                notifyAll();
            }
            progress.accept(storedNow);
        }

        @Override
        public synchronized void onError(Throwable cut) {
            failure = cut;
            notifyAll();
        }

        @Override
        public synchronized void onCompleted() {
            completed = true;
            notifyAll();
        }
    }
}
