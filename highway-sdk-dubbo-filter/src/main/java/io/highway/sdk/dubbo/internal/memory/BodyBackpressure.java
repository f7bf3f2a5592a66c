// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.memory;

import io.highway.sdk.dubbo.internal.memory.MemoryBudget.Body;
import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;

/**
 * Stops reading a connection, whose bodies come one after another, while the present one waits for memory.
 * The methods run on the connection's event loop.
 */
public final class BodyBackpressure {

    private final Channel channel;
    private final MemoryBudget.Account account;
    private final boolean areAnswers;
    private final Runnable refuse;
    private @Nullable Body present;

    /**
     * Those of one connection.
     *
     * @param areAnswers whether they are answers; requests otherwise
     * @param refuse ends the present one, for lack of memory
     */
    public BodyBackpressure(MemoryBudget budget, Channel channel, boolean areAnswers, Runnable refuse) {
        this.channel = channel;
        this.account = budget.open(channel.eventLoop(), this::proceed);
        this.areAnswers = areAnswers;
        this.refuse = refuse;
    }

    /** Counts bytes of the present one. */
    public void add(int bytes) {
        Body growing = present;
        if (growing == null) {
            growing = account.begin(refuse);
            if (areAnswers) {
                growing.begun();
            }
            present = growing;
        }
        growing.add(bytes);
    }

    /** Reads on, if there is memory for more of the present one. */
    public void proceed() {
        channel.config().setAutoRead(present == null || present.mayGrow());
    }

    /** The present one is whole; null if nothing of it was counted. It counts until it is released. */
    public @Nullable Body end() {
        Body whole = present;
        present = null;
        if (whole != null) {
            whole.incomplete(false);
        }
        return whole;
    }

    /** Nothing of the present one is buffered any more. */
    public void release() {
        Body whole = end();
        if (whole != null) {
            whole.release();
        }
    }
}
