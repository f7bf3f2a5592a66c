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
import java.util.concurrent.TimeUnit;
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
        return load(bench, protocol, ADVISED);
    }

    /** A failure because of that window must name the remedy. */
    private static String stockWindow(Bench bench, Protocol protocol) throws Exception {
        try {
            return load(bench, protocol, STOCK);
        } catch (Unmet e) {
            boolean advises = String.valueOf(e.getCause()).contains(SETTING);
            Expect.holds(advises, "no failure, or one that advises " + SETTING, Expect.shown(e.getMessage()));
            return "some failed; the error advises " + SETTING;
        }
    }

    private static String load(Bench bench, Protocol protocol, String island) throws Exception {
        try (Client client = bench.newClient(protocol, "load-" + island, Bench.withoutBreaker(island))) {
            return Load.run(bench, island, THREADS, CALLS, (id, random) -> {
                        byte[] body = Noise.bytes(random.nextBoolean() ? 2 * KB : 80 * KB);
                        Expect.same("CRC", Noise.crc(body), client.to(island, () -> client.desk()
                                .take(id, body)));
                    })
                    + " calls passed";
        }
    }
}
