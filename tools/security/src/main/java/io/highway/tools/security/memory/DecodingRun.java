// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security.memory;

import io.highway.tools.fixtures.ports.Sockets;
import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Values that are dangerous to decode, sent to a provider that requires signatures by a peer that has none, or whose call
 * a rule denies. Nothing of them may be decoded, and nothing that such a peer invents may stay in memory.
 */
public final class DecodingRun {

    private static final int OTHERS = 100;
    private static final int MOST_RESTARTS = 8;
    private static final int BUSY_SECONDS = 5;
    private static final int WARM = 2_000;
    private static final int INVENTED = 1_000_000;
    private static final int INVENTED_QUICK = 20_000;
    private static final int WINDOW = 500;
    private static final int CONNECTIONS = 50;
    private static final int MOST_MB = 5;
    private static final double KB = 1 << 10;

    private final Path folder;
    private final boolean quick;
    private final List<Cell> cells;
    private final List<String> keys;
    private final PrintStream out;
    private final EventLoopGroup attackers = Sockets.loop("attackers");
    private final EventLoopGroup others = Sockets.loop("others");

    private int cases;
    private int closed;
    private int executed;
    private int decoded;
    private int ended;
    private int busy;
    private double heapLeft;
    private int served = OTHERS;
    private boolean complete = true;

    /**
     * Runs nothing yet.
     *
     * @param keys of the SDK beside those of the run, {@code key=value}
     */
    public DecodingRun(Path folder, boolean quick, List<Cell> cells, List<String> keys, PrintStream out) {
        this.folder = folder.resolve("decoding");
        this.quick = quick;
        this.cells = cells;
        this.keys = keys;
        this.out = out;
    }

    /** Prints what broke and, as the last line, JSON; returns whether nothing did. */
    @SuppressWarnings("FutureReturnValueIgnored") // the loops end by themselves
    public boolean run() throws Exception {
        Files.createDirectories(folder);
        try {
            for (Cell cell : cells) {
                attack(cell);
            }
        } finally {
            attackers.shutdownGracefully(0, 1, TimeUnit.SECONDS);
            others.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }
        out.printf(
                "{\"cases\":%d,\"executed\":%d,\"decoded\":%d,\"ended\":%d,\"busy_threads\":%d,\"heap_left_mb\":%.1f,"
                        + "\"others_served\":\"%d of %d\"}%n",
                cases, executed, decoded, ended, busy, heapLeft, served, OTHERS);
        return complete && executed + decoded + ended + busy == 0 && heapLeft < MOST_MB && served == OTHERS;
    }

    private void attack(Cell cell) throws Exception {
        List<Attempt> left = new ArrayList<>(Attempt.of(cell, quick));
        for (int starts = 0; starts <= MOST_RESTARTS && !left.isEmpty(); starts++) {
            try (Target target = new Target(folder, cell, attackers, keys)) {
                SmallCalls calls = new SmallCalls(cell, target.provider().port(), others, Target.PATIENCE_SECONDS);
                calls.served(OTHERS, true); // warm
                invent(cell, target, WARM);
                target.disconnect();
                int heap = target.provider().state().heap();
                AtomicBoolean over = new AtomicBoolean();
                FutureTask<Integer> meanwhile = new FutureTask<>(() -> fewest(calls, over));
                new Thread(meanwhile, "others").start();
                while (!left.isEmpty() && isWhole(cell, target, left.remove(0))) {
                    // the next one
                }
                if (left.isEmpty() && !target.provider().hasFailed()) {
                    invent(cell, target, quick ? INVENTED_QUICK : INVENTED);
                }
                over.set(true);
                served = Math.min(served, Math.min(meanwhile.get(), calls.served(OTHERS, true)));
                account(cell, target, heap);
            }
        }
        complete &= left.isEmpty();
    }

    /** Makes an attempt and returns whether the provider is as before. */
    private boolean isWhole(Cell cell, Target target, Attempt attempt) throws IOException, InterruptedException {
        cases++;
        Provider provider = target.provider();
        int before = provider.marks(Marks.DECODED) + provider.marks(Marks.EXECUTED);
        Answers answers = target.attack(attempt);
        int marks = provider.marks(Marks.DECODED) + provider.marks(Marks.EXECUTED) - before;
        closed += answers.counts().getOrDefault(RawPeer.CLOSED, 0) == attempt.requests() ? 1 : 0;
        boolean unanswered = answers.counts().containsKey(Answers.NONE);
        boolean broken = provider.hasFailed() || (unanswered && provider.state().busy() > 0);
        if (marks > 0 || broken || unanswered) {
            String kind = broken ? "broken" : marks > 0 ? "decoded" : "unanswered";
            out.printf("%s %s: %s, %s%n", cell.word(), attempt, kind, answers.counts());
        }
        return !broken;
    }

    /** The fewest that were served of a hundred signed calls of others, again and again until it is over. */
    private static int fewest(SmallCalls calls, AtomicBoolean over) throws InterruptedException {
        int fewest = OTHERS;
        while (!over.get()) {
            fewest = Math.min(fewest, calls.served(OTHERS, true));
        }
        return fewest;
    }

    /** Sends refused requests with names that occur once. */
    private static void invent(Cell cell, Target target, int requests) throws InterruptedException {
        for (int sent = 0; sent < requests; sent += WINDOW) {
            List<CompletableFuture<String>> answers = new ArrayList<>();
            for (int i = 0; i < WINDOW; i++) {
                answers.add(target.peer(false, i % CONNECTIONS).send(Invented.request(cell, i)));
            }
            Answers.of(answers, Target.PATIENCE_SECONDS);
        }
    }

    private void account(Cell cell, Target target, int heapBefore) throws IOException, InterruptedException {
        Provider provider = target.provider();
        executed += provider.marks(Marks.EXECUTED);
        int marks = provider.marks(Marks.DECODED);
        decoded += marks == 0 && provider.hasLoaded(Trap.class) ? 1 : marks;
        if (provider.hasFailed() || provider.health().outOfMemory()) {
            ended++;
            return;
        }
        target.disconnect();
        TimeUnit.SECONDS.sleep(BUSY_SECONDS);
        Provider.State state = provider.state();
        busy += state.busy();
        double left = (state.heap() - heapBefore) / KB;
        heapLeft = Math.max(heapLeft, left);
        out.printf(
                "%s: %d cases so far, %d of them answered by closing connections only, %.1f MB left on its heap%n",
                cell.word(), cases, closed, left);
    }
}
