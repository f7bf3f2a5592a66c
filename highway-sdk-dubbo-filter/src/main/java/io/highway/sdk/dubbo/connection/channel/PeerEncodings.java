// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.connection.channel;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether the providers of one island read zstd, as {@code grpc-accept-encoding} of their answers advertises. Several
 * providers may be behind a gateway, so that one answer proves nothing about the next call. Thread-safe.
 */
public final class PeerEncodings {

    private static final String ZSTD = "zstd";

    /** How long all answers must have advertised it, and how long the last one counts. */
    private static final long OBSERVED_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final LongSupplier nanoTime;

    /** Whether the last answer advertised it, and no request was refused since. */
    private boolean advertised;

    /** When the first of an unbroken series of such answers came, and the last. */
    long since;

    private long last;

    /** Nothing is known yet. */
    public PeerEncodings() {
        this(System::nanoTime);
    }

    PeerEncodings(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Whether all answers of the last minute have advertised zstd, and there was at least one. */
    public synchronized boolean isZstdRead() {
        long now = nanoTime.getAsLong();
        return advertised && now - since >= OBSERVED_NANOS && now - last < OBSERVED_NANOS;
    }

    /** An answer of the island has come, with this header or without it. */
    synchronized void answered(@Nullable CharSequence accepted) {
        if (accepted == null
                || !Arrays.asList(accepted.toString().replace(" ", "").split(","))
                        .contains(ZSTD)) {
            advertised = false;
            return;
        }
        long now = nanoTime.getAsLong();
        if (!advertised || now - last >= OBSERVED_NANOS) {
            since = now;
        }
        advertised = true;
        last = now;
    }

    /** A provider of the island could not read a request. */
    synchronized void refused() {
        advertised = false;
    }
}
