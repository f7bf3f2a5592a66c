// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.http2;

import io.highway.sdk.dubbo.internal.memory.BodyBuffer;
import io.highway.sdk.dubbo.internal.memory.MemoryBudget;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2LocalFlowController;
import io.netty.handler.codec.http2.Http2Stream;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What the peer sends over one HTTP/2 stream, with its window, which is returned as {@link MemoryBudget} permits. Its
 * methods run on the connection's event loop, if they do not say otherwise.
 */
public abstract class InboundStream {

    protected final StreamContext connection;
    protected final MemoryBudget.Body body;

    /** Whether what still comes is discarded. */
    protected boolean isRefused;

    /** Bytes of the stream's window that are not returned. */
    protected int withheld;

    /** Bytes of the windows of what was received last. */
    private int arrived;

    private @Nullable Future<?> timer;

    protected InboundStream(StreamContext connection) {
        this.connection = connection;
        this.body = connection.memory().begin(this::refuseForMemory);
    }

    protected final BodyBuffer newPieces() {
        return new BodyBuffer(connection.context().alloc(), connection.memory().budget()::isScarce);
    }

    /** The id of its stream. */
    protected abstract int id();

    /** Counts what has arrived and will be read next; {@link #settle} returns its window. */
    public final void received(int window, int bytes) {
        body.add(bytes);
        arrived += window;
    }

    /** Returns the window of what was read if more may come; again when memory has become free. */
    public void settle() {
        boolean isIncomplete = isIncomplete();
        body.incomplete(isIncomplete);
        if (body.mayGrow()) {
            returnWindow();
            return;
        }
        withholdWindow();
        if (isIncomplete && body.isTooMuch()) {
            refuseForMemory();
        }
    }

    protected final void returnWindow() {
        changeWindows(withheld);
        withheld = 0;
    }

    /** Returns that of the connection only, which other streams need. */
    protected final void withholdWindow() {
        withheld += arrived;
        changeWindows(-arrived);
    }

    private void changeWindows(int ofStream) {
        Http2Stream known = ofStream == 0 && arrived == 0 ? null : connection.http2().stream(id());
        if (known != null) {
            Http2LocalFlowController windows = connection.http2().local().flowController();
            try {
                windows.incrementWindowSize(known, ofStream);
                if (windows.consumeBytes(known, arrived)) {
                    connection.context().flush();
                }
            } catch (Http2Exception e) {
                throw new IllegalStateException(e);
            }
        }
        arrived = 0;
    }

    /** Whether a part of a message, or of a request, is still to come or to be inflated. */
    protected abstract boolean isIncomplete();

    /** Ends it, since there is no memory for the rest. */
    protected abstract void refuseForMemory();

    /** Runs a task, unless the stream is closed before, when what the peer has sent meanwhile has arrived. */
    protected final void later(Runnable task) {
        timer = connection.context().executor().schedule(task, MemoryBudget.KEPT_SECONDS, TimeUnit.SECONDS);
    }

    /** The stream is closed. */
    public void close() {
        if (timer != null) {
            timer.cancel(false);
        }
    }
}
