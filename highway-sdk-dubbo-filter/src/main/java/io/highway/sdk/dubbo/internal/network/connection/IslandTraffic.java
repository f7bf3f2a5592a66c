// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.connection;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that calls and health checks of one class send and receive over one protocol, by island. Counts the islands
 * of {@link #count} only, since callers may name any. Thread-safe.
 */
public final class IslandTraffic {

    private final Map<String, Bytes> counted = new ConcurrentHashMap<>();

    /** The bytes of one island: whole frames, compressed as sent, without TLS. */
    public static final class Bytes {

        private final LongAdder sent = new LongAdder();
        private final LongAdder received = new LongAdder();

        /** The bytes that were handed to the connection. */
        public long sent() {
            return sent.sum();
        }

        /** The bytes that were received. */
        public long received() {
            return received.sum();
        }

        /** Counts a frame that is sent. */
        public void addSent(int frame) {
            sent.add(frame);
        }

        /** Counts a frame that is received. */
        public void addReceived(int frame) {
            received.add(frame);
        }
    }

    /** Has counted nothing. */
    public IslandTraffic() {}

    /** The bytes of an island, which are counted from now on. */
    public Bytes count(String island) {
        return counted.computeIfAbsent(island, any -> new Bytes());
    }

    /** Whether any island is counted. */
    public boolean isCounted() {
        return !counted.isEmpty();
    }

    /** The bytes of an island, or null if they are not counted. */
    public @Nullable Bytes of(@Nullable String island) {
        return island == null ? null : counted.get(island);
    }
}
