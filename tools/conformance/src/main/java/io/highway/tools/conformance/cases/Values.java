// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.cases;

import io.highway.tools.conformance.bench.Bench;
import io.highway.tools.conformance.bench.Client;
import io.highway.tools.conformance.service.BrokenException;
import io.highway.tools.conformance.service.DeclinedException;
import io.highway.tools.conformance.service.Desk;
import io.highway.tools.conformance.service.Parcel;
import io.highway.tools.gateways.Protocol;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The contents of calls: nothing, structures, exceptions, every alphabet. */
final class Values {

    /** Two, three and four bytes a character in UTF-8; the last needs two in UTF-16. */
    private static final String WORDS = "größe 上海浙江 公路 🚚🛣️ \u0000 end";

    private Values() {}

    static List<Case> cases() {
        return List.of(
                Case.all("null arguments and results", Values::nulls),
                Case.all("business exceptions", Values::exceptions),
                Case.all("non-ASCII payload", Values::words));
    }

    private static String nulls(Bench bench, Protocol protocol) throws Exception {
        Client client = bench.client(protocol);
        Desk desk = client.desk();
        String id = bench.newId("null");
        Parcel full = new Parcel("box", 3, List.of("a", "b"), new Parcel(null, 0, List.of(), null));
        Expect.same("null for nulls", null, client.to("shanghai", () -> desk.orNull(id, null, null)));
        Expect.same("text only", "x/null", client.to("shanghai", () -> desk.orNull(id, "x", null)));
        Expect.same("parcel only", "null/" + full, client.to("shanghai", () -> desk.orNull(id, null, full)));
        Expect.same("no parcel", null, client.to("shanghai", () -> desk.hand(id, null)));
        Expect.same("parcel", full, client.to("shanghai", () -> desk.hand(id, full)));
        Expect.same("parcels", List.of(full, full), client.to("shanghai", () -> desk.handAll(id, List.of(full, full))));
        Expect.same("executions", 6, bench.islands().executions(id));
        return "null in every place, nested objects equal";
    }

    private static String exceptions(Bench bench, Protocol protocol) {
        Client client = bench.client(protocol);
        Desk desk = client.desk();
        String id = bench.newId("exception");
        for (String text : List.of("no", "不行 " + WORDS)) {
            Parcel parcel = new Parcel(text, 17, List.of("shanghai"), null);
            DeclinedException declined = Expect.thrown(
                    DeclinedException.class, () -> client.to("shanghai", () -> desk.decline(id, text, 17)));
            Expect.same("checked: message", text, declined.getMessage());
            Expect.same("checked: field", 17, declined.code());
            Expect.same("checked: structured field", parcel, declined.parcel());
            BrokenException broken = Expect.thrown(
                    BrokenException.class, () -> client.to("shanghai", () -> desk.breakDown(id, text, 17)));
            Expect.same("unchecked: message", text, broken.getMessage());
            Expect.same("unchecked: field", 17, broken.code());
            Expect.same("unchecked: structured field", parcel, broken.parcel());
        }
        return "checked and unchecked, with type, message and fields";
    }

    private static String words(Bench bench, Protocol protocol) throws Exception {
        Client client = bench.client(protocol);
        Desk desk = client.desk();
        String id = bench.newId("words");
        Parcel parcel = new Parcel(WORDS, 1, List.of(WORDS, "邮票"), null);
        Expect.same("answer", "shanghai " + WORDS, client.to("shanghai", () -> desk.answer(id, WORDS)));
        Expect.same(
                "future",
                "shanghai " + WORDS,
                client.to("shanghai", () -> desk.answerLater(id, WORDS)).get(5, TimeUnit.SECONDS));
        Expect.same("parcel", parcel, client.to("shanghai", () -> desk.hand(id, parcel)));
        String many = "路".repeat(50_000) + "🚚".repeat(50_000);
        Expect.same("long text", "shanghai " + many, client.to("shanghai", () -> desk.answer(id, many)));
        return "arguments, answers, exceptions, 350 KB of Chinese and emoji";
    }
}
