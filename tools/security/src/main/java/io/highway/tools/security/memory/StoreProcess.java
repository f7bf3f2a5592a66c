// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security.memory;

import io.highway.tools.processes.DubboProvider;
import io.highway.tools.processes.Folders;
import io.highway.tools.security.service.StoreService;
import io.netty.util.internal.PlatformDependent;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;

/**
 * The provider, as plain Dubbo: it runs with and without the SDK on its class path, on both lines of Dubbo. It writes the
 * highest use of the heap and of direct memory to a file, in MB.
 */
final class StoreProcess {

    /** Ends of the names of files: one that asks for its state, and its state. */
    static final String ASKED = ".asked";

    static final String STATE = ".state";

    private static final Pattern WORKERS = Pattern.compile("(?i)netty|dubbo|nio|highway|http");
    private static final Pattern WAITING = Pattern.compile("(?i)epoll|selector|\\.park\\(|Object\\.wait");

    private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private StoreProcess() {}

    /** Arguments: the file, the protocol, and its port. */
    public static void main(String[] arguments) {
        new DubboProvider("store", "shanghai.test")
                .listen(arguments[1], arguments[2], protocol -> {})
                .export(StoreService.class, new Store())
                .start("store");
        watch(arguments[0]); // until the process is ended
    }

    private static final class Store implements StoreService {

        @Override
        public String store(byte[] bytes) {
            return String.valueOf(bytes.length);
        }

        @Override
        public String ping(String text) {
            return text;
        }

        @Override
        public String keep(Object value) {
            Marks.add(Marks.EXECUTED);
            return "kept";
        }

        @Override
        public String keep(Object value, String name) {
            return keep(value);
        }
    }

    /** Threads of Dubbo, Netty and the SDK that run, other than those that wait for the network. */
    private static long busy() {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(thread -> thread.getKey().getState() == Thread.State.RUNNABLE)
                .filter(thread -> WORKERS.matcher(thread.getKey().getName()).find())
                .filter(thread -> thread.getValue().length > 0
                        && !WAITING.matcher(thread.getValue()[0].toString()).find())
                .count();
    }

    /** Writes the highest use of memory to a file, and the state on demand; it does not return. */
    static void watch(String name) {
        Path file = Path.of(name);
        Path asked = Path.of(name + ASKED);
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        BufferPoolMXBean buffers = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .findFirst()
                .orElseThrow();
        long heap = 0;
        long direct = 0;
        while (true) {
            long heapNow = memory.getHeapMemoryUsage().getUsed() >> 20;
            long directNow = (Math.max(0, PlatformDependent.usedDirectMemory()) + buffers.getMemoryUsed()) >> 20;
            if (heapNow > heap || directNow > direct) {
                heap = Math.max(heap, heapNow);
                direct = Math.max(direct, directNow);
                Folders.replace(file, heap + " " + direct);
            }
            if (asked.toFile().delete()) {
                long busy = busy();
                System.gc();
                Folders.replace(
                        Path.of(name + STATE),
                        busy + " " + (memory.getHeapMemoryUsage().getUsed() >> 10));
            }
            LockSupport.parkNanos(STEP_NANOS);
        }
    }
}
