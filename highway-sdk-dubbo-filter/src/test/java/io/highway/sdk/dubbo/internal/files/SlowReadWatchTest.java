// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.Test;

class SlowReadWatchTest {

    @Test
    void isSlow_untilItEnds() {
        SlowReadWatch reading = new SlowReadWatch(20);
        assertThat(reading.isSlow()).isFalse();

        reading.begin();

        await().until(reading::isSlow);
        reading.end();
        assertThat(reading.isSlow()).isFalse();
    }
}
