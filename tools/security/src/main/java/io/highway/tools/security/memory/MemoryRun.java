// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security.memory;

import io.highway.tools.security.memory.RawPeer.Request;
import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Storms on a provider with a heap of 512 MB, with the SDK and without it by turns, each on a new process. A provider with
 * the SDK must not run out of memory, and serves what plain Dubbo serves, and small calls of others.
 */
public final class MemoryRun {

    private static final int RUNS = 5;

    /** Longer than a body without progress is kept. */
    private static final int ANSWER_SECONDS = 15;

    private static final int SETTLE_SECONDS = 2;
    private static final int MOST_SECONDS = 80;
    private static final int MEANWHILE = 100;
    private static final int AFTER = 20;

    private final Path folder;
    private final boolean quick;
    private final List<Cell> cells;
    private final Pattern storms;
    private final List<String> keys;
    private final PrintStream out;

    /**
     * Runs nothing yet.
     *
     * @param cells which run
     * @param storms found in the names of the storms that run; empty for all, or those that matter in a quick run
     * @param keys of the SDK beside those of the run, {@code key=value}
     */
    public MemoryRun(Path folder, boolean quick, List<Cell> cells, Pattern storms, List<String> keys, PrintStream out) {
        this.folder = folder.resolve("memory");
        this.quick = quick;
        this.cells = cells;
        this.storms = storms;
        this.keys = keys.stream().map("-Dhighway."::concat).toList();
        this.out = out;
    }

    /** The result of a storm on one side. */
    private record Result(
            Storm storm,
            boolean sdk,
            boolean outOfMemory,
            boolean alive,
            Provider.Peaks peaks,
            Answers answers,
            int meanwhile,
            int after,
            int signed) {

        /** What the SDK did not keep; empty if nothing. */
        List<String> broken(@Nullable Result plain) {
            List<String> broken = new ArrayList<>();
            if (outOfMemory) {
                broken.add("OutOfMemoryError");
            }
            if (!alive) {
                broken.add("ended");
            }
            if (storm.isHostile() && meanwhile < MEANWHILE) {
                broken.add("small calls meanwhile");
            }
            if (after < AFTER || signed < AFTER) {
                broken.add("small calls after");
            }
            if (!storm.isHostile() && plain != null && answers.served() < plain.answers.served()) {
                broken.add("plain Dubbo served more");
            }
            if (storm.guarded() && answers.served() > 0) {
                broken.add("unsigned calls served");
            }
            return broken;
        }
    }

    /** Prints a row per storm and side and, as the last line, JSON; returns whether nothing broke with the SDK. */
    public boolean run() throws IOException, InterruptedException {
        Files.createDirectories(folder);
        int all = 0;
        int broken = 0;
        int outOfMemory = 0;
        int plainOutOfMemory = 0;
        out.println(
                "| cell | storm | run | Dubbo | OutOfMemoryError | heap MB | direct MB | served | small calls meanwhile"
                        + " | after | signed | others | broken |");
        out.println("|---|---|---|---|---|---|---|---|---|---|---|---|---|");
        for (Cell cell : cells) {
            for (int run = 1; run <= (quick ? 1 : RUNS); run++) {
                for (Storm each : Storm.of(cell, quick && storms.pattern().isEmpty())) {
                    if (!storms.matcher(each.name()).find()) {
                        continue;
                    }
                    Result plain = null;
                    if (!each.guarded()) {
                        plain = on(cell, each, false);
                        print(cell, run, plain, List.of());
                        plainOutOfMemory += plain.outOfMemory ? 1 : 0;
                    }
                    Result sdk = on(cell, each, true);
                    List<String> wrong = sdk.broken(plain);
                    print(cell, run, sdk, wrong);
                    all++;
                    broken += wrong.isEmpty() ? 0 : 1;
                    outOfMemory += sdk.outOfMemory ? 1 : 0;
                }
            }
        }
        out.printf(
                "{\"storms\":%d,\"broken\":%d,\"out_of_memory\":%d,\"plain_out_of_memory\":%d}%n",
                all, broken, outOfMemory, plainOutOfMemory);
        return broken == 0 && all > 0;
    }

    private void print(Cell cell, int run, Result result, List<String> broken) {
        out.printf(
                "| %s | %s | %d | %s | %s | %d | %d | %d of %d | %d of %d | %d of %d | %s | %s | %s |%n",
                cell.word(),
                result.storm.name(),
                run,
                result.sdk ? "with the SDK" : "plain",
                result.outOfMemory ? "yes" : "no",
                result.peaks.heap(),
                result.peaks.direct(),
                result.answers.served(),
                result.storm.requests(),
                result.meanwhile,
                MEANWHILE,
                result.after,
                AFTER,
                result.sdk && result.storm.guarded() ? result.signed + " of " + AFTER : "-",
                result.answers.others(),
                String.join(", ", broken));
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the loops end by themselves
    private Result on(Cell cell, Storm each, boolean sdk) throws IOException, InterruptedException {
        EventLoopGroup peersLoop = DecodingRun.loop("peers");
        EventLoopGroup othersLoop = DecodingRun.loop("others");
        List<RawPeer> peers = new ArrayList<>();
        String name = cell.word() + "-" + each.name() + (sdk ? "" : "-plain");
        try (Provider provider = new Provider(folder, name, cell, sdk, each.guarded(), sdk ? keys : List.of())) {
            SmallCalls small = new SmallCalls(cell, provider.port(), othersLoop, MOST_SECONDS);
            small.served(AFTER, false); // warm
            Request request = each.request(cell);
            for (String peer : each.peers()) {
                peers.add(RawPeer.connect(cell, peersLoop, peer, provider.port(), each.interleaved()));
            }
            List<CompletableFuture<String>> calls = new ArrayList<>();
            for (int i = 0; i < each.requests(); i++) {
                calls.add(peers.get(i % peers.size()).send(request));
            }
            if (!request.ends()) {
                TimeUnit.SECONDS.sleep(SETTLE_SECONDS);
            }
            int meanwhile = small.served(MEANWHILE, false);
            Answers answers = Answers.of(calls, ANSWER_SECONDS);
            peers.forEach(RawPeer::close);
            int after = small.served(AFTER, false);
            int signed = sdk && each.guarded() ? small.served(AFTER, true) : AFTER;
            return new Result(
                    each,
                    sdk,
                    provider.wasOutOfMemory(),
                    provider.isAlive(),
                    provider.highest(),
                    answers,
                    meanwhile,
                    after,
                    signed);
        } finally {
            peersLoop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
            othersLoop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }
    }
}
