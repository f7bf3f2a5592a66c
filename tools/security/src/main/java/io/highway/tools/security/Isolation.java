// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security;

import io.highway.tools.security.attacker.PlainClient;
import io.highway.tools.security.client.Caller;
import io.highway.tools.security.service.HomeService;
import io.highway.tools.security.star.Bankside;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * What a flood costs another caller: its latencies while a caller over its rate is refused, and while a client at home
 * sends the same number of calls, which are served. The two alternate in one run.
 */
record Isolation(Bankside bank, boolean quick, PrintStream out) {

    private static final int SECONDS = 5;
    private static final long PACE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final double NANOS_PER_MILLI = 1e6;

    /** Prints the latencies and, as the last line, their ratios as JSON. */
    void run() throws Exception {
        String home = "dubbo://shanghai.test:" + bank.first().dubbo();
        List<long[]> refused = new ArrayList<>();
        List<long[]> served = new ArrayList<>();
        int rounds = quick ? 1 : 8;
        int warmUpSeconds = quick ? 1 : 20;
        try (Caller flood = Caller.start("zhejiang", "flood", "dubbo", bank.gateway(), "zhejiang-2026");
                Caller orders = Caller.start("zhejiang", "orders", "dubbo", bank.gateway(), "zhejiang-2026");
                PlainClient local = new PlainClient("local", home)) {
            HomeService service = local.reference(HomeService.class);
            IntConsumer overRate = seconds -> Flood.send(() -> flood.accounts().balanceLater("account-1"), seconds);
            IntConsumer atHome = seconds -> Flood.send(service::pingLater, seconds);
            measure(orders, overRate, warmUpSeconds);
            measure(orders, atHome, warmUpSeconds);
            for (int i = 0; i < rounds; i++) {
                refused.add(measure(orders, overRate, SECONDS));
                served.add(measure(orders, atHome, SECONDS));
            }
        }
        out.println("| a caller beside a flood of " + Flood.PER_SECOND + "/s | calls | p50 ms | p99 ms |");
        out.println("|---|---|---|---|");
        row("of a caller whose rate is " + Bankside.RATE + "/s", refused);
        row("of a client at home", served);
        out.printf(
                Locale.ROOT,
                "{\"p50_ratio\":%.2f,\"p99_ratio\":%.2f}%n",
                ratio(refused, served, 50),
                ratio(refused, served, 99));
    }

    /** Medians of the rounds. */
    private void row(String name, List<long[]> rounds) {
        out.printf(
                Locale.ROOT,
                "| %s | %d | %.2f | %.2f |%n",
                name,
                rounds.stream().mapToInt(round -> round.length).sum(),
                median(rounds.stream().mapToDouble(round -> quantile(round, 50))) / NANOS_PER_MILLI,
                median(rounds.stream().mapToDouble(round -> quantile(round, 99))) / NANOS_PER_MILLI);
    }

    /** The median of the ratios of two rounds that followed each other. */
    private static double ratio(List<long[]> refused, List<long[]> served, int percent) {
        return median(IntStream.range(0, refused.size())
                .mapToDouble(i -> quantile(refused.get(i), percent) / quantile(served.get(i), percent)));
    }

    private static double median(DoubleStream values) {
        double[] sorted = values.sorted().toArray();
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    private static double quantile(long[] sorted, int percent) {
        return sorted[Math.min(sorted.length - 1, sorted.length * percent / 100)];
    }

    /** The latencies of another caller's calls during a flood, sorted; a call that fails ends the run. */
    private static long[] measure(Caller caller, IntConsumer flood, int seconds) throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        CompletableFuture<long[]> latencies = CompletableFuture.supplyAsync(() -> latencies(caller, over));
        try {
            flood.accept(seconds);
        } finally {
            over.set(true);
        }
        long[] sorted = latencies.get(10, TimeUnit.SECONDS);
        Arrays.sort(sorted);
        return sorted;
    }

    private static long[] latencies(Caller caller, AtomicBoolean over) {
        LongStream.Builder nanos = LongStream.builder();
        long next = System.nanoTime();
        while (!over.get()) {
            long begun = System.nanoTime();
            caller.accounts().balance("account-1");
            nanos.add(System.nanoTime() - begun);
            next += PACE_NANOS;
            LockSupport.parkNanos(next - System.nanoTime());
        }
        return nanos.build().toArray();
    }
}
