// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos.soak;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The resources of the consumers at one moment, with no call in flight.
 *
 * @param heapKilobytes after a garbage collection
 * @param threads alive, without those that watch the star's processes, and without those that will end by themselves
 * @param connections to the gateways, without those that this side has closed
 */
record Sample(int calls, long heapKilobytes, int threads, int connections) {

    /** As the kernel writes them: established, being opened, and closed by the other side only. */
    private static final Set<String> OPEN = Set.of("01", "02", "08");

    private static final int COLLECTIONS = 2;
    private static final int REMOTE_ADDRESS = 2;
    private static final int STATE = 3;
    private static final int HEXADECIMAL = 16;

    static Sample take(int calls, Set<Integer> gatewayPorts) throws IOException {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        return new Sample(calls, heap >> 10, lastingThreads(), connections(gatewayPorts));
    }

    /** How many there are of each name, numbers aside. */
    static Map<String, Long> threadNames() {
        return Thread.getAllStackTraces().keySet().stream()
                .collect(Collectors.groupingBy(
                        thread -> thread.getName().replaceAll("\\d+", "#"), TreeMap::new, Collectors.counting()));
    }

    private static int lastingThreads() {
        return (int) Thread.getAllStackTraces().entrySet().stream()
                .filter(thread -> !thread.getKey().getName().startsWith("process reaper"))
                .filter(thread -> !thread.getKey().getName().endsWith("-output"))
                .filter(thread -> !endsByItself(thread.getValue()))
                .count();
    }

    /** Whether it is an idle thread of a pool that waits with a time limit: their number follows the last minute's bursts. */
    private static boolean endsByItself(StackTraceElement[] stack) {
        return has(stack, "getTask") && has(stack, "poll");
    }

    private static boolean has(StackTraceElement[] stack, String method) {
        return Stream.of(stack).anyMatch(frame -> frame.getMethodName().equals(method));
    }

    /** Linux only; 0 elsewhere. */
    private static int connections(Set<Integer> gatewayPorts) throws IOException {
        int count = 0;
        for (Path table : Stream.of("/proc/self/net/tcp", "/proc/self/net/tcp6")
                .map(Path::of)
                .filter(Files::exists)
                .toList()) {
            try (Stream<String> lines = Files.lines(table)) {
                count += (int) lines.skip(1)
                        .map(line -> line.trim().split("\\s+", -1))
                        .filter(columns -> OPEN.contains(columns[STATE]))
                        .filter(columns -> gatewayPorts.contains(port(columns[REMOTE_ADDRESS])))
                        .count();
            }
        }
        return count;
    }

    private static int port(String address) {
        return Integer.parseInt(address.substring(address.indexOf(':') + 1), HEXADECIMAL);
    }
}
