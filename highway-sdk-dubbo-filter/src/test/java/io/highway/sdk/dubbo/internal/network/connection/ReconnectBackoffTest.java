// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReconnectBackoffTest {

    private long nanos = -Duration.ofHours(1).toNanos();
    private final ReconnectBackoff backoff = new ReconnectBackoff(() -> nanos);

    private void pass(long millis) {
        nanos += Duration.ofMillis(millis).toNanos();
    }

    @ParameterizedTest
    @CsvSource({"1, 200", "2, 400", "5, 3200", "6, 5000", "100, 5000"})
    void pausesTwiceAsLongAfterEachConnectionThatWasAcceptedInVain(int attempts, long pauseMillis) {
        for (int i = 0; i < attempts; i++) {
            backoff.tried(true);
        }

        pass(pauseMillis - 1);
        assertThat(backoff.isDue()).isFalse();
        pass(1);
        assertThat(backoff.isDue()).isTrue();
    }

    @Test
    void doesNotPause_whileAGatewayRefusesConnections() {
        backoff.tried(true);

        backoff.tried(false);

        assertThat(backoff.isActive()).isFalse();
        assertThat(backoff.isDue()).isTrue();
    }
}
