// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.compression;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Reusable compressors and decompressors, each with up to 1.5 MB outside the heap. Keeps as many as there are processors;
 * more are created as needed. Thread-safe.
 */
final class CompressorPool<C> {

    private static final int MOST_KEPT = Runtime.getRuntime().availableProcessors();

    private final Deque<C> kept = new ArrayDeque<>();
    private final Supplier<C> create;
    private final Consumer<C> close;

    CompressorPool(Supplier<C> create, Consumer<C> close) {
        this.create = create;
        this.close = close;
    }

    C take() {
        synchronized (kept) {
            C free = kept.poll();
            if (free != null) {
                return free;
            }
        }
        return create.get();
    }

    void keep(C used) {
        synchronized (kept) {
            if (kept.size() < MOST_KEPT) {
                kept.push(used);
                return;
            }
        }
        close.accept(used);
    }
}
