// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos.standby;

import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Outcome;
import io.highway.sdk.dubbo.Reason;
import io.highway.tools.chaos.account.CallKind;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Each call, its kind and how it ended for its caller. Thread-safe. */
final class Calls {

    /** After these, the other island gets a call. */
    private static final Set<Reason> MOVED =
            EnumSet.of(Reason.GATEWAY_DOWN, Reason.NOT_FORWARDED, Reason.NO_SUCH_SERVICE, Reason.BREAKER_OPEN);

    private final int first;
    private final AtomicInteger next;
    private final Map<Integer, Entry> entries = new ConcurrentHashMap<>();
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();

    /** {@code island} is who answered, {@code failure} what its caller got instead. */
    private record Entry(CallKind kind, boolean ended, @Nullable String island, @Nullable Throwable failure) {}

    /** The ids of its calls begin with the first one: others have others in the same ledgers. */
    Calls(int first) {
        this.first = first;
        this.next = new AtomicInteger(first);
    }

    int begin(CallKind kind) {
        int id = next.getAndIncrement();
        entries.put(id, new Entry(kind, false, null, null));
        return id;
    }

    void end(int id, @Nullable String answer, @Nullable Throwable failure) {
        CallKind kind = kind(id);
        String island = answer == null ? null : answer.substring(0, Math.max(answer.indexOf(' '), 0));
        entries.put(id, new Entry(kind, true, island, answer == null ? failure : null));
        if (answer != null && !answer.equals(island + " " + id)) {
            wrong.add("call " + id + " got \"" + answer + "\"");
        }
    }

    private CallKind kind(int id) {
        Entry entry = entries.get(id);
        if (entry == null) {
            throw new IllegalArgumentException("no call " + id);
        }
        return entry.kind;
    }

    /** Answers to other calls, in words. */
    Queue<String> wrong() {
        return wrong;
    }

    /** How many calls there are. */
    int size() {
        return next.get() - first;
    }

    /** Those that have not ended. */
    int hung() {
        return (int) entries.values().stream().filter(entry -> !entry.ended).count();
    }

    /** Those that beijing has answered. */
    int answeredByBeijing() {
        return (int) entries.values().stream()
                .filter(entry -> "beijing".equals(entry.island))
                .count();
    }

    /** Calls of a method that beijing may answer, which did not run, and which it has not answered. */
    List<String> notMoved() {
        List<String> failures = new ArrayList<>();
        entries.values().forEach(entry -> {
            if (entry.kind.isIdempotent()
                    && entry.failure instanceof HighwayException failure
                    && !failure.mayHaveRun()
                    && MOVED.contains(failure.reason())) {
                failures.add(failure + ", before that " + List.of(failure.getSuppressed()));
            }
        });
        return failures;
    }

    /** Calls that were neither answered nor refused as denied by their caller's policy. */
    List<String> failed() {
        List<String> failures = new ArrayList<>();
        entries.values().forEach(entry -> {
            boolean isDenied = entry.failure instanceof HighwayException failure
                    && failure.outcome() == Outcome.REFUSED
                    && failure.reason() == Reason.DENIED;
            if (entry.failure != null && !isDenied) {
                failures.add(String.valueOf(entry.failure));
            }
        });
        return failures;
    }

    /** Those of these ids that are its own. */
    List<Integer> own(List<Integer> ids) {
        return ids.stream().filter(id -> id >= first && id < next.get()).toList();
    }

    /** Whether a call must not run in beijing. */
    boolean isWithoutConsent(int id) {
        return !kind(id).isIdempotent();
    }
}
