// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.upload;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.regex.Pattern;
import org.apache.dubbo.common.stream.StreamObserver;

/** Files in a folder; those that are not complete end with {@code .part}. Thread-safe. */
public final class StoredFiles implements FileService {

    private static final Pattern SHA_256 = Pattern.compile("[0-9a-f]{64}");

    private final Path folder;

    public StoredFiles(Path folder) {
        this.folder = folder;
    }

    @Override
    public synchronized long stored(String sha256) {
        try {
            Path complete = complete(sha256);
            Path part = part(sha256);
            return Files.exists(complete) ? Files.size(complete) : Files.exists(part) ? Files.size(part) : 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Appends what continues the file. After a cut, parts of the old stream may still arrive beside those of the new
     * one: what is stored already is left out.
     *
     * @return how many bytes are stored now
     * @throws IllegalArgumentException if there is a gap before the part
     */
    synchronized long append(FilePart part) {
        long stored = stored(part.sha256());
        long end = part.offset() + part.content().length;
        if (part.offset() < 0 || part.offset() > stored) {
            throw new IllegalArgumentException(
                    "the part begins at " + part.offset() + ", and " + stored + " are stored");
        }
        if (end <= stored) {
            return stored;
        }
        int known = (int) (stored - part.offset());
        try (FileChannel file =
                FileChannel.open(part(part.sha256()), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            ByteBuffer rest = ByteBuffer.wrap(part.content(), known, part.content().length - known);
            for (long at = stored; rest.hasRemaining(); ) {
                at += file.write(rest, at);
            }
            return end;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public StreamObserver<FilePart> upload(StreamObserver<Long> stored) {
        return new StreamObserver<>() {
            private boolean failed;

            @Override
            public void onNext(FilePart part) {
                if (failed) {
                    return;
                }
                try {
                    stored.onNext(append(part));
                } catch (IllegalArgumentException | UncheckedIOException e) {
                    failed = true;
                    stored.onError(e);
                }
            }

            @Override
            public void onError(Throwable cut) {
                // what is stored stays; the next stream continues there
            }

            @Override
            public void onCompleted() {
                stored.onCompleted();
            }
        };
    }

    @Override
    public synchronized boolean finish(String sha256) {
        try {
            if (Files.exists(complete(sha256))) {
                return true; // the answer to an earlier call was lost
            }
            Path part = part(sha256);
            if (!Files.exists(part)) {
                return false;
            }
            if (Checksum.of(part).equals(sha256)) {
                Files.move(part, complete(sha256), StandardCopyOption.ATOMIC_MOVE);
                return true;
            }
            Files.delete(part);
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The name comes from the network, so it must not lead out of the folder. */
    private Path complete(String sha256) {
        if (!SHA_256.matcher(sha256).matches()) {
            throw new IllegalArgumentException("not a SHA-256");
        }
        return folder.resolve(sha256);
    }

    private Path part(String sha256) {
        return folder.resolve(complete(sha256).getFileName() + ".part");
    }
}
