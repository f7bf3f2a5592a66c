// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.kit;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.highway.tools.processes.ChildProcess;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** Runs test classes one after the other, as a build tool does, and prints a {@link ClassRun} for each. */
final class TestRun {

    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

    private static final Path NETWORK = Path.of("/proc/self/net");

    /** Its column there. */
    private static final int INODE = 9;

    /** The JDK's timer, which is started once in a process and never ends. */
    private static final String TIMER = "CompletableFutureDelayScheduler";

    private TestRun() {}

    /** With the names of the classes. */
    public static void main(String[] classes) throws Exception {
        ChildProcess.endWithParent();
        Launcher launcher = LauncherFactory.create();
        for (int i = 0; i < classes.length; i++) {
            System.out.println(run(launcher, Class.forName(classes[i])));
            if (i + 1 == RealSockets.WARM_UP || i + 1 == classes.length) {
                System.out.println(Settled.now());
            }
        }
        ChildProcess.ready("ran all classes"); // who reads that has read all before it
        System.exit(0);
    }

    private static ClassRun run(Launcher launcher, Class<?> type) throws IOException {
        Set<Thread> before = threads();
        long begun = System.nanoTime();
        SummaryGeneratingListener summary = new SummaryGeneratingListener();
        Sockets sockets = new Sockets();
        launcher.execute(
                LauncherDiscoveryRequestBuilder.request()
                        .selectors(selectClass(type))
                        .build(),
                summary,
                sockets);
        long end = System.nanoTime();
        Set<Thread> left = threads();
        left.removeAll(before);
        left.removeIf(thread -> thread.getName().equals(TIMER));
        left.forEach(thread -> System.out.println("left: " + thread));
        summary.getSummary().printFailuresTo(new PrintWriter(System.out, true, StandardCharsets.UTF_8));
        return new ClassRun(
                summary.getSummary().getTestsFoundCount(),
                summary.getSummary().getTestsSucceededCount(),
                (end - begun - sockets.nanos) / 1_000_000,
                System.currentTimeMillis()
                        - ManagementFactory.getRuntimeMXBean().getStartTime(),
                left.size(),
                sockets.most);
    }

    static Set<Thread> threads() {
        return new HashSet<>(Thread.getAllStackTraces().keySet());
    }

    /** What the open descriptors of this process refer to. */
    static List<String> descriptors() throws IOException {
        try (Stream<Path> open = Files.list(DESCRIPTORS)) {
            return open.map(TestRun::target).toList();
        }
    }

    /** The sockets among them that have an address of the network: the JDK has others. */
    private static long sockets() throws IOException {
        Set<String> addressed = new HashSet<>();
        for (String protocol : List.of("tcp", "tcp6", "udp", "udp6")) {
            Files.readAllLines(NETWORK.resolve(protocol)).stream()
                    .skip(1)
                    .map(line -> "socket:[" + line.strip().split(" +", -1)[INODE] + "]")
                    .forEach(addressed::add);
        }
        return descriptors().stream().filter(addressed::contains).count();
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException e) {
            return ""; // closed meanwhile
        }
    }

    /** The most sockets that were open at the end of a test, before its class has closed anything. */
    private static final class Sockets implements TestExecutionListener {

        private long most;

        /** What counting takes. */
        private long nanos;

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            long begun = System.nanoTime();
            try {
                most = Math.max(most, sockets());
            } catch (IOException e) {
                throw new IllegalStateException("no " + NETWORK, e);
            }
            nanos += System.nanoTime() - begun;
        }
    }
}
