// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.limits;

import java.util.concurrent.atomic.AtomicLong;

/** The HTTP/2 windows of peers, which depend on the limit of buffered bytes. Thread-safe. */
final class ReceiveWindows {

    /** What a connection may send ahead of the standard window, as long as a quarter of the limit is left for that. */
    private static final int CONNECTION = 2 * 1024 * 1024;

    /** The largest window of a stream: 30 Mbit/s over a round trip of 60 ms are 225 KB. */
    private static final int MOST_STREAM = 256 * 1024;

    /** How many windows of streams the limit has at least, unless they are as small as they get. */
    private static final int STREAMS = 512;

    private final int leastOfStream;
    private final AtomicLong taken = new AtomicLong();

    ReceiveWindows(int leastOfStream) {
        this.leastOfStream = leastOfStream;
    }

    int ofStream(long limit) {
        return (int) Math.max(leastOfStream, Math.min(MOST_STREAM, limit / STREAMS));
    }

    /** The bytes by which the window of a connection may be raised. */
    int take(long limit) {
        int window = taken.addAndGet(CONNECTION) <= limit / 4 ? CONNECTION : 0;
        taken.addAndGet(window - CONNECTION);
        return window;
    }

    void giveBack(int window) {
        taken.addAndGet(-window);
    }
}
