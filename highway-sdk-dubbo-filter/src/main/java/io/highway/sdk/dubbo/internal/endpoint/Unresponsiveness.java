// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.endpoint;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Whether an endpoint is unresponsive: a call, or health checks in a row, got no answer. Calls wait for the answer of a
 * health check, for a limited time; after that they are refused until any answer arrives. Thread-safe.
 */
final class Unresponsiveness {

    private volatile @Nullable State state;

    private static final class State {
        private final CompletableFuture<Void> answered = new CompletableFuture<>();
        private final String call;
        private volatile String because;
        private volatile long heldUntil;

        State(String call, String because, long heldUntil) {
            this.call = call;
            this.because = because;
            this.heldUntil = heldUntil;
        }

        boolean isHeld() {
            return System.nanoTime() - heldUntil < 0;
        }
    }

    boolean isUnresponsive() {
        return state != null;
    }

    /** Whether calls are refused, since they have waited long enough. */
    boolean refusesCalls() {
        State known = state;
        return known != null && !known.isHeld();
    }

    /** What got no answer, in words; null if it is responsive. */
    @Nullable
    String problem() {
        State known = state;
        return known == null ? null : known.because;
    }

    /** How long calls still wait for an answer, nanoseconds; 0 if they do not wait. */
    long waitNanos() {
        State known = state;
        return known == null ? 0 : Math.max(0, known.heldUntil - System.nanoTime());
    }

    /** Completes with the next answer; already complete if it is responsive. */
    CompletableFuture<Void> answer() {
        State known = state;
        return known == null ? CompletableFuture.completedFuture(null) : known.answered;
    }

    /** A call got no answer: calls wait until {@code heldUntil}. Returns false if the endpoint was unresponsive. */
    boolean callUnanswered(String because, long heldUntil) {
        return state == null && begin(new State(because, because, heldUntil));
    }

    /**
     * A health check got no answer: calls are refused.
     *
     * @param suffices whether that alone makes the endpoint unresponsive
     */
    void checkUnanswered(String because, boolean suffices, long now) {
        State known = state;
        if (known != null) {
            known.because = known.call.isEmpty() ? because : known.call + "; " + because;
            known.heldUntil = now;
        } else if (suffices) {
            boolean unused = begin(new State("", because, now));
        }
    }

    private synchronized boolean begin(State begun) {
        boolean first = state == null;
        if (first) {
            state = begun;
        }
        return first;
    }

    /** Makes calls wait until then, if it is unresponsive: a health check was sent. */
    void hold(long until) {
        State known = state;
        if (known != null) {
            known.heldUntil = until;
        }
    }

    /** An answer has arrived, or calls need not wait. Runs for every call. */
    void end() {
        if (state == null) {
            return;
        }
        State ended;
        synchronized (this) {
            ended = state;
            state = null;
        }
        if (ended != null) {
            ended.answered.complete(null);
        }
    }
}
