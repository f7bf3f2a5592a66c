// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.tools.gateway.Gateway;
import io.highway.tools.gateway.GatewayConfig;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.apache.dubbo.common.Version;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A gigabyte of asynchronous calls at once to a slow provider, from a process with half of that. */
@Tag("network")
@Tag("long")
class LargeCallsTest {

    private static final int CALLS = 5000;
    private static final int MEMORY = 512;

    /** A quarter of the memory outside of the heap is the default of gateways.max-bytes-in-flight; the rest is Netty's arenas. */
    private static final int MOST = MEMORY / 2;

    private final AtomicBoolean over = new AtomicBoolean();

    @ParameterizedTest
    @EnumSource
    void neverExhaustTheMemoryOfTheirProcess(Tunnel tunnel) throws Exception {
        try (TestIsland shanghai = new TestIsland(
                        "shanghai", Map.of("highway.island", "shanghai", "dubbo.provider.queues", "10000"));
                Gateway home = Gateway.start(GatewayConfig.builder()
                        .island("zhejiang")
                        .listen("gateway.zhejiang.test", 0)
                        .next("shanghai", List.of(shanghai.gatewayAddress()))
                        .build())) {
            Thread answering = new Thread(() -> answerSlowly(shanghai.shop), "answering");
            answering.start();
            Map<String, Integer> ends = LargeCallsProcess.run(
                    MEMORY + "m",
                    CALLS,
                    Map.of(
                            "highway.island",
                            "zhejiang",
                            "highway.islands.shanghai.retries",
                            "0",
                            "highway.defaults.tunnel",
                            tunnel.key(),
                            "highway.defaults.timeout",
                            "120s", // of a busy machine
                            "highway.heartbeat.interval",
                            "none",
                            "highway.gateways." + tunnel.key(),
                            "gateway.zhejiang.test:" + home.port()));
            over.set(true);
            answering.join();

            int peak = ends.remove(LargeCallsProcess.PEAK);
            if (tunnel == Tunnel.DUBBO || Version.getVersion().startsWith("3.3")) {
                assertThat(ends).containsOnlyKeys("delivered", "busy, not sent");
            } else { // the Triple server of Dubbo 3.2 loses connections when it has more to do than threads
                assertThat(ends).containsKey("busy, not sent").doesNotContainKey("serialization, may have run");
            }
            assertThat(ends.values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(CALLS);
            assertThat(peak).isLessThan(MOST);
        }
    }

    /** Each call that has come is answered after 50 to 100 milliseconds. */
    private void answerSlowly(ShopKeeper shop) {
        while (!over.get()) {
            List<ShopKeeper.Received> come = List.copyOf(shop.received);
            LockSupport.parkNanos(50_000_000);
            come.forEach(call -> LockSupport.unpark(call.thread()));
            shop.received.removeAll(come);
        }
    }
}
