// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.compression;

import io.highway.sdk.dubbo.internal.memory.MemoryBudget;
import org.apache.dubbo.rpc.StatusRpcException;
import org.apache.dubbo.rpc.TriRpcStatus;

/** A message of an answer that was inflated: it counts in the {@link MemoryBudget} until it is closed. For one thread. */
public final class InflatedMessage implements AutoCloseable {

    /** Those of a message up to 64 KB have less, as the last one is not full. */
    private static final int STEPS_OF_SMALL = 2 * MemoryBudget.STEP;

    private final MemoryBudget buffered;
    private final long millis;
    private byte[] bytes = new byte[0];
    private int counted;
    private boolean isLarge;

    /** @param millis how long a large one waits while others are inflated */
    InflatedMessage(MemoryBudget buffered, long millis) {
        this.buffered = buffered;
        this.millis = millis;
    }

    /**
     * Counts a step while it is inflated. A small message passes in any case, as an uncompressed one does.
     *
     * @throws StatusRpcException if there is no memory, or no time, for it
     */
    void add(int step) {
        boolean hasMemory = buffered.addInflated(step);
        counted += step;
        if (counted <= STEPS_OF_SMALL) {
            return;
        }
        if (!hasMemory) {
            throw exhausted("there is no memory to inflate it, see highway.max-buffered");
        }
        if (!isLarge) {
            awaitOthers();
            isLarge = true;
        }
    }

    private void awaitOthers() {
        try {
            if (!buffered.awaitInflating(millis)) {
                throw exhausted("other answers were inflated until its time was over");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw exhausted("its thread was interrupted while other answers were inflated");
        }
    }

    private static StatusRpcException exhausted(String why) {
        return TriRpcStatus.fromCode(TriRpcStatus.Code.RESOURCE_EXHAUSTED)
                .withCause(UnreadableAnswerException.withoutMemory(why))
                .asException();
    }

    void set(byte[] inflated) {
        bytes = inflated;
    }

    /** The message. */
    public byte[] bytes() {
        return bytes;
    }

    @Override
    public void close() {
        buffered.removeInflated(counted);
        counted = 0;
        if (isLarge) {
            isLarge = false;
            buffered.endInflating();
        }
    }
}
