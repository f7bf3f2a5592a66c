// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.lane;

import static org.assertj.core.api.Assertions.assertThat;

import com.netflix.concurrency.limits.Limiter;
import io.highway.sdk.dubbo.policy.IslandPolicy.Concurrency;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class BulkheadTest {

    @Test
    void hasRoomForEverybody_whenUnlimited() {
        Bulkhead bulkhead = new Bulkhead(new Concurrency(0, false, 0));

        for (int i = 0; i < 10_000; i++) {
            assertThat(bulkhead.enter()).isNotNull();
        }
        assertThat(bulkhead.limit()).isEqualTo("unlimited");
        assertThat(bulkhead.waits()).isFalse();
    }

    @Test
    void hasRoomForSoMany_andAgainWhenOneLeaves() {
        Bulkhead bulkhead = new Bulkhead(new Concurrency(2, false, 0));
        Limiter.Listener first = bulkhead.enter();
        Limiter.Listener second = bulkhead.enter();
        assertThat(first).isNotNull();
        assertThat(second).isNotNull();

        assertThat(bulkhead.enter()).isNull();

        first.onIgnore();
        assertThat(bulkhead.enter()).isNotNull();
        assertThat(bulkhead.enter()).isNull();
        assertThat(bulkhead.limit()).isEqualTo("2");
    }

    @Test
    void waitsForRoom_noLongerThanItMay() {
        Bulkhead patient = new Bulkhead(new Concurrency(1, false, 10_000));
        Limiter.Listener first = patient.enter();
        CompletableFuture<Limiter.Listener> second = CompletableFuture.supplyAsync(patient::enter);
        first.onSuccess();
        assertThat(second.join()).isNotNull();

        Bulkhead brief = new Bulkhead(new Concurrency(1, false, 20));
        assertThat(brief.enter()).isNotNull();
        assertThat(brief.enter()).isNull();
        assertThat(brief.waits()).isTrue();
    }

    @Test
    void startsWithALimit_whenTheLinkDecides() {
        Bulkhead bulkhead = new Bulkhead(new Concurrency(0, true, 0));
        List<Limiter.Listener> inside = new ArrayList<>();

        Limiter.Listener next = bulkhead.enter();
        while (next != null) {
            inside.add(next);
            next = bulkhead.enter();
        }

        assertThat(inside).hasSize(20);
        assertThat(bulkhead.limit()).isEqualTo("20 (auto)");
    }
}
