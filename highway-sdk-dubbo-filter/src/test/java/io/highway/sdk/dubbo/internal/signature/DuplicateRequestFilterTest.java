// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.signature;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Numbers that come with no time. */
@Tag("any-dubbo")
class DuplicateRequestFilterTest {

    private final AtomicLong nanos = new AtomicLong(TimeUnit.HOURS.toNanos(-1));
    private final ReplayCache seen = new ReplayCache(100, nanos::get);

    private void seconds(int seconds) {
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
    }

    @Test
    void areKnownForTwoMinutes_whateverComesMeanwhile() {
        for (int i = 0; i <= 12; i++) {
            assertThat(seen.addUntimed(100 + i, null)).isEqualTo(ReplayCache.Answer.NEW);
            assertThat(seen.addUntimed(100, null)).isEqualTo(ReplayCache.Answer.KNOWN);
            seconds(10);
        }
        seconds(130);
        assertThat(seen.addUntimed(100, null)).isEqualTo(ReplayCache.Answer.NEW);
        assertThat(seen.size()).isEqualTo(1);
    }

    @Test
    void areRefused_whenThereIsNoRoom_andNoneIsForgotten() {
        for (int i = 0; i < 100; i++) {
            assertThat(seen.addUntimed(100 + i, null)).isEqualTo(ReplayCache.Answer.NEW);
        }
        assertThat(seen.addUntimed(200, null)).isEqualTo(ReplayCache.Answer.FULL);
        assertThat(seen.addUntimed(105, null)).isEqualTo(ReplayCache.Answer.KNOWN);

        seconds(140);
        assertThat(seen.addUntimed(200, null)).isEqualTo(ReplayCache.Answer.NEW);
    }

    /** Their low bits would choose the place in the table. */
    @Test
    void callIdsWithEqualLowBits_areSpreadOverTheTable() {
        long places = IntStream.range(0, 1000)
                .mapToObj(i -> DuplicateRequestFilter.id(null, String.format(Locale.ROOT, "%08x00000001%016x", i, 0)))
                .map(id -> Objects.requireNonNull(id) & 0xffff)
                .distinct()
                .count();
        assertThat(places).isGreaterThan(900);
    }

    @Test
    void areNewToOneThreadOnly() {
        long accepted = IntStream.range(0, 8_000)
                .parallel()
                .filter(i -> {
                    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(10));
                    return seen.addUntimed(100 + i % 50, null) == ReplayCache.Answer.NEW;
                })
                .count();

        assertThat(accepted).isEqualTo(50);
    }

    private static InetAddress peer(int number) {
        try {
            return InetAddress.getByAddress(new byte[] {10, 0, 0, (byte) number});
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    private static @Nullable String reason(@Nullable Verification verdict) {
        return verdict == null ? null : verdict.reason();
    }

    @Test
    void ofOnePeer_takeAnEighthOfTheRoom_onceHalfOfItIsTaken() {
        DuplicateRequestFilter requests = new DuplicateRequestFilter(800, nanos::get);
        for (int i = 1; i <= 400; i++) {
            assertThat(requests.refusal(i, false, peer(1))).isNull();
        }

        assertThat(reason(requests.refusal(1_000, false, peer(1)))).isEqualTo("busy");
        assertThat(reason(requests.refusal(1, false, peer(1)))).isEqualTo("repeated");
        assertThat(reason(requests.refusal(1, true, null))).isEqualTo("replayed");
        assertThat(requests.refusal(1_000, false, null)).isNull();
        for (int i = 0; i < 100; i++) {
            assertThat(requests.refusal(2_000 + i, false, peer(2))).isNull();
        }
        assertThat(reason(requests.refusal(3_000, false, peer(2)))).isEqualTo("busy");
        assertThat(requests.refusal(3_000, false, peer(3))).isNull();

        seconds(140);
        assertThat(requests.refusal(4_000, false, peer(1))).isNull();
        assertThat(requests.refusal(1, false, peer(2))).isNull();
    }
}
