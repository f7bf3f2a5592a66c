// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.awaitility.Awaitility.await;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;

/**
 * Netty's buffers that are collected as garbage without having been released, in all of this process from the creation
 * of this object on. Those of Dubbo's servers do not count: a Triple server of Dubbo 3.2.19 leaks some of the requests
 * whose connection is lost.
 */
final class BufferLeaks implements AutoCloseable {

    /** Marks a buffer that is leaked on purpose, to know when the garbage collector has run. */
    private static final String MARK = "leaked on purpose by BufferLeaks";

    /** Of the pipelines here, only those of Dubbo's Triple servers have the second handler behind HTTP/2. */
    private static final Pattern SERVER = Pattern.compile(
            "org\\.apache\\.dubbo\\.[\\w.]*Server"
                    + "|'FlushConsolidationHandler#0' will handle the message from this point\\.\\s+io\\.netty\\.handler\\.codec\\.http2");

    private final ResourceLeakDetector.Level before = ResourceLeakDetector.getLevel();
    private final ResourceLeakDetector<ByteBuf> detector;
    private final List<String> leaks = new CopyOnWriteArrayList<>();

    BufferLeaks() throws ReflectiveOperationException {
        Field field = Class.forName("io.netty.buffer.AbstractByteBuf").getDeclaredField("leakDetector");
        field.setAccessible(true);
        @SuppressWarnings("unchecked")
        ResourceLeakDetector<ByteBuf> known = (ResourceLeakDetector<ByteBuf>) field.get(null);
        detector = known;
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
        detector.setLeakListener((type, records) -> leaks.add(records));
        List<String> unused = collect();
        leaks.clear(); // what other tests have left
    }

    /** Collects garbage; returns where the buffers that leaked were used. */
    List<String> collect() {
        for (int i = 0; i < 2; i++) { // the order within one collection is not defined
            awaitCollection(MARK + " " + UUID.randomUUID()); // Netty reports equal records once
        }
        return leaks.stream()
                .filter(records ->
                        !records.contains(MARK) && !SERVER.matcher(records).find())
                .toList();
    }

    private void awaitCollection(String mark) {
        leak(mark);
        await().atMost(Duration.ofSeconds(20)).until(() -> {
            System.gc();
            PooledByteBufAllocator.DEFAULT.directBuffer(1).release(); // Netty reports when it allocates
            return leaks.stream().anyMatch(records -> records.contains(mark));
        });
    }

    private static void leak(String mark) {
        PooledByteBufAllocator.DEFAULT.directBuffer(1).touch(mark);
    }

    @Override
    public void close() {
        detector.setLeakListener(null);
        ResourceLeakDetector.setLevel(before);
    }
}
