// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.timeout;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.highway.sdk.dubbo.internal.background.BackgroundTasks;
import io.highway.sdk.dubbo.internal.policy.source.Mailbox.Publication;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LastGoodRuleStoreTest {

    private static final long PATIENCE_MILLIS = 20_000;

    private final LastGoodRuleFile store = mock(LastGoodRuleFile.class);
    private final BackgroundTasks tasks = new BackgroundTasks();
    private final LastGoodRuleStore copy = new LastGoodRuleStore(store, tasks);
    private final List<String> written = new CopyOnWriteArrayList<>();

    @AfterEach
    void stop() {
        tasks.destroy();
    }

    private static Publication.Content rule(int number) {
        return new Publication.Content("rule " + number, "test");
    }

    /** As the file system of a lost mount: rules are followed, and the newest is written once it is back. */
    @Test
    void waitsForADiskThatDoesNotAnswer_once() {
        CountDownLatch back = new CountDownLatch(1);
        AtomicInteger begun = new AtomicInteger();
        when(store.save(any(), any(), any())).thenAnswer(call -> {
            begun.incrementAndGet();
            back.await();
            return written.add(call.getArgument(0));
        });

        copy.keep(rule(1));
        await().until(() -> begun.get() == 1);
        copy.keep(rule(2));
        copy.keep(rule(3));
        copy.retry();

        assertThat(begun).hasValue(1);
        assertThat(written).isEmpty();
        back.countDown();
        await().until(() -> written.equals(List.of("rule 1", "rule 3")));
    }

    @Test
    void writesAgain_onRequest_afterAWriteThatFailed() {
        when(store.save(any(), any(), any())).thenReturn(false).thenAnswer(call -> written.add(call.getArgument(0)));
        copy.keep(rule(1));
        verify(store, timeout(PATIENCE_MILLIS)).save(any(), any(), any());

        copy.retry();

        await().until(() -> written.equals(List.of("rule 1")));
        copy.retry();
        copy.close(PATIENCE_MILLIS);
        assertThat(written).containsExactly("rule 1");
    }

    /** A burst of rules costs one write, and the last one is on the disk when the application stops. */
    @Test
    void writesTheNewest_whenItCloses() {
        when(store.save(any(), any(), any())).thenAnswer(call -> written.add(call.getArgument(0)));
        copy.keep(rule(1));
        await().until(() -> !written.isEmpty());

        for (int i = 2; i <= 100; i++) {
            copy.keep(rule(i));
        }
        copy.close(PATIENCE_MILLIS);

        assertThat(written).startsWith("rule 1").endsWith("rule 100").hasSizeLessThan(10);
    }
}
