// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.config.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mockConstruction;

import io.highway.sdk.dubbo.internal.config.source.Mailbox.Publication;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mockito.MockedConstruction;

class PolicyCopyTest {

    /** As the file system of a lost mount: rules are followed, and the newest is written once it is back. */
    @Test
    void waitsForADiskThatDoesNotAnswer_once(@TempDir Path folder) {
        CountDownLatch back = new CountDownLatch(1);
        List<String> written = new CopyOnWriteArrayList<>();
        List<Thread> threads = new CopyOnWriteArrayList<>();
        PolicyCopy copy = new PolicyCopy(
                new PolicyStore(folder, "shop", "zhejiang", "test"),
                content -> {
                    threads.add(Thread.currentThread());
                    awaitUninterruptibly(back);
                    return written.add(content.text());
                },
                50);

        for (int i = 1; i <= 3; i++) {
            copy.keep(new Publication.Content("rule " + i, "test"));
            copy.save();
        }

        await().untilAsserted(() -> assertThat(threads).hasSize(1));
        assertThat(written).isEmpty();
        back.countDown();
        await().until(() -> {
            copy.save();
            return written.equals(List.of("rule 1", "rule 3"));
        });
    }

    @Test
    void writesAgain_afterNoThreadCouldBeStarted(@TempDir Path folder) {
        List<String> written = new CopyOnWriteArrayList<>();
        PolicyCopy copy = new PolicyCopy(
                new PolicyStore(folder, "shop", "zhejiang", "test"), content -> written.add(content.text()), 10_000);
        copy.keep(new Publication.Content("rule", "test"));

        MockedConstruction<Thread> noThreads =
                mockConstruction(Thread.class, (thread, context) -> doThrow(new OutOfMemoryError("no thread"))
                        .when(thread)
                        .start());
        copy.save();
        noThreads.close();
        copy.save();

        assertThat(written).containsExactly("rule");
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
