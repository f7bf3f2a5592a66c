// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security.memory;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * How calls ended.
 *
 * @param counts by answer
 */
record Answers(Map<String, Integer> counts) {

    static final String NONE = "no answer";
    private static final int WORDS = 60;

    private static final int MOST_WAITS = 8;

    /** Waits until all have ended, or none has for so many seconds, and eight times that in any case. */
    static Answers of(List<CompletableFuture<String>> calls, int seconds) throws InterruptedException {
        long before = -1;
        for (int i = 0; i < MOST_WAITS && ended(calls) > before && ended(calls) < calls.size(); i++) {
            before = ended(calls);
            try {
                CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new)).get(seconds, TimeUnit.SECONDS);
            } catch (TimeoutException e) {
                // the others have none so far
            } catch (ExecutionException e) {
                throw new IllegalStateException(e);
            }
        }
        Map<String, Integer> counts = new TreeMap<>();
        calls.forEach(call -> counts.merge(shortened(call.getNow(NONE)), 1, Integer::sum));
        return new Answers(counts);
    }

    private static long ended(List<CompletableFuture<String>> calls) {
        return calls.stream().filter(CompletableFuture::isDone).count();
    }

    private static String shortened(String answer) {
        String printable =
                answer.replaceAll("[^ -~]", "").replaceAll("[0-9]{4,}", "N").replace('|', '/');
        return printable.length() > WORDS ? printable.substring(0, WORDS) : printable;
    }

    int served() {
        return counts.getOrDefault(RawPeer.SERVED, 0);
    }

    /** All but the served ones. */
    String others() {
        Map<String, Integer> others = new TreeMap<>(counts);
        others.remove(RawPeer.SERVED);
        return others.isEmpty() ? "" : others.toString();
    }
}
