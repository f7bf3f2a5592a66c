// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.cases;

import io.highway.tools.conformance.bench.Bench;
import io.highway.tools.conformance.bench.Client;
import io.highway.tools.conformance.service.BrokenException;
import io.highway.tools.conformance.service.DeclinedException;
import io.highway.tools.conformance.service.Desk;
import io.highway.tools.conformance.service.Noise;
import io.highway.tools.conformance.service.Parcel;
import io.highway.tools.conformance.service.StreamOrder;
import io.highway.tools.gateways.Protocol;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.dubbo.rpc.RpcContext;

/** Providers without the SDK: with the advised setting, without it, and on an older line of Dubbo. */
final class Interop {

    /** The island whose provider is Dubbo as it comes. */
    static final String STOCK = "sichuan";

    /** The same with the setting that makes all gateways work. */
    static final String ADVISED = "guangdong";

    /** An older line of Dubbo. */
    static final String OLDER = "yunnan";

    /** What the advice must name. */
    static final String SETTING = "connection-initial-window-size=65535";

    private static final int THREADS = 8;
    private static final int CALLS = 40;
    private static final int KB = 1 << 10;

    private Interop() {}

    static List<Case> cases() {
        return List.of(
                Case.both("provider without the SDK", (bench, protocol) -> speaks(bench, protocol, ADVISED)),
                Case.both("provider on Dubbo 3.2.19", (bench, protocol) -> speaks(bench, protocol, OLDER)),
                Case.triple("load on the advised window", Interop::advisedWindow),
                Case.triple("stock window: works, or the error names the fix", Interop::stockWindow));
    }

    private static String speaks(Bench bench, Protocol protocol, String island) throws Exception {
        Client client = bench.client(protocol);
        Desk desk = client.desk();
        String id = bench.newId("interop");
        Parcel parcel = new Parcel("箱", 3, List.of("a"), new Parcel(null, 0, List.of(), null));
        Expect.same("answer", island + " 你好", client.to(island, () -> desk.answer(id, "你好")));
        Expect.same(
                "future",
                island + " x",
                client.to(island, () -> desk.answerLater(id, "x")).get(5, TimeUnit.SECONDS));
        Expect.same("null", null, client.to(island, () -> desk.orNull(id, null, null)));
        Expect.same("parcel", parcel, client.to(island, () -> desk.hand(id, parcel)));
        DeclinedException declined =
                Expect.thrown(DeclinedException.class, () -> client.to(island, () -> desk.decline(id, "no", 5)));
        Expect.same("field of a checked exception", 5, declined.code());
        BrokenException broken =
                Expect.thrown(BrokenException.class, () -> client.to(island, () -> desk.breakDown(id, "oh", 6)));
        Expect.same("field of an unchecked exception", 6, broken.code());
        byte[] body = Noise.bytes(80 * KB);
        Expect.same("CRC of 80 KB", Noise.crc(body), client.to(island, () -> desk.take(id, body)));
        Expect.holds(Arrays.equals(body, client.to(island, () -> desk.give(id, 80 * KB))), "80 KB back", "other bytes");
        Map<String, String> seen = client.to(island, () -> {
            RpcContext.getClientAttachment().setAttachment("tenant", "t1");
            return desk.attachments(id);
        });
        Expect.same("attachment", "t1", seen.get("tenant"));
        client.to(island, () -> desk.attach(id, 3));
        Expect.same(
                "response attachment",
                "value-2",
                RpcContext.getClientResponseContext().getAttachment("answer-2"));
        String also = "";
        if (protocol == Protocol.TRIPLE) {
            Received<byte[]> received = new Received<>();
            client.send(island, new StreamOrder(id, 100, 1000, 0, false), received);
            received.awaitEnd(10);
            Expect.same("streamed messages", 100, received.values().size());
            also = ", a stream";
        }
        return "values, exceptions, 80 KB both ways, attachments" + also;
    }

    private static String advisedWindow(Bench bench, Protocol protocol) throws Exception {
        Load load = load(bench, protocol, ADVISED);
        Expect.holds(load.failed == 0, "no call to fail", load.toString());
        return load.toString();
    }

    /** A failure because of that window must name the remedy. */
    private static String stockWindow(Bench bench, Protocol protocol) throws Exception {
        Load load = load(bench, protocol, STOCK);
        if (load.failed == 0) {
            return load.toString();
        }
        Expect.holds(load.failure.contains(SETTING), "no failure, or one that advises " + SETTING, load.toString());
        return load.passed + " calls passed, " + load.failed + " failed; the error advises " + SETTING;
    }

    private record Load(int passed, int failed, String failure) {
        @Override
        public String toString() {
            return passed + " calls passed" + (failed == 0 ? "" : ", " + failed + " failed: " + Expect.shown(failure));
        }
    }

    private static Load load(Bench bench, Protocol protocol, String island) throws Exception {
        AtomicInteger passed = new AtomicInteger();
        AtomicInteger failed = new AtomicInteger();
        AtomicReference<String> failure = new AtomicReference<>("");
        try (Client client = bench.newClient(protocol, "load-" + island, Bench.withoutBreaker(island))) {
            CompletableFuture<?>[] callers = new CompletableFuture<?>[THREADS];
            for (int caller = 0; caller < THREADS; caller++) {
                callers[caller] = CompletableFuture.runAsync(() -> {
                    for (int call = 0; call < CALLS; call++) {
                        byte[] body = Noise.bytes(call % 2 == 0 ? 2 * KB : 80 * KB);
                        String id = bench.newId("load");
                        try {
                            long crc = client.to(island, () -> client.desk().take(id, body));
                            Expect.same("CRC", Noise.crc(body), crc);
                            passed.incrementAndGet();
                        } catch (Exception e) {
                            failed.incrementAndGet();
                            failure.compareAndSet("", String.valueOf(e.getMessage()));
                        }
                    }
                });
            }
            CompletableFuture.allOf(callers).get(40, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new Unmet("callers that end", Expect.shown(e.getCause()), e);
        }
        return new Load(passed.get(), failed.get(), String.valueOf(failure.get()));
    }
}
