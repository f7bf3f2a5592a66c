// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.cases;

import io.highway.tools.conformance.bench.Bench;
import io.highway.tools.conformance.bench.Client;
import io.highway.tools.conformance.service.StreamOrder;
import io.highway.tools.conformance.service.Streams;
import io.highway.tools.fixtures.faults.FaultyLink;
import io.highway.tools.gateways.Protocol;
import io.highway.tools.processes.DubboCaller;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32;
import org.apache.dubbo.common.stream.StreamObserver;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.protocol.tri.observer.ClientCallToObserverAdapter;

/** Streams, which only Triple has. */
final class Streaming {

    private static final int SECONDS = 20;
    private static final int MB = 1 << 20;
    private static final int UPLOADS = 50;
    private static final int ROUND_TRIPS = 100;

    /** A stream that is far larger than all windows and buffers between the provider and its reader together. */
    private static final int LARGE_MESSAGES = 4000;

    private static final int LARGE_BYTES = 64 << 10;

    /** The capacity of windows and buffers: three gateways have some, and the system some for each connection. */
    private static final int BUFFERED_MB = 128;

    private static final long SLOW_MILLIS = 2000;

    private Streaming() {}

    static List<Case> cases() {
        return List.of(
                Case.triple("server stream", Streaming::serverStream),
                Case.triple("client stream", Streaming::clientStream),
                Case.triple("bidirectional stream", Streaming::bothWays),
                Case.triple("stream cancelled", Streaming::cancelled),
                Case.triple("trailers", Streaming::trailers),
                Case.triple("back-pressure", Streaming::backPressure));
    }

    private static String serverStream(Bench bench, Protocol protocol) throws Exception {
        Client client = bench.client(protocol);
        for (int bytes : new int[] {16, 16 << 10}) {
            Received<byte[]> received = new Received<>();
            String id = bench.newId("server-stream");
            client.send("shanghai", new StreamOrder(id, 1000, bytes, 0, false), received);
            received.awaitEnd(SECONDS);
            requireInOrder(received.values(), 1000, bytes);
        }
        return "1000 messages in order, of 16 bytes and of 16 KB";
    }

    private static void requireInOrder(List<byte[]> messages, int count, int bytes) {
        Expect.same("messages", count, messages.size());
        int expected = 0;
        for (byte[] message : messages) {
            Expect.same("size of message " + expected, bytes, message.length);
            Expect.same("number", expected, ByteBuffer.wrap(message).getInt());
            expected++;
        }
    }

    private static String clientStream(Bench bench, Protocol protocol) throws Exception {
        Client client = bench.client(protocol);
        Received<String> received = new Received<>();
        StreamObserver<String> upload =
                client.to("shanghai", () -> client.streams().collect(received));
        upload.onNext(bench.newId("client-stream"));
        CRC32 crc = new CRC32();
        for (int number = 0; number < UPLOADS; number++) {
            // few bytes together: Dubbo's server, 3.3.6, damages streamed messages that a gateway cuts into several
            // frames
            String message = number + " 上传";
            crc.update(message.getBytes(StandardCharsets.UTF_8));
            upload.onNext(message);
        }
        upload.onCompleted();
        received.awaitEnd(SECONDS);
        Expect.same("answer", List.of(UPLOADS + " " + crc.getValue()), received.values());
        return UPLOADS + " messages, one answer";
    }

    private static String bothWays(Bench bench, Protocol protocol) throws Exception {
        Client client = bench.client(protocol);
        AtomicInteger came = new AtomicInteger();
        Received<String> received = new Received<>(value -> came.incrementAndGet());
        StreamObserver<String> sending =
                client.to("beijing", () -> client.streams().repeat(received));
        sending.onNext(bench.newId("both-ways"));
        for (int number = 1; number <= ROUND_TRIPS; number++) {
            int expected = number;
            sending.onNext("message " + number);
            Expect.becomes(() -> came.get() == expected, 5000, "answer " + number, () -> came + " answers");
            Expect.same("answer", "beijing message " + number, received.values().get(number - 1));
        }
        sending.onCompleted();
        received.awaitEnd(SECONDS);
        return ROUND_TRIPS + " messages and answers";
    }

    private static String cancelled(Bench bench, Protocol protocol) throws Exception {
        Client client = bench.client(protocol);
        String id = bench.newId("cancelled");
        Received<String> received = new Received<>();
        StreamObserver<String> sending =
                client.to("shanghai", () -> client.streams().repeat(received));
        sending.onNext(id);
        sending.onNext("one");
        Expect.becomes(() -> received.values().size() == 1, 5000, "an answer", () -> "none");
        ((ClientCallToObserverAdapter<?>) sending).cancel(new IllegalStateException("no longer wanted"));
        Expect.becomes(
                () -> bench.islands().ledger("shanghai").events(id).contains("cancelled"),
                5000,
                "the provider to see the cancellation",
                () -> Expect.shown(bench.islands().ledger("shanghai").events(id)));
        return "the provider saw it";
    }

    private static String trailers(Bench bench, Protocol protocol) throws Exception {
        Client client = bench.client(protocol);
        Received<byte[]> received = new Received<>();
        client.send("shanghai", new StreamOrder(bench.newId("trailers"), 3, 16, 0, true), received);
        Throwable failure = received.awaitError(SECONDS);
        requireInOrder(received.values(), 3, 16);
        Expect.holds(
                String.valueOf(failure.getMessage()).contains("stream broken in shanghai"),
                "grpc-message with its words",
                Expect.shown(failure));
        return "three messages, then status and message: " + failure.getClass().getSimpleName();
    }

    /** The reader pauses for a while; the provider is guangdong's, whose link counts bytes. */
    private static String backPressure(Bench bench, Protocol protocol) throws Exception {
        FaultyLink toProvider = bench.islands().metered(protocol);
        try (FaultyLink reader = bench.link(protocol, "guangdong");
                DubboCaller plain = DubboCaller.withoutSdk("back-pressure")) {
            Streams streams = plain.refer(Streams.class, "tri://gateway.zhejiang.test:" + reader.port());
            String id = bench.newId("back-pressure");
            AtomicInteger count = new AtomicInteger();
            AtomicInteger wrong = new AtomicInteger();
            Received<byte[]> received = new Received<>() {
                @Override
                public void onNext(byte[] message) { // keeps none of 250 MB
                    if (ByteBuffer.wrap(message).getInt() != count.getAndIncrement()) {
                        wrong.incrementAndGet();
                    }
                }
            };
            RpcContext.getClientAttachment().setAttachment("highway-island", "guangdong");
            streams.send(new StreamOrder(id, LARGE_MESSAGES, LARGE_BYTES, 0, false), received);
            Expect.becomes(() -> count.get() > 0, 5000, "a first message", () -> "none");
            reader.blackHole();
            long before = toProvider.traffic().toClients().sum();
            TimeUnit.MILLISECONDS.sleep(SLOW_MILLIS); // until no more bytes come
            long buffered = toProvider.traffic().toClients().sum() - before;
            int readBefore = count.get();
            reader.heal();
            received.awaitEnd(SECONDS);
            Expect.same("messages", LARGE_MESSAGES, count.get());
            Expect.same("messages out of order", 0, wrong.get());
            Expect.holds(
                    buffered / MB <= BUFFERED_MB,
                    "at most " + BUFFERED_MB + " MB from the provider while nobody read",
                    buffered / MB + " MB of " + ((long) LARGE_MESSAGES * LARGE_BYTES / MB));
            Expect.holds(readBefore < LARGE_MESSAGES, "a reader that was still reading", "all messages at once");
            return "provider stopped after " + buffered / MB + " MB of " + ((long) LARGE_MESSAGES * LARGE_BYTES / MB)
                    + " MB; all arrived in order";
        }
    }
}
