// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.cases;

import io.highway.sdk.dubbo.HighwayException;
import io.highway.tools.conformance.bench.Bench;
import io.highway.tools.conformance.bench.Client;
import io.highway.tools.conformance.bench.OrderTexts;
import io.highway.tools.conformance.cases.Case.When;
import io.highway.tools.conformance.service.StreamOrder;
import io.highway.tools.fixtures.faults.FaultyLink;
import io.highway.tools.gateways.Protocol;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.dubbo.common.stream.StreamObserver;

/** The compression of a policy, through a gateway that passes messages and their encoding on as they are. */
final class Compression {

    private static final int KB = 1 << 10;
    private static final int CALLS = 20;
    private static final int STREAM_BYTES = 4 * KB;
    private static final int SECONDS = 20;
    private static final int ADVERTISED_SECONDS = 64;
    private static final long BETWEEN_CALLS_MILLIS = 500;

    /** By the dictionary, of a message that has about 550 bytes without it. */
    private static final long SAVED_BYTES = 100;

    /** What the headers of a call may have; compressed text has less than a tenth of its bytes. */
    private static final int HEADER_BYTES = KB;

    private Compression() {}

    static List<Case> cases() {
        return List.of(
                Case.triple("compression zstd", Compression::zstd),
                Case.triple("compression auto", Compression::auto),
                Case.triple("compression dictionary", Compression::dictionary).when(When.BESIDE));
    }

    /** About 8 KB, different for each number. */
    private static String text(int number) {
        return ("{\"order\":" + (1000 + number) + ",\"item\":\"绿茶\"},").repeat(256);
    }

    private static String zstd(Bench bench, Protocol protocol) throws Exception {
        try (FaultyLink link = bench.link(protocol, "shanghai");
                Client client = client(bench, protocol, link, "zstd")) {
            Meter meter = new Meter(link);
            requireCompressed(meter.of(() -> calls(bench, client, "shanghai")));
            requireCompressed(meter.of(() -> roundTrips(bench, client)));
            return meter + ", sync, async and stream";
        }
    }

    /** Dubbo alone reads no zstd: with {@code auto}, its answers show that. */
    private static String auto(Bench bench, Protocol protocol) throws Exception {
        StringBuilder seen = new StringBuilder();
        for (String island : List.of(Interop.ADVISED, Interop.OLDER)) {
            try (FaultyLink link = bench.link(protocol, island);
                    Client client = client(bench, protocol, link, "auto")) {
                Meter meter = new Meter(link);
                requirePlain(meter.of(() -> calls(bench, client, island)));
                requirePlain(meter.of(() -> serverStream(bench, client, island)));
                seen.append(seen.isEmpty() ? "" : "; ")
                        .append(island)
                        .append(": ")
                        .append(meter);
            }
        }
        return seen.toString();
    }

    /**
     * The names of the encoding and the messages pass in both directions: answers have the dictionary at once, requests
     * when all answers of a minute have advertised it.
     */
    private static String dictionary(Bench bench, Protocol protocol) throws Exception {
        Map<String, String> key = Map.of(
                "highway.dictionaries.orders",
                "file:" + bench.islands().dictionary(),
                "highway.islands.shanghai.dictionary",
                "orders");
        try (FaultyLink link = bench.link(protocol, "shanghai");
                FaultyLink plainLink = bench.link(protocol, "shanghai");
                Client client = client(bench, protocol, link, "zstd", key);
                Client plain = client(bench, protocol, plainLink, "zstd")) {
            orders(bench, client);
            orders(bench, plain);
            Transfer without = new Meter(plainLink).of(() -> orders(bench, plain));
            Transfer first = new Meter(link).of(() -> orders(bench, client));
            requireSmaller("answers with the dictionary", first.down, without.down);
            long begun = System.nanoTime();
            while (System.nanoTime() - begun < TimeUnit.SECONDS.toNanos(ADVERTISED_SECONDS)) {
                TimeUnit.MILLISECONDS.sleep(BETWEEN_CALLS_MILLIS);
                orderUnlessOverloaded(bench, client);
            }
            Transfer then = new Meter(link).of(() -> orders(bench, client));
            requireSmaller("requests with the dictionary", then.up, without.up);
            requireSmaller("answers with the dictionary", then.down, without.down);
            return "%d KB of requests in %d KB with the dictionary, %d KB without"
                    .formatted(then.payload.up / KB, then.up / KB, without.up / KB);
        }
    }

    /** A case beside this one overloads the gateway with 10,000 calls. */
    private static void orderUnlessOverloaded(Bench bench, Client client) throws Exception {
        try {
            order(bench, client, 0);
        } catch (HighwayException e) {
            if (e.mayHaveRun()) {
                throw e;
            }
        }
    }

    private static Payload orders(Bench bench, Client client) throws Exception {
        long bytes = 0;
        for (int number = 0; number < CALLS; number++) {
            bytes += order(bench, client, number);
        }
        return new Payload(bytes, bytes);
    }

    private static int order(Bench bench, Client client, int number) throws Exception {
        String text = OrderTexts.text(number);
        String id = bench.newId("dictionary");
        Expect.answer(client, "shanghai", id, text);
        return text.length();
    }

    /** Gateways add headers of different length to both. */
    private static void requireSmaller(String what, long with, long without) {
        Expect.holds(
                with + CALLS * SAVED_BYTES < without,
                what + ", " + SAVED_BYTES + " bytes less per message",
                with + " bytes for " + CALLS + " messages, " + without + " without it");
    }

    private static Client client(Bench bench, Protocol protocol, FaultyLink link, String compression) {
        return client(bench, protocol, link, compression, Map.of());
    }

    private static Client client(
            Bench bench, Protocol protocol, FaultyLink link, String compression, Map<String, String> more) {
        Map<String, String> keys = new HashMap<>(more);
        keys.put("highway.defaults.compression", compression);
        keys.put("highway.heartbeat.interval", "none");
        Client client = bench.newClient(
                protocol, "compression-" + compression, island -> "gateway.zhejiang.test:" + link.port(), keys);
        client.awaitConnected();
        return client;
    }

    /** Payload of requests and answers. */
    private record Payload(long up, long down) {}

    private static Payload calls(Bench bench, Client client, String island) throws Exception {
        long bytes = 0;
        String id = bench.newId("compression");
        for (int number = 0; number < CALLS; number++) {
            String text = text(number);
            String answer = number % 2 == 0
                    ? client.to(island, () -> client.desk().answer(id, text))
                    : client.to(island, () -> client.desk().answerLater(id, text))
                            .get(SECONDS, TimeUnit.SECONDS);
            Expect.same("answer", island + " " + text, answer);
            bytes += text.length();
        }
        return new Payload(bytes, bytes);
    }

    private static Payload roundTrips(Bench bench, Client client) throws Exception {
        AtomicInteger came = new AtomicInteger();
        Received<String> received = new Received<>(value -> came.incrementAndGet());
        StreamObserver<String> sending =
                client.to("shanghai", () -> client.streams().repeat(received));
        sending.onNext(bench.newId("compression-stream"));
        long bytes = 0;
        for (int number = 0; number < CALLS; number++) {
            int expected = number + 1;
            String text = text(number);
            sending.onNext(text);
            Expect.becomes(() -> came.get() == expected, 5000, "answer " + expected, () -> came + " answers");
            Expect.same("answer", "shanghai " + text, received.values().get(number));
            bytes += text.length();
        }
        sending.onCompleted();
        received.awaitEnd(SECONDS);
        return new Payload(bytes, bytes);
    }

    private static Payload serverStream(Bench bench, Client client, String island) throws Exception {
        Received<byte[]> received = new Received<>();
        client.send(
                island, new StreamOrder(bench.newId("compression-stream"), CALLS, STREAM_BYTES, 0, false), received);
        received.awaitEnd(SECONDS);
        Expect.same("messages", CALLS, received.values().size());
        for (byte[] message : received.values()) {
            Expect.same("size of a message", STREAM_BYTES, message.length);
        }
        return new Payload(0, (long) CALLS * STREAM_BYTES);
    }

    private static void requireCompressed(Transfer transfer) {
        Payload payload = transfer.payload;
        Expect.holds(
                transfer.up < payload.up / 10 + CALLS * HEADER_BYTES,
                "compressed requests",
                transfer.up + " bytes for " + payload.up);
        Expect.holds(
                transfer.down < payload.down / 10 + CALLS * HEADER_BYTES,
                "compressed answers",
                transfer.down + " bytes for " + payload.down);
    }

    private static void requirePlain(Transfer transfer) {
        Payload payload = transfer.payload;
        Expect.holds(transfer.up >= payload.up, "plain requests", transfer.up + " bytes for " + payload.up);
        Expect.holds(transfer.down >= payload.down, "plain answers", transfer.down + " bytes for " + payload.down);
    }

    private record Transfer(Payload payload, long up, long down) {}

    /** What the client and its gateway have exchanged. */
    private static final class Meter {

        private final FaultyLink link;
        private long up;
        private long down;
        private long payload;

        Meter(FaultyLink link) {
            this.link = link;
        }

        Transfer of(Callable<Payload> calls) throws Exception {
            long upBefore = link.traffic().toTarget().sum();
            long downBefore = link.traffic().toClients().sum();
            Payload sent = calls.call();
            Transfer transfer = new Transfer(
                    sent,
                    link.traffic().toTarget().sum() - upBefore,
                    link.traffic().toClients().sum() - downBefore);
            up += transfer.up;
            down += transfer.down;
            payload += sent.up + sent.down;
            return transfer;
        }

        @Override
        public String toString() {
            return payload / KB + " KB in " + (up + down) / KB + " KB";
        }
    }
}
