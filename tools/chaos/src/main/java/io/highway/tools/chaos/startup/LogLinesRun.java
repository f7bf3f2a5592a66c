// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos.startup;

import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.processes.Processes;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** How many lines a process logs while the only gateway of its island is useless, in each of several ways. */
public final class LogLinesRun {

    private static final String GATEWAY = "gateway.zhejiang.test";
    private static final int MOST_LINES = 20;

    private final Path folder;
    private final int seconds;
    private final PrintStream out;
    private final Map<Useless, AtomicInteger> accepts = new EnumMap<>(Useless.class);

    private final Queue<Socket> silent = new ConcurrentLinkedQueue<>();

    private enum Useless {
        CLOSED,
        CLOSES,
        SILENT,
        REFUSES_TLS
    }

    /** Logs are written to the folder. */
    public LogLinesRun(Path folder, int seconds, PrintStream out) {
        this.folder = folder;
        this.seconds = seconds;
        this.out = out;
    }

    /** Prints the lines and accepted connections of each case; returns whether no case has too many lines. */
    public boolean run() throws IOException, InterruptedException {
        List<ServerSocket> listeners = new ArrayList<>();
        boolean good = true;
        try (Processes processes = new Processes(folder)) {
            Map<String, Useless> started = new LinkedHashMap<>();
            for (Useless way : Useless.values()) {
                int port = way == Useless.CLOSED ? FreePorts.next() : listen(way, listeners);
                for (String tunnel : List.of("dubbo", "triple")) {
                    String name = "lines-" + way.name().toLowerCase(Locale.ROOT) + "-" + tunnel;
                    start(processes, name, way, tunnel, port);
                    started.put(name, way);
                }
            }
            Map<String, Long> before = new HashMap<>();
            for (String name : started.keySet()) {
                processes.ready(name);
                before.put(name, lines(name));
            }
            accepts.values().forEach(count -> count.set(0));
            TimeUnit.SECONDS.sleep(seconds);
            for (Map.Entry<String, Useless> one : started.entrySet()) {
                long more = lines(one.getKey()) - before.getOrDefault(one.getKey(), 0L);
                good &= more < MOST_LINES;
                out.println(one.getKey() + ": " + more + " lines in " + seconds + " s");
            }
        } finally {
            for (ServerSocket listener : listeners) {
                listener.close();
            }
            for (Socket socket : silent) {
                socket.close();
            }
        }
        out.println("accepted connections of both tunnels in " + seconds + " s: " + accepts);
        return good;
    }

    private static void start(Processes processes, String name, Useless way, String tunnel, int port) {
        List<String> options = new ArrayList<>(List.of(
                "-Dhighway.island=zhejiang",
                "-Dhighway.gateways." + tunnel + "=" + GATEWAY + ":" + port,
                "-Dhighway.islands.shanghai.tunnel=" + tunnel));
        if (way == Useless.REFUSES_TLS) {
            options.add("-Dhighway.gateways.tls.enabled=true");
        }
        String home = "dubbo://zhejiang.test:" + FreePorts.next() + "?lazy=true";
        processes.start(name, options, ReferenceProcess.class, home);
    }

    private long lines(String name) throws IOException {
        try (Stream<String> lines = Files.lines(folder.resolve(name + ".log"))) {
            return lines.count();
        }
    }

    private int listen(Useless way, List<ServerSocket> listeners) throws IOException {
        ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        listeners.add(listener);
        AtomicInteger count = new AtomicInteger();
        accepts.put(way, count);
        Thread thread = new Thread(() -> accept(listener, way, count), "useless-gateway");
        thread.setDaemon(true);
        thread.start();
        return listener.getLocalPort();
    }

    private void accept(ServerSocket listener, Useless way, AtomicInteger count) {
        try {
            while (true) {
                Socket socket = listener.accept();
                count.incrementAndGet();
                if (way == Useless.REFUSES_TLS) {
                    socket.getOutputStream().write(new byte[] {0x15, 3, 3, 0, 2, 2, 40}); // handshake_failure
                }
                if (way == Useless.SILENT) {
                    silent.add(socket);
                } else {
                    socket.close();
                }
            }
        } catch (IOException e) {
            Thread.currentThread().interrupt(); // the run has ended
        }
    }
}
