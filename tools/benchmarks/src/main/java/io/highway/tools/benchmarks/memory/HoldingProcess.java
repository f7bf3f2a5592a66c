// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.memory;

import io.highway.tools.benchmarks.calls.ProviderProcess;
import io.netty.util.internal.PlatformDependent;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** A provider that keeps requests in flight; {@code -Dhighway.island} is all that the SDK's side has more. */
final class HoldingProcess {

    private HoldingProcess() {}

    /** Arguments: the port for the Dubbo protocol and the one for Triple. */
    public static void main(String[] arguments) {
        ProviderProcess.provider(arguments[0], arguments[1])
                .export(HoldingService.class, new Holding())
                .serve(ProviderProcess.ISLAND);
    }

    private static final class Holding implements HoldingService {

        private final Map<CompletableFuture<Integer>, byte[]> held = new ConcurrentHashMap<>();

        @Override
        public CompletableFuture<Integer> hold(byte[] body) {
            CompletableFuture<Integer> answer = new CompletableFuture<>();
            held.put(answer, body);
            return answer;
        }

        @Override
        public int held() {
            return held.size();
        }

        @Override
        public long used() {
            System.gc();
            long direct = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                    .filter(pool -> pool.getName().equals("direct"))
                    .mapToLong(BufferPoolMXBean::getMemoryUsed)
                    .sum();
            return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed()
                    + direct
                    + Math.max(0, PlatformDependent.usedDirectMemory());
        }

        @Override
        public void release() {
            held.forEach((answer, body) -> answer.complete(body.length));
            held.clear();
        }
    }
}
