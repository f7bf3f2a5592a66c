// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.lang.reflect.Field;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts Netty's buffers that were collected as garbage without having been released, in all of this process. */
final class BufferLeaks implements AutoCloseable {

    private final ResourceLeakDetector.Level before = ResourceLeakDetector.getLevel();
    private final ResourceLeakDetector<ByteBuf> detector;
    private final AtomicInteger leaks = new AtomicInteger();

    BufferLeaks() throws ReflectiveOperationException {
        Field field = Class.forName("io.netty.buffer.AbstractByteBuf").getDeclaredField("leakDetector");
        field.setAccessible(true);
        @SuppressWarnings("unchecked")
        ResourceLeakDetector<ByteBuf> known = (ResourceLeakDetector<ByteBuf>) field.get(null);
        detector = known;
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
        detector.setLeakListener((type, records) -> leaks.incrementAndGet());
    }

    /** Collects garbage once; returns how many leaks have been seen so far. */
    int collect() {
        System.gc();
        PooledByteBufAllocator.DEFAULT.directBuffer(1).release(); // Netty reports when it allocates
        return leaks.get();
    }

    @Override
    public void close() {
        detector.setLeakListener(null);
        ResourceLeakDetector.setLevel(before);
    }
}
