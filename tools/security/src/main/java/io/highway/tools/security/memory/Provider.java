// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security.memory;

import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.processes.Processes;
import io.highway.tools.security.star.Bankside;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A provider with a heap of 512 MB in a separate process. */
final class Provider implements AutoCloseable {

    /** The peer that must sign, where anything must. */
    static final String GATEWAY = "127.0.0.7";

    /** Also the limit of direct memory, in MB. */
    private static final int HEAP = 512;

    /** What Netty's pool takes at a time. */
    private static final int CHUNK_MB = 4;

    static final String KEY = "zhejiang-2026";

    private final Processes processes;
    private final Path folder;
    private final String name;
    private final int port = FreePorts.next();

    /** The highest use so far, in MB. */
    record Peaks(int heap, int direct) {}

    /**
     * Starts it.
     *
     * @param name of the files about it
     * @param guarded whether it requires signatures of {@link #GATEWAY}
     */
    Provider(Path folder, String name, Cell cell, boolean sdk, boolean guarded, List<String> keys) throws IOException {
        this.folder = folder;
        this.name = name;
        for (Path file : List.of(peaks(), outOfMemory())) {
            Files.deleteIfExists(file);
        }
        this.processes = new Processes(folder);
        List<String> options = new ArrayList<>(cell.options());
        options.addAll(List.of("-Xmx" + HEAP + "m", "-XX:-UseSerialGC", "-XX:+UseG1GC", "-Dsecurity.level=WARN"));
        options.add("-XX:OnOutOfMemoryError=touch " + outOfMemory());
        options.add("-Daudit.file=" + folder.resolve(name + ".audit"));
        if (sdk) {
            options.add("-Dhighway.island=shanghai");
        }
        if (sdk && guarded) {
            options.add("-Dhighway.guard.require=signature");
            options.add("-Dhighway.guard.gateways=" + GATEWAY);
            options.add("-Dhighway.sign.accept." + KEY + "=" + Bankside.secret(KEY));
            options.add("-Dhighway.sign.accept-from." + KEY + "=zhejiang/*");
        }
        if (sdk) {
            keys.forEach(key -> options.add("-Dhighway." + key));
        }
        processes.start(
                name, options, cell.classPath(sdk), StoreProcess.class, cell.protocol(), port, peaks().toString());
        processes.ready(name);
    }

    private Path peaks() {
        return folder.resolve(name + ".peaks");
    }

    private Path outOfMemory() {
        return folder.resolve(name + ".out-of-memory");
    }

    int port() {
        return port;
    }

    boolean isAlive() {
        return processes.isAlive(name);
    }

    Peaks highest() throws IOException {
        String[] peaks = Files.readString(peaks()).split(" ", -1);
        return new Peaks(Integer.parseInt(peaks[0]), Integer.parseInt(peaks[1]));
    }

    /**
     * Whether the virtual machine threw it, or for direct memory: Dubbo 3.2 does not log that, but there is no room for
     * another chunk then.
     */
    boolean wasOutOfMemory() throws IOException {
        if (Files.exists(outOfMemory()) || highest().direct() > HEAP - CHUNK_MB - 1) {
            return true;
        }
        try (Stream<String> lines = Files.lines(folder.resolve(name + ".log"))) {
            return lines.anyMatch(line -> line.contains("OutOfMemoryError") || line.contains("OutOfDirectMemoryError"));
        }
    }

    @Override
    public void close() {
        if (isAlive()) {
            processes.kill(name); // out of memory, it could take its time
        }
        processes.close();
    }
}
