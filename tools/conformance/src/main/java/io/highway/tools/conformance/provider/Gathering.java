// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.provider;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;

/** Calls that are answered together, in an order independent of theirs. Thread-safe. */
final class Gathering {

    private static final long SEED = 5;

    /** The pause between two answers, so that they are not a single burst. */
    private static final long PAUSE_NANOS = 1_000_000;

    private final int count;
    private final Executor answering;
    private final List<Waiting> waiting = new ArrayList<>();

    private record Waiting(int number, CompletableFuture<Integer> answer) {}

    Gathering(int count, Executor answering) {
        this.count = count;
        this.answering = answering;
    }

    private static void answer(List<Waiting> all) {
        for (Waiting one : all) {
            one.answer.complete(one.number);
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    synchronized CompletableFuture<Integer> join(int number) {
        CompletableFuture<Integer> answer = new CompletableFuture<>();
        waiting.add(new Waiting(number, answer));
        if (waiting.size() == count) {
            List<Waiting> all = new ArrayList<>(waiting);
            Collections.shuffle(all, new Random(SEED));
            answering.execute(() -> answer(all));
        }
        return answer;
    }
}
