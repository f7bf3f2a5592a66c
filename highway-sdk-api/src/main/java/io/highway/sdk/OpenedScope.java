// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk;

import java.lang.StackWalker.StackFrame;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/**
 * What {@link HighwayRoute#open} returns. Once code has lost it without closing it, {@link #reportLost} reports the line
 * that opened it. The thread refers to the scope and not to this, so that the loss is noticed while the thread lives.
 */
final class OpenedScope implements HighwayScope {

    private static final ReferenceQueue<OpenedScope> LOST = new ReferenceQueue<>();
    private static final Set<Reference<?>> OPEN = ConcurrentHashMap.newKeySet();

    /** The lines that have opened lost scopes: as many as there are in the code, however many scopes are lost. */
    private static final Set<String> OPENERS = ConcurrentHashMap.newKeySet();

    /** Those that are not reported yet. */
    private static final Queue<String> UNREPORTED = new ConcurrentLinkedQueue<>();

    private final HighwayScope scope;
    private final Opening opening;

    /** Of a scope that {@code opener} has opened. */
    OpenedScope(HighwayScope scope, StackFrame opener) {
        collectLost();
        this.scope = scope;
        this.opening = new Opening(this, opener);
        OPEN.add(opening);
    }

    @Override
    public void close() {
        try {
            OPEN.remove(opening);
            scope.close();
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** Passes on the lines that have opened scopes which code has lost, each once, whichever application asks first. */
    static void reportLost(Consumer<String> report) {
        collectLost();
        for (String opener = UNREPORTED.poll(); opener != null; opener = UNREPORTED.poll()) {
            report.accept(opener);
        }
    }

    private static void collectLost() {
        for (Reference<?> lost = LOST.poll(); lost != null; lost = LOST.poll()) {
            String opener = ((Opening) lost).opener.toString();
            if (OPEN.remove(lost) && OPENERS.add(opener)) {
                UNREPORTED.add(opener);
            }
        }
    }

    private static final class Opening extends WeakReference<OpenedScope> {

        private final StackFrame opener;

        Opening(OpenedScope scope, StackFrame opener) {
            super(scope, LOST);
            this.opener = opener;
        }
    }
}
