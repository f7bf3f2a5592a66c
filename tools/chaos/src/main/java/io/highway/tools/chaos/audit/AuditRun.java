// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos.audit;

import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.fixtures.time.Waiting;
import io.highway.tools.processes.Processes;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * Calls that end badly or never, on an audited provider: a filter throws an {@code Error} after the service ran, futures
 * never complete, streams are idle, callers leave, and the provider is killed. Every executed call has a line, or is
 * counted as lost, or was in flight at the kill.
 */
public final class AuditRun {

    private static final int ROUNDS = 300;
    private static final int KINDS = 3;
    private static final int STREAMS = 100;
    private static final int PACE_MILLIS = 5;
    /** An HTTP/2 client waits 10 s for its streams before it closes the connection. */
    private static final Duration SETTLE = Duration.ofSeconds(20);

    private static final int STEP_MILLIS = 100;
    private static final String NAME = "audited-provider";

    private final Path folder;
    private final PrintStream out;
    private final AtomicInteger inFlight = new AtomicInteger();
    private int calls;

    /** Runs nothing yet. */
    public AuditRun(Path folder, PrintStream out) {
        this.folder = folder;
        this.out = out;
    }

    /** What became of the calls so far. */
    private record Sum(long executed, long lines, long lost, long inFlight) {

        /** Calls that nothing explains. */
        long unexplained() {
            return Math.max(0, executed - lines - lost - inFlight);
        }

        /** Lines, or lines counted as lost, of calls that did not run. */
        long invented() {
            return Math.max(0, lines + lost - executed);
        }

        boolean isGood() {
            return unexplained() == 0 && invented() == 0;
        }
    }

    /** Prints a row before and after the kill and, as the last line, JSON; returns whether every call is explained. */
    public boolean run() throws IOException, InterruptedException {
        for (Path file : List.of(ledger(), lost(), log())) {
            Files.deleteIfExists(file);
        }
        int dubbo = FreePorts.next();
        int triple = FreePorts.next();
        try (Processes processes = new Processes(folder)) {
            processes.start(
                    NAME,
                    List.of(
                            "-Dhighway.island=shanghai",
                            "-Dhighway.audit.enabled=true",
                            "-Dorg.slf4j.simpleLogger.log.highway.audit=info"),
                    AuditedProcess.class,
                    dubbo,
                    triple,
                    ledger(),
                    lost().toString());
            processes.ready(NAME);
            for (String tunnel : List.of("dubbo", "triple")) {
                try (Caller caller = caller(tunnel, dubbo, triple)) {
                    load(caller, tunnel);
                } // it leaves
            }
            inFlight.set(0);
            Sum before = settled();
            print("callers have left", before);
            try (Caller first = caller("dubbo", dubbo, triple);
                    Caller second = caller("triple", dubbo, triple)) {
                load(first, "dubbo");
                load(second, "triple");
                int atTheKill = inFlight.get();
                processes.get(NAME).kill();
                Sum after = sum(atTheKill);
                print("provider killed", after);
                out.printf(
                        "{\"executed\":%d,\"lines\":%d,\"lost\":%d,\"in_flight_at_the_kill\":%d,\"unexplained\":%d}%n",
                        after.executed, after.lines, after.lost, atTheKill, after.unexplained());
                return before.isGood() && after.isGood();
            }
        }
    }

    private Caller caller(String tunnel, int dubbo, int triple) {
        return new Caller(tunnel, "shanghai.test:" + dubbo, "shanghai.test:" + triple, inFlight);
    }

    private void load(Caller caller, String tunnel) throws InterruptedException {
        for (int i = 0; tunnel.equals("triple") && i < STREAMS; i++) {
            caller.stream(calls++);
        }
        for (int i = 0; i < ROUNDS; i++) {
            caller.call(calls);
            calls += KINDS;
            TimeUnit.MILLISECONDS.sleep(PACE_MILLIS);
        }
    }

    /** Waits until every call is explained, or a while. */
    private Sum settled() throws IOException {
        return Waiting.value(SETTLE, STEP_MILLIS, () -> sum(0), sum -> sum.unexplained() == 0);
    }

    private Sum sum(int inFlightNow) throws IOException {
        try (Stream<String> executed = Files.lines(ledger());
                Stream<String> lines = Files.lines(log())) {
            return new Sum(
                    executed.count(),
                    lines.filter(line -> line.contains("\"event\":\"end\"")
                                    && line.contains("\"direction\":\"in\"")
                                    && line.contains("\"sent\":true"))
                            .count(),
                    Long.parseLong(Files.readString(lost())),
                    inFlightNow);
        }
    }

    private void print(String part, Sum sum) {
        out.printf(
                "%s: %d executed = %d lines + %d counted as lost + at most %d in flight; unexplained: %d, invented: %d%n",
                part, sum.executed, sum.lines, sum.lost, sum.inFlight, sum.unexplained(), sum.invented());
    }

    private Path ledger() {
        return folder.resolve("audited.ledger");
    }

    private Path lost() {
        return folder.resolve("audited.lost");
    }

    private Path log() {
        return folder.resolve(NAME + ".log");
    }
}
