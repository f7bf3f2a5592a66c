// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security.memory;

import io.highway.tools.processes.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A separate process with a heap of 512 MB. */
class SmallHeap implements AutoCloseable {

    /** Also the limit of direct memory, in MB. */
    private static final int HEAP = 512;

    /** What Netty's pool takes at a time. */
    private static final int CHUNK_MB = 4;

    final Processes processes;
    final Path folder;
    final String name;

    /**
     * Of the process.
     *
     * @param heap the highest use so far, in MB
     * @param direct the same of direct memory
     */
    record Health(boolean outOfMemory, boolean alive, int heap, int direct) {}

    /** Starts nothing yet; files of an earlier run with these ends are deleted. */
    SmallHeap(Path folder, String name, String... ends) throws IOException {
        this.folder = folder;
        this.name = name;
        this.processes = new Processes(folder);
        for (String end : ends) {
            Files.deleteIfExists(file(end));
        }
        Files.deleteIfExists(peaks());
        Files.deleteIfExists(outOfMemory());
    }

    /**
     * Starts it.
     *
     * @param more options of the virtual machine
     * @param main its main class, whose first argument is the file for {@link StoreProcess#watch}
     */
    final void start(Cell cell, boolean sdk, List<String> more, Class<?> main, Object... arguments) {
        List<String> options = new ArrayList<>(cell.options());
        options.addAll(List.of("-Xmx" + HEAP + "m", "-XX:-UseSerialGC", "-XX:+UseG1GC", "-Dsecurity.level=WARN"));
        options.add("-XX:OnOutOfMemoryError=touch " + outOfMemory());
        options.add("-Daudit.file=" + file(".audit"));
        options.addAll(more);
        Object[] all = Stream.concat(Stream.of(peaks()), Stream.of(arguments)).toArray();
        processes.start(name, options, cell.classPath(sdk), main.getName(), all);
    }

    /** Waits at most so many seconds for what it reports as ready. */
    final String ready(int seconds) {
        return processes.ready(name, seconds);
    }

    /** One of its files. */
    final Path file(String end) {
        return folder.resolve(name + end);
    }

    final Path peaks() {
        return file(".peaks");
    }

    private Path outOfMemory() {
        return file(".out-of-memory");
    }

    final boolean isAlive() {
        return processes.get(name).isAlive();
    }

    /** Whether it has ended, or its heap was too small. */
    final boolean hasFailed() {
        return !isAlive() || Files.exists(outOfMemory());
    }

    /**
     * How it is now. Out of memory is what the virtual machine threw, or for direct memory: Dubbo 3.2 does not log that, but
     * there is no room for another chunk then.
     */
    final Health health() throws IOException {
        String[] peaks = Files.readString(peaks()).split(" ", -1);
        int direct = Integer.parseInt(peaks[1]);
        boolean isOut = Files.exists(outOfMemory()) || direct > HEAP - CHUNK_MB - 1;
        try (Stream<String> lines = Files.lines(file(".log"))) {
            isOut |= lines.anyMatch(
                    line -> line.contains("OutOfMemoryError") || line.contains("OutOfDirectMemoryError"));
        }
        return new Health(isOut, isAlive(), Integer.parseInt(peaks[0]), direct);
    }

    @Override
    public final void close() {
        if (isAlive()) {
            processes.get(name).kill(); // out of memory, it could take its time
        }
        processes.close();
    }
}
