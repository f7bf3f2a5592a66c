// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Reason;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Thousands of Triple calls on one connection that the gateway answers before it has read them whole. A client may reset
 * the stream of each, and Netty's server ends a connection with more than 200 resets in 30 s.
 */
@Tag("network")
class QuickRefusalsTest {

    private static final int CALLS = 5000;

    private static Star star;

    @BeforeAll
    static void start() {
        star = new Star();
    }

    @AfterAll
    static void stop() {
        star.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 40_000})
    void doNotCostTheConnection(int size) {
        Shop shop = Highway.to("nowhere")
                .bind(
                        Shop.class,
                        star.shop(
                                Tunnel.TRIPLE,
                                "highway.islands.nowhere.retries",
                                "0",
                                "highway.heartbeat.interval",
                                "none",
                                "highway.defaults.breaker.failure-rate",
                                "none"));
        byte[] body = new byte[size];
        Map<Reason, Integer> reasons = new ConcurrentHashMap<>();

        IntStream.range(0, CALLS).parallel().forEach(i -> {
            try {
                shop.pack(body);
            } catch (HighwayException e) {
                reasons.merge(e.reason(), 1, Integer::sum);
            }
        });

        assertThat(reasons).isEqualTo(Map.of(Reason.NOT_FORWARDED, CALLS));
    }
}
