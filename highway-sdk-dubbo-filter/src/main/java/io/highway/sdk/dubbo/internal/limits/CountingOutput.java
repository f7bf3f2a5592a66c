// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.limits;

import java.io.IOException;
import java.io.OutputStream;

/** Counts what is written and keeps nothing of it; ends a serialization that exceeds the limit. Not thread-safe. */
public final class CountingOutput extends OutputStream {

    private final long limit;
    private long count;

    /** With the most bytes that may be written; more is an {@link IOException}. */
    public CountingOutput(long limit) {
        this.limit = limit;
    }

    boolean isOver() {
        return count > limit;
    }

    @Override
    public void write(int one) throws IOException {
        add(1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        add(length);
    }

    private void add(int length) throws IOException {
        count += length;
        if (isOver()) {
            throw new IOException("over " + limit + " bytes");
        }
    }
}
