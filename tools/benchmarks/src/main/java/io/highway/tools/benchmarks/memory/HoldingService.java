// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.memory;

import java.util.concurrent.CompletableFuture;

/** Keeps requests in flight. */
public interface HoldingService {

    /** Returns the length of the body once {@link #release} is called. */
    CompletableFuture<Integer> hold(byte[] body);

    /** How many requests are in flight. */
    int held();

    /** The bytes in use after a garbage collection: of the heap, and of direct buffers. */
    long used();

    /** Ends what is in flight. */
    void release();
}
