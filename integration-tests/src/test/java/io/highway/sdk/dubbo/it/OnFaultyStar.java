// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Reason;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

/** Tests that share a star whose connections and gateways fail on demand. */
abstract class OnFaultyStar {

    static FaultyStar star;
    final RecordedEvents events = new RecordedEvents();

    @BeforeAll
    static void start() {
        star = new FaultyStar();
    }

    @AfterEach
    void forget() {
        star.forget();
    }

    /** A call is refused at once, and nothing is sent; await it, since the machine may pause during one. */
    static void assertRefused(Shop shop, String how) {
        long begin = System.nanoTime();
        assertThatThrownBy(() -> shop.sell("tea"))
                .isInstanceOfSatisfying(HighwayException.class, e -> {
                    assertThat(e.reason()).isEqualTo(Reason.BREAKER_OPEN);
                    assertThat(e.mayHaveRun()).isFalse();
                })
                .hasMessageMatching("(?s).*" + how + ".*");
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofMillis(200));
    }

    @AfterAll
    static void stop() {
        star.close();
    }
}
