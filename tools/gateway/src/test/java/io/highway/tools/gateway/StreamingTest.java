// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.highway.tools.gateway.EchoService.Streaming;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.dubbo.common.stream.StreamObserver;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.protocol.tri.observer.ClientCallToObserverAdapter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Streams in every direction, through two gateways. */
@Tag("network")
class StreamingTest {
    private TestProviders island;
    private Gateway gateway;
    private Gateway hub;
    private TestCaller caller;
    private Streaming service;

    @BeforeEach
    void start() {
        island = TestProviders.start("shanghai");
        gateway = Gateway.start(island.inFront().build());
        hub = Gateway.start(TestProviders.hub("gateway.shanghai.test:" + gateway.port())
                .grace(Duration.ofMillis(200))
                .build());
        caller = new TestCaller();
        service = caller.refer(Streaming.class, "tri", hub.port());
    }

    @AfterEach
    void stop() {
        RpcContext.removeContext();
        caller.close();
        hub.close();
        gateway.close();
        island.close();
    }

    @Test
    void carriesAServerStreamInOrder() {
        Received<byte[]> received = new Received<>();

        toShanghai();
        service.count(1000, received);

        assertThat(received.completion).succeedsWithin(Duration.ofSeconds(20));
        List<Byte> firstBytes = received.values.stream().map(block -> block[0]).toList();
        assertThat(firstBytes).hasSize(1000);
        assertThat(firstBytes.get(999)).isEqualTo((byte) 999);
    }

    @Test
    void carriesAClientStream() {
        Received<String> received = new Received<>();

        toShanghai();
        StreamObserver<String> upload = service.collect(received);
        // Few enough bytes to travel in whole frames: Dubbo's server (3.3.6) damages streamed messages that are cut.
        for (int block = 0; block < 100; block++) {
            upload.onNext("x".repeat(500));
        }
        upload.onCompleted();

        assertThat(received.completion).succeedsWithin(Duration.ofSeconds(20));
        assertThat(received.values).containsExactly("50000");
    }

    @Test
    void carriesBothDirectionsAtOnce() {
        Received<String> received = new Received<>();

        toShanghai();
        StreamObserver<String> sending = service.repeat(received);
        for (int turn = 0; turn < 100; turn++) {
            sending.onNext("turn" + turn);
            int expected = turn + 1;
            await().pollInterval(Duration.ofMillis(5)).until(() -> received.values.size() == expected);
        }
        sending.onCompleted();

        assertThat(received.completion).succeedsWithin(Duration.ofSeconds(20));
        assertThat(received.values).startsWith("shanghai:turn0").endsWith("shanghai:turn99");
    }

    @Test
    void cancelsAtTheProvider_whenTheCallerCancels() {
        Received<String> received = new Received<>();
        toShanghai();
        StreamObserver<String> sending = service.repeat(received);
        sending.onNext("one");
        await().until(() -> received.values.size() == 1);

        ((ClientCallToObserverAdapter<?>) sending).cancel(new IllegalStateException("no longer wanted"));

        await().untilTrue(island.cancelled);
    }

    @Test
    void tellsTheCaller_whenAGatewayDiesInTheMiddle() {
        Received<String> received = new Received<>();
        toShanghai();
        StreamObserver<String> sending = service.repeat(received);
        sending.onNext("one");
        await().until(() -> received.values.size() == 1);

        gateway.closeNow();

        assertThat(received.completion)
                .failsWithin(Duration.ofSeconds(5))
                .withThrowableThat()
                .withMessageContaining("HIGHWAY-CONNECTION-LOST");
        await().untilTrue(island.cancelled);
    }

    private static void toShanghai() {
        RpcContext.getClientAttachment().setAttachment("highway-island", "shanghai");
    }

    /** Collects what a stream brings. */
    private static final class Received<T> implements StreamObserver<T> {
        final Queue<T> values = new ConcurrentLinkedQueue<>();
        final CompletableFuture<Void> completion = new CompletableFuture<>();

        @Override
        public void onNext(T value) {
            values.add(value);
        }

        @Override
        public void onError(Throwable failure) {
            completion.completeExceptionally(failure);
        }

        @Override
        public void onCompleted() {
            completion.complete(null);
        }
    }
}
