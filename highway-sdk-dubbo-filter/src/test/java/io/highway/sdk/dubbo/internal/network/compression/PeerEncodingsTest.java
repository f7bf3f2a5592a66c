// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.compression;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** An island reads zstd once all its answers of a minute have said so. */
class PeerEncodingsTest {

    private static final String SDK = "gzip,snappy,zstd";

    /** Any value: {@code System.nanoTime} may be negative, and overflow. */
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);

    private final PeerEncodings encodings = new PeerEncodings(nanos::get);

    /** Answers once a second. */
    private void answerFor(int seconds, String accepted) {
        for (int i = 0; i < seconds; i++) {
            encodings.answered("shop", accepted);
            pass(1);
        }
    }

    private void pass(int seconds) {
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
    }

    @Test
    void doNotIncludeIt_untilAllAnswersOfAMinuteAdvertiseIt() {
        assertThat(encodings.isRead("zstd")).isFalse();

        answerFor(59, SDK);
        assertThat(encodings.isRead("zstd")).isFalse();

        answerFor(1, "zstd, gzip");
        assertThat(encodings.isRead("zstd")).isTrue();
    }

    @Test
    void doNotIncludeIt_forAMinuteAfterAnAnswerWithoutIt() {
        answerFor(120, SDK);

        encodings.answered("shop", "gzip,snappy");
        assertThat(encodings.isRead("zstd")).isFalse();
        answerFor(60, SDK);
        assertThat(encodings.isRead("zstd")).isTrue();

        encodings.answered("shop", null);
        assertThat(encodings.isRead("zstd")).isFalse();
        answerFor(59, SDK);
        assertThat(encodings.isRead("zstd")).isFalse();
    }

    @Test
    void doNotIncludeIt_forAMinuteAfterARefusal() {
        answerFor(120, SDK);

        encodings.refused("zstd", "shanghai", "shop");
        assertThat(encodings.isRead("zstd")).isFalse();
        answerFor(60, SDK);
        assertThat(encodings.isRead("zstd")).isTrue();
    }

    @Test
    void includeZstd_afterRefusalsOfADictionary() {
        assertThat(encodings.isRead("zstd-1")).isFalse();
        answerFor(61, SDK + ",zstd-1");
        assertThat(encodings.isRead("zstd-1")).isTrue();

        encodings.refused("zstd-1", "shanghai", "shop");
        encodings.refused("zstd-1", "shanghai", "shop");
        assertThat(encodings.isRead("zstd-1")).isFalse();
        assertThat(encodings.isRead("zstd")).isTrue();

        encodings.refused("zstd", "shanghai", "shop");
        assertThat(encodings.isRead("zstd")).isFalse();
    }

    @Test
    void includeIt_forServicesWhoseLastAnswerAdvertisedIt() {
        answerFor(61, SDK);

        assertThat(encodings.isRead("zstd", "shop")).isTrue();
        assertThat(encodings.isRead("zstd", "another")).isFalse();
        encodings.answered("another", SDK + ",gzip");
        assertThat(encodings.isRead("zstd", "another")).isTrue();
    }

    @Test
    void doNotIncludeIt_whenNothingWasAnsweredForAMinute() {
        answerFor(120, SDK);
        pass(58);
        assertThat(encodings.isRead("zstd")).isTrue();

        pass(1);
        assertThat(encodings.isRead("zstd")).isFalse();
        answerFor(1, SDK);
        assertThat(encodings.isRead("zstd")).isFalse();
    }

    @Test
    void doNotIncludeIt_forAnotherName() {
        answerFor(120, "zstdx,xzstd,gzip");

        assertThat(encodings.isRead("zstd")).isFalse();
    }

    @Test
    void areRefusedByAService_forAMinute() {
        encodings.refused("zstd", "shanghai", "shop");
        pass(59);
        encodings.refused("zstd", "shanghai", "shop"); // sent before the first one

        assertThat(encodings.isRefused("shop")).isTrue();
        assertThat(encodings.isRefused("another")).isFalse();
        pass(1);
        assertThat(encodings.isRefused("shop")).isFalse();
    }

    @Test
    void areNotRefused_ifTheRequestWasPlainOrHadADictionary() {
        encodings.isRead("zstd-1");

        encodings.refused("zstd-1", "shanghai", "shop");
        encodings.refused("identity", "shanghai", "shop");
        encodings.refused(null, "shanghai", "shop");

        assertThat(encodings.isRefused("shop")).isFalse();
    }
}
