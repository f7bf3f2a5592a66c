// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security.memory;

import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.fixtures.time.Waiting;
import io.highway.tools.gateways.NginxServer;
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
final class Provider extends SmallHeap {

    /** The peer that must sign, where anything must. */
    static final String GATEWAY = "127.0.0.7";

    static final String KEY = "zhejiang-2026";

    private static final String MARKS = ".marks";
    private static final String CLASSES = ".classes";
    private static final int START_SECONDS = 60;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int STEP_MILLIS = 10;

    private final int port = FreePorts.next();

    /**
     * Starts it.
     *
     * @param name of the files about it
     * @param guarded whether it requires signatures of {@link #GATEWAY}
     * @param more options of the virtual machine
     */
    Provider(Path folder, String name, Cell cell, boolean sdk, boolean guarded, List<String> more) throws IOException {
        super(folder, name, MARKS, CLASSES);
        List<String> options = new ArrayList<>();
        options.add("-Dmarks.file=" + file(MARKS));
        options.add("-Xlog:class+load:file=" + file(CLASSES));
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
        start(cell, sdk, options, StoreProcess.class, cell.protocol(), listening);
        String unused = ready(START_SECONDS);
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

    /** How often this is in its {@link Marks} so far. */
    int marks(String what) throws IOException {
        return Files.exists(file(MARKS)) ? Collections.frequency(Files.readAllLines(file(MARKS)), what) : 0;
    }

    /** Whether it has loaded a class. */
    boolean hasLoaded(Class<?> type) throws IOException {
        try (Stream<String> lines = Files.lines(file(CLASSES))) {
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
}
