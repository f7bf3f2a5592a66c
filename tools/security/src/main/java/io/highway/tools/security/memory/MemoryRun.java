// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security.memory;

import io.highway.tools.fixtures.ports.Sockets;
import io.highway.tools.security.memory.RawPeer.Request;
import io.highway.tools.security.memory.Storm.Kind;
import io.highway.tools.security.memory.Storm.Source;
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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Storms on a provider with a heap of 512 MB, with the SDK and without it by turns, each on a new process. A provider with
 * the SDK must not run out of memory, and serves what plain Dubbo serves, and small calls of others. Then storms of answers
 * on a caller with such a heap.
 *
 * @param runs how often each storm runs
 * @param cells which run
 * @param storms found in the names of the storms that run; empty for all, or those that matter in a quick run
 * @param keys of the SDK beside those of the run, {@code key=value}
 */
public record MemoryRun(
        Path folder, boolean quick, int runs, List<Cell> cells, Pattern storms, List<String> keys, PrintStream out) {

    /** Longer than a body without progress is kept. */
    private static final int ANSWER_SECONDS = 15;

    private static final int SETTLE_SECONDS = 2;

    /** When half of the bodies have come over a slow link. */
    private static final int SLOW_SECONDS = 40;

    private static final int MOST_SECONDS = 80;

    /** A caller's calls end within 20. */
    private static final int CALLER_SECONDS = 180;

    static final int MEANWHILE = 100;
    static final int AFTER = 20;

    /** Runs nothing yet. */
    public MemoryRun {
        folder = folder.resolve("memory");
        keys = keys.stream().map("-Dhighway."::concat).toList();
    }

    /**
     * The result of a storm on one side.
     *
     * @param served how many of its calls
     * @param others how the others ended
     * @param meanwhile small calls served; as those after it and those that are signed
     */
    private record Result(
            Storm storm,
            boolean sdk,
            SmallHeap.Health health,
            int served,
            String others,
            int meanwhile,
            int after,
            int signed) {

        /** What the SDK did not keep; empty if nothing. */
        List<String> broken(@Nullable Result plain) {
            List<String> broken = new ArrayList<>();
            if (health.outOfMemory()) {
                broken.add("OutOfMemoryError");
            }
            if (!health.alive()) {
                broken.add("ended");
            }
            if (storm.leavesRoom() && meanwhile < MEANWHILE) {
                broken.add("small calls meanwhile");
            }
            if (after < AFTER || signed < AFTER) {
                broken.add("small calls after");
            }
            if (storm.mustBeServed() && served < (plain == null ? storm.requests() : plain.served)) {
                broken.add(plain == null ? "not all served" : "plain Dubbo served more");
            }
            if (storm.source() == Source.GATEWAY && served > 0) {
                broken.add("unsigned calls served");
            }
            if (storm.source() == Source.DESTINATION && others.contains(Answers.NONE)) {
                broken.add("calls that do not end");
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
            for (int run = 1; run <= runs; run++) {
                for (Storm each : Storm.of(cell, quick && storms.pattern().isEmpty())) {
                    if (!storms.matcher(each.name()).find()) {
                        continue;
                    }
                    Result plain = null;
                    if (each.isCompared(cell)) {
                        plain = onProvider(cell, each, false);
                        print(cell, run, plain, List.of());
                        plainOutOfMemory += plain.health.outOfMemory() ? 1 : 0;
                    }
                    Result sdk =
                            each.source() == Source.DESTINATION ? onCaller(cell, each) : onProvider(cell, each, true);
                    List<String> wrong = sdk.broken(plain);
                    print(cell, run, sdk, wrong);
                    all++;
                    broken += wrong.isEmpty() ? 0 : 1;
                    outOfMemory += sdk.health.outOfMemory() ? 1 : 0;
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
                result.health.outOfMemory() ? "yes" : "no",
                result.health.heap(),
                result.health.direct(),
                result.served,
                result.storm.requests(),
                result.meanwhile,
                MEANWHILE,
                result.after,
                AFTER,
                result.storm.source() == Source.GATEWAY ? result.signed + " of " + AFTER : "-",
                result.others,
                String.join(", ", broken));
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the loops end by themselves
    private Result onProvider(Cell cell, Storm each, boolean sdk) throws IOException, InterruptedException {
        EventLoopGroup peersLoop = Sockets.loop("peers");
        EventLoopGroup othersLoop = Sockets.loop("others");
        List<RawPeer> peers = new ArrayList<>();
        String name = cell.word() + "-" + each.name() + (sdk ? "" : "-plain");
        boolean guarded = each.source() == Source.GATEWAY;
        try (Provider provider = new Provider(folder, name, cell, sdk, guarded, sdk ? keys : List.of())) {
            SmallCalls small = new SmallCalls(cell, provider.port(), othersLoop, MOST_SECONDS);
            small.served(AFTER, false); // warm
            Request request = each.request(cell);
            for (String peer : each.peers()) {
                peers.add(RawPeer.connect(cell, peersLoop, peer, provider.port(), each.interleaved()));
            }
            if (each.kind() == Kind.SLOW) {
                ThinLink link = new ThinLink(peersLoop);
                peers.forEach(peer -> peer.connection().pipeline().addFirst(link));
            }
            List<CompletableFuture<String>> calls = new ArrayList<>();
            for (int i = 0; i < each.requests(); i++) {
                calls.add(peers.get(i % peers.size()).send(request));
            }
            TimeUnit.SECONDS.sleep(each.kind() == Kind.SLOW ? SLOW_SECONDS : request.ends() ? 0 : SETTLE_SECONDS);
            int meanwhile = small.served(MEANWHILE, false);
            Answers answers = Answers.of(calls, ANSWER_SECONDS);
            peers.forEach(RawPeer::close);
            int after = small.served(AFTER, false);
            int signed = guarded ? small.served(AFTER, true) : AFTER;
            return new Result(
                    each, sdk, provider.health(), answers.served(), answers.others(), meanwhile, after, signed);
        } finally {
            peersLoop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
            othersLoop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }
    }

    private Result onCaller(Cell cell, Storm each) throws IOException {
        try (Destination storming = new Destination(cell, each.answer(cell));
                Destination other = new Destination(cell, Destination.Answer.of(cell, null, 1, true));
                SmallHeap caller = new SmallHeap(folder, cell.word() + "-" + each.name())) {
            Stream<String> ours = Stream.of(
                    "-Dfuture.sync.set=false", // else each thread keeps its last answer: docs/maintain/upstream.md
                    "-Dhighway.island=zhejiang",
                    "-Dhighway.defaults.tunnel=" + cell.tunnel(),
                    "-Dhighway.defaults.timeout=20s",
                    "-Dhighway.defaults.breaker.failure-rate=none",
                    "-Dhighway.heartbeat.interval=none",
                    "-Dhighway.gateways.http-max-connections=" + each.requests(),
                    "-Dhighway.islands.beijing.gateways." + cell.tunnel() + "=gateway.beijing.test:" + storming.port(),
                    "-Dhighway.islands.shanghai.gateways." + cell.tunnel() + "=gateway.shanghai.test:" + other.port());
            caller.start(cell, true, Stream.concat(ours, keys.stream()).toList(), CallerProcess.class, each.requests());
            String[] report = report(caller).split(" ", 4);
            int[] served =
                    Stream.of(report).limit(3).mapToInt(Integer::parseInt).toArray();
            return new Result(each, true, caller.health(), served[2], report[3], served[0], served[1], AFTER);
        }
    }

    private static String report(SmallHeap caller) {
        try {
            return caller.ready(CALLER_SECONDS);
        } catch (IllegalStateException e) { // it has ended
            return "0 0 0 " + Answers.NONE;
        }
    }
}
