// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.scale;

import com.alibaba.fastjson2.JSON;
import com.sun.management.OperatingSystemMXBean;
import io.highway.tools.benchmarks.measure.Spread;
import io.highway.tools.processes.ChildProcess;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** The measured process. It reports {@link Figures} and then keeps its connections until it is ended. */
public final class CallerProcess {

    private static final int COLLECTIONS = 3;
    private static final double NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private CallerProcess() {}

    /** The argument is a {@link Task} in JSON. */
    public static void main(String[] arguments) throws InterruptedException, ExecutionException {
        ChildProcess.endWithParent();
        Task task = JSON.parseObject(arguments[0], Task.class);
        List<Class<? extends AskedService>> types = Services.load(task.services());
        long processor = processorNanos();
        long begun = System.nanoTime();
        References references = new References(task, types);
        double startMillis = (System.nanoTime() - begun) / NANOS_PER_MILLI;
        double startProcessorMillis = (processorNanos() - processor) / NANOS_PER_MILLI;
        long heapStarted = usedHeap();
        Calls calls = new Calls(task);
        if (task.times() > 0) {
            calls.make(references.all());
            if (task.sdk()) {
                SdkSide.awaitGateways(references.application());
            }
        }
        int threads = ManagementFactory.getThreadMXBean().getThreadCount();
        long heapCalled = usedHeap();
        Figures figures = new Figures(
                startMillis,
                (references.firstAt() - begun) / NANOS_PER_MILLI,
                startProcessorMillis,
                heapStarted,
                heapCalled,
                threads,
                calls.answered(),
                calls.failed(),
                calls.firstFailure(),
                calls.firstMillis().isEmpty() ? 0 : calls.firstMillis().get(0),
                median(calls.firstMillis()),
                task.sdk() && task.times() > 0 ? HomeCalls.addedNanos(references.all()) : 0);
        ChildProcess.ready(JSON.toJSONString(figures));
        Thread.currentThread().join(); // until the process is ended
    }

    private static double median(List<Double> values) {
        return values.isEmpty() ? 0 : Spread.of(values).median();
    }

    private static long processorNanos() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    /** Bytes, after collections; the second and third see what the first has made unreachable. */
    private static long usedHeap() {
        for (int collection = 0; collection < COLLECTIONS; collection++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
