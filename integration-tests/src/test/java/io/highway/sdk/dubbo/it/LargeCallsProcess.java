// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.dubbo.rpc.RpcContext;

/** A consumer in a separate process, which makes many large asynchronous calls to shanghai as fast as it can. */
final class LargeCallsProcess {

    private static final int SIZE = 200 << 10;
    /** The peak of the memory outside of the heap, MB. */
    static final String PEAK = "peak";

    private LargeCallsProcess() {}

    /** Runs it with so little memory; returns how many calls ended how, and the {@link #PEAK}. */
    static Map<String, Integer> run(String memory, int calls, Map<String, String> properties)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx" + memory,
                "-Djdk.net.hosts.file=" + System.getProperty("jdk.net.hosts.file"),
                "-cp",
                System.getProperty("java.class.path"),
                LargeCallsProcess.class.getName(),
                String.valueOf(calls)));
        properties.forEach((key, value) -> command.add(key + "=" + value));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new AssertionError("the process has died: " + output);
            }
            return output.lines()
                    .filter(line -> line.startsWith("ended "))
                    .map(line -> line.substring("ended ".length()).split("=", 2))
                    .collect(Collectors.toMap(
                            pair -> pair[0], pair -> Integer.valueOf(pair[1]), Integer::sum, TreeMap::new));
        } finally {
            process.destroyForcibly();
        }
    }

    /** In the process itself: properties follow the number of calls. */
    public static void main(String[] arguments) throws Exception {
        Map<String, String> properties = List.of(arguments).subList(1, arguments.length).stream()
                .map(property -> property.split("=", 2))
                .collect(Collectors.toMap(property -> property[0], property -> property[1]));
        try (TestApplication application = new TestApplication("zhejiang", properties).start()) {
            Shop shop = Highway.to("shanghai")
                    .bind(
                            Shop.class,
                            application
                                    .reference(Shop.class, config -> config.setUrl("dubbo://zhejiang.test:9?lazy=true"))
                                    .get());
            shop.sell("warm");
            Shop.Order large = new Shop.Order("x".repeat(SIZE), null);
            Map<String, Integer> ends = new ConcurrentHashMap<>();
            List<CompletableFuture<?>> calls = new ArrayList<>();
            long peak = 0;
            for (int i = 0; i < Integer.parseInt(arguments[0]); i++) {
                CompletableFuture<String> call = RpcContext.getServiceContext().asyncCall(() -> shop.keep(large));
                calls.add(call.handle((answer, failure) -> ends.merge(end(failure), 1, Integer::sum)));
                peak = Math.max(peak, directBytes());
            }
            CompletableFuture<Void> all = CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new));
            while (!all.isDone()) {
                peak = Math.max(peak, directBytes());
                TimeUnit.MILLISECONDS.sleep(1);
            }
            ends.forEach((end, count) -> System.out.println("ended " + end + "=" + count));
            System.out.println("ended " + PEAK + "=" + (peak >> 20));
        }
        System.exit(0);
    }

    private static long directBytes() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }

    private static String end(Throwable failure) {
        if (failure == null) {
            return "delivered";
        }
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        Throwable known = failure instanceof HighwayException ? failure : cause;
        return known instanceof HighwayException ended
                ? ended.reason() + (ended.mayHaveRun() ? ", may have run" : ", not sent")
                : known.toString();
    }
}
