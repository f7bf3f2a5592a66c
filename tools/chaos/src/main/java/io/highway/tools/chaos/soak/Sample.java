// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos.soak;

import io.highway.tools.fixtures.ports.TcpConnection;
import java.io.IOException;
import java.lang.management.ManagementFactory;
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
        return (int) TcpConnection.all().stream()
                .filter(one -> OPEN.contains(one.state()) && gatewayPorts.contains(one.remotePort()))
                .count();
    }
}
