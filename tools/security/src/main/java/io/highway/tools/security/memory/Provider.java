// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security.memory;

import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.fixtures.time.Waiting;
import io.highway.tools.gateways.NginxServer;
import io.highway.tools.processes.Processes;
import io.highway.tools.security.star.Bankside;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
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

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int STEP_MILLIS = 10;

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
     * @param more options of the virtual machine
     */
    Provider(Path folder, String name, Cell cell, boolean sdk, boolean guarded, List<String> more) throws IOException {
        this.folder = folder;
        this.name = name;
        for (Path file : List.of(peaks(), outOfMemory(), marks(), classes())) {
            Files.deleteIfExists(file);
        }
        this.processes = new Processes(folder);
        List<String> options = new ArrayList<>(cell.options());
        options.addAll(List.of("-Xmx" + HEAP + "m", "-XX:-UseSerialGC", "-XX:+UseG1GC", "-Dsecurity.level=WARN"));
        options.add("-XX:OnOutOfMemoryError=touch " + outOfMemory());
        options.add("-Daudit.file=" + folder.resolve(name + ".audit"));
        options.add("-Dmarks.file=" + marks());
        options.add("-Xlog:class+load:file=" + classes());
        if (sdk) {
            options.add("-Dhighway.island=shanghai");
        }
        if (cell.isHttp()) {
            options.add("-Dhighway.http.port=" + port);
        }
        if (sdk && guarded) {
            options.add("-Dhighway.guard.require=signature");
            options.add("-Dhighway.guard.gateways=" + GATEWAY);
            options.add("-Dhighway.sign.accept." + KEY + "=" + Bankside.secret(KEY));
            options.add("-Dhighway.sign.accept-from." + KEY + "=zhejiang/*");
        }
        options.addAll(more);
        int listening = cell.isHttp() ? FreePorts.next() : port;
        processes.start(
                name,
                options,
                cell.classPath(sdk),
                StoreProcess.class.getName(),
                cell.protocol(),
                listening,
                peaks().toString());
        processes.ready(name);
    }

    /** Starts nginx in front of it, whose connections come from {@link #GATEWAY}, and returns its port for a tunnel. */
    int startFront(Cell cell) throws IOException {
        int triple = FreePorts.next();
        int http = FreePorts.next();
        int dubbo = FreePorts.next();
        Map<String, String> values =
                Map.of(":50101", ":" + triple, ":50102", ":" + http, ":50103", ":" + dubbo, ":50201", ":" + port);
        NginxServer.find()
                .start(processes, name + "-front", folder, "security/decoding.conf", values, triple, http, dubbo);
        return cell.isTriple() ? triple : cell.isHttp() ? http : dubbo;
    }

    private Path peaks() {
        return folder.resolve(name + ".peaks");
    }

    private Path outOfMemory() {
        return folder.resolve(name + ".out-of-memory");
    }

    private Path marks() {
        return folder.resolve(name + ".marks");
    }

    private Path classes() {
        return folder.resolve(name + ".classes");
    }

    /** How often this is in its {@link Marks} so far. */
    int marks(String what) throws IOException {
        return Files.exists(marks()) ? Collections.frequency(Files.readAllLines(marks()), what) : 0;
    }

    /** Whether it has loaded a class. */
    boolean hasLoaded(Class<?> type) throws IOException {
        try (Stream<String> lines = Files.lines(classes())) {
            return lines.anyMatch(line -> line.contains(type.getName() + " "));
        }
    }

    /**
     * What it is busy with, and what is left on its heap.
     *
     * @param busy threads of Dubbo, Netty and the SDK that run
     * @param heap in KB, after a collection
     */
    record State(int busy, int heap) {}

    /** Its state now; nothing if it has ended. */
    State state() throws IOException {
        Path state = Path.of(peaks() + StoreProcess.STATE);
        Files.deleteIfExists(state);
        Files.createFile(Path.of(peaks() + StoreProcess.ASKED));
        boolean unused = Waiting.until(PATIENCE, STEP_MILLIS, () -> !isAlive() || Files.exists(state));
        if (!isAlive()) {
            return new State(0, 0);
        }
        String[] values = Files.readString(state).split(" ", -1);
        return new State(Integer.parseInt(values[0]), Integer.parseInt(values[1]));
    }

    int port() {
        return port;
    }

    boolean isAlive() {
        return processes.isAlive(name);
    }

    /** Whether it has ended, or its heap was too small. */
    boolean hasFailed() {
        return !isAlive() || Files.exists(outOfMemory());
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
