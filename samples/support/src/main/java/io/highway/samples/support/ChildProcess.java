// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.support;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/** A process of a sample. A Java process reports when it is ready; none outlives the process that started it. */
public final class ChildProcess {

    private static final String READY = "ready ";
    private static final int START_SECONDS = 60;
    private static final int END_SECONDS = 3;
    private static final int POLL_MILLIS = 20;
    private static final int LAST_LINES = 30;

    /**
     * Becomes the program, in a separate process group, and leaves a guard behind that reads what this process writes:
     * a line when the program has ended, or nothing because this process is gone, however it went. Then it ends the
     * group. It has no parent, so that the program has no child that it does not know. Gateways need a file for every
     * connection, as many as they may have.
     */
    private static final String GUARDED =
            """
            exec 3<&0
            ( (read ended || { kill -TERM $$; sleep 1; kill -KILL -$$; }) <&3 >/dev/null 2>&1 & )
            ulimit -Hn 65536 2>/dev/null
            ulimit -n "$(ulimit -Hn)"
            exec setsid "$@" 3<&- </dev/null
            """;

    private final String name;
    private final Process process;
    private final Path log;
    private final boolean group;
    private final CompletableFuture<String> ready = new CompletableFuture<>();

    private ChildProcess(String name, Process process, Path log, boolean group) {
        this.name = name;
        this.process = process;
        this.log = log;
        this.group = group;
        Thread reader = new Thread(this::readOutput, name + "-output");
        reader.setDaemon(true);
        reader.start();
    }

    /** Starts {@code main}; what it prints is in {@code <folder>/<name>.log}. */
    static ChildProcess start(
            String name,
            Path folder,
            Place place,
            List<String> options,
            String classPath,
            String main,
            String... arguments) {
        List<String> command = new ArrayList<>(place.command());
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m"));
        for (String own : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            if (own.startsWith("-Djdk.net.hosts.file=")
                    || own.startsWith("-Ddubbo.")
                    || own.startsWith("-XX:TieredStopAtLevel=") // a benchmark compiles as well as it can
                    || own.startsWith("--add-opens")) {
                command.add(own);
            }
        }
        command.addAll(place.options());
        command.addAll(options);
        command.addAll(List.of("-cp", classPath, main));
        command.addAll(List.of(arguments));
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            return new ChildProcess(name, process, folder.resolve(name + ".log"), false);
        } catch (IOException e) {
            throw new IllegalStateException("cannot start " + name, e);
        }
    }

    /** Starts a program that is not Java; what it prints is in {@code <folder>/<name>.log}. It must not detach itself. */
    static ChildProcess startProgram(String name, Path folder, Place place, List<String> program) {
        List<String> command = new ArrayList<>(List.of("sh", "-c", GUARDED, "sh"));
        command.addAll(place.command());
        command.addAll(program);
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            return new ChildProcess(name, process, folder.resolve(name + ".log"), true);
        } catch (IOException e) {
            throw new IllegalStateException("cannot start " + name, e);
        }
    }

    /** In the child: reports that it is ready, and what the others need to know, such as its port. */
    public static void ready(String what) {
        System.out.println(READY + what);
    }

    /**
     * In the child, first thing: ends it at once when its input does, which is when the parent is gone, however it went;
     * and when its main method fails, whatever threads there are by then.
     */
    public static void endWithParent() {
        Thread.currentThread().setUncaughtExceptionHandler((main, failure) -> {
            failure.printStackTrace();
            System.exit(1);
        });
        Thread watch = new Thread(
                () -> {
                    try {
                        System.in.transferTo(OutputStream.nullOutputStream());
                    } catch (IOException e) {
                        // as good as its end
                    }
                    Runtime.getRuntime().halt(0);
                },
                "end-with-parent");
        watch.setDaemon(true);
        watch.start();
    }

    /** To its end, so that the process never waits for a reader. */
    private void readOutput() {
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
                PrintWriter copy = new PrintWriter(Files.newBufferedWriter(log), true)) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                if (line.startsWith(READY)) {
                    ready.complete(line.substring(READY.length()));
                } else {
                    copy.println(line);
                }
            }
            ready.completeExceptionally(new IOException("it ended"));
            if (group) {
                awaitEnd(Integer.MAX_VALUE);
            }
        } catch (IOException e) {
            ready.completeExceptionally(e);
        }
    }

    /** Otherwise it could end another process with the same id. */
    private void dismissGuard() {
        try (OutputStream guard = process.getOutputStream()) {
            guard.write('\n');
        } catch (IOException e) {
            // dismissed already
        }
    }

    /** Waits until it is ready and returns its report. */
    String awaitReady() {
        return awaitReady(START_SECONDS);
    }

    /** Waits at most so many seconds until it is ready and returns its report. */
    String awaitReady(int seconds) {
        try {
            return ready.get(seconds, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException(notStarted(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /**
     * Waits until something listens on this port of 127.0.0.1, which is how a native program shows that it is ready.
     */
    void awaitPort(int port) {
        long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (!listens(port)) {
            if (!process.isAlive() || System.nanoTime() > giveUp) {
                throw new IllegalStateException(notStarted());
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(POLL_MILLIS));
        }
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private String notStarted() {
        return name + " did not start, see " + log + lastLines();
    }

    private String lastLines() {
        try {
            List<String> lines = Files.readAllLines(log);
            List<String> last = lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size());
            return last.isEmpty() ? ", which is empty" : ":\n  " + String.join("\n  ", last);
        } catch (IOException e) {
            return ", which cannot be read: " + e;
        }
    }

    /** Ends it at once, as {@code kill -9} does: it can neither report nor save anything. */
    void kill() {
        if (group && process.isAlive()) {
            signalAll("KILL");
        }
        process.destroyForcibly();
        awaitEnd();
    }

    /** Sends it a signal by name, such as {@code HUP}; processes it has started itself do not get it. */
    void signal(String signal) {
        send(signal, String.valueOf(process.pid()));
    }

    /** Sends a signal, such as {@code STOP} and {@code CONT}, to it and to all that a native program has started. */
    void signalAll(String signal) {
        send(signal, (group ? "-" : "") + process.pid());
    }

    private void send(String signal, String to) {
        try {
            int exit = new ProcessBuilder("kill", "-" + signal, "--", to)
                    .inheritIO()
                    .start()
                    .waitFor();
            if (exit != 0) {
                throw new IllegalStateException("kill -" + signal + " of " + name + " ended with " + exit);
            }
        } catch (IOException e) {
            throw new IllegalStateException("cannot signal " + name, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Asks it to end. */
    void end() {
        process.destroy();
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    int exitCode() {
        return process.exitValue();
    }

    /** Waits until it has ended; after a few seconds it must. */
    void awaitEnd() {
        awaitEnd(END_SECONDS);
    }

    /** Waits until it has ended; after so many seconds it must. */
    void awaitEnd(int seconds) {
        try {
            if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
                if (group) {
                    signalAll("KILL");
                }
                process.destroyForcibly().waitFor();
            }
            if (group) {
                dismissGuard();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
