// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONWriter;
import io.highway.tools.chaos.account.Accounts;
import io.highway.tools.chaos.account.Mode;
import io.highway.tools.chaos.account.Totals;
import io.highway.tools.chaos.account.Verdict;
import io.highway.tools.chaos.account.Verdict.Wrong;
import io.highway.tools.chaos.star.Islands;
import io.highway.tools.chaos.star.PlainDubbo;
import io.highway.tools.processes.Links;
import java.io.IOException;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The table of a run, the errors, and the last line. */
final class Report {

    private static final String LINE = "%-34s %-7s %7s %9s %7s %8s %12s %10s %8s %9s%n";

    private final Accounts accounts;
    private final List<Row> rows;
    private final Verdict verdict;
    private final @Nullable PlainDubbo plain;
    private final Islands islands;
    private boolean good;

    Report(Accounts accounts, List<Row> rows, Verdict verdict, @Nullable PlainDubbo plain, Islands islands) {
        this.accounts = accounts;
        this.rows = rows;
        this.verdict = verdict;
        this.plain = plain;
        this.islands = islands;
        this.good = verdict.isClean();
    }

    /** Returns whether there were no errors. */
    boolean print(PrintStream out) throws IOException {
        out.printf(
                LINE,
                "fault",
                "mode",
                "calls",
                "delivered",
                "refused",
                "not sent",
                "sent unknown",
                "slowest ms",
                "first ms",
                "steady ms");
        for (Row row : rows) {
            for (Mode mode : Mode.values()) {
                print(out, row, mode);
            }
        }
        out.println();
        verdict.offenders().forEach(out::println);
        plain(out, "dubbo");
        plain(out, "tri");
        out.println(json());
        return good;
    }

    private void print(PrintStream out, Row row, Mode mode) {
        Totals totals = Totals.of(accounts, row.number(), mode);
        out.printf(
                LINE,
                mode == Mode.DUBBO ? row.fault().name() : "",
                mode.word(),
                totals.calls(),
                totals.delivered(),
                totals.refused(),
                totals.notSent(),
                totals.sentUnknown(),
                totals.slowestMillis(),
                millis(row.firstMillis().getOrDefault(mode, OptionalLong.empty()), row.waitedMillis()),
                millis(row.steadyMillis().getOrDefault(mode, OptionalLong.empty()), row.waitedMillis()));
        if (row.fault().harmless() && totals.delivered() < totals.calls()) {
            good = false;
            out.printf("  every call should have been delivered here%n");
        }
        if (totals.delivered() == 0) {
            good = false;
            out.printf("  not one call was delivered%n");
        }
    }

    private static String millis(OptionalLong millis, long waited) {
        return millis.isPresent() ? String.valueOf(millis.getAsLong()) : ">" + waited;
    }

    private void plain(PrintStream out, String protocol) throws IOException {
        if (plain != null) {
            out.printf(
                    "plain Dubbo, %s, gateway restarted: first call through again after %s ms%n",
                    protocol, millis(plain.recoveryMillis(protocol), PlainDubbo.GIVE_UP_MILLIS));
        }
    }

    private String json() throws IOException {
        long slowest = rows.stream()
                .filter(row -> row.fault().restartsGateway())
                .mapToLong(Row::slowestFirstMillis)
                .max()
                .orElse(0);
        Map<String, @Nullable Object> json =
                new LinkedHashMap<>(Totals.of(accounts).json());
        json.put("doubled", verdict.count(Wrong.DOUBLED));
        json.put("misrouted", verdict.count(Wrong.MISROUTED));
        json.put("hung", verdict.count(Wrong.HUNG));
        json.put("slowest_recovery_ms", slowest);
        json.put("unaccounted", verdict.count(Wrong.UNACCOUNTED));
        if (verdict.executedCalls() > 0) {
            json.put("unaudited", verdict.count(Wrong.UNAUDITED));
            json.put("audited", verdict.auditedCalls());
            json.put("ledger", verdict.executedCalls());
        }
        if (!islands.dictionaryKeys().isEmpty()) {
            long requests = islands.dictionaryRequests();
            good &= requests > 0;
            json.put("dictionary_requests", requests);
        }
        json.put("dubbo_bytes", islands.bytes(Links::dubbo));
        json.put("triple_bytes", islands.bytes(Links::triple));
        json.put("http_bytes", islands.bytes(Links::http));
        if (plain != null) {
            json.put("plain_dubbo_recovery_ms", orNull(plain.recoveryMillis("dubbo")));
            json.put("plain_triple_recovery_ms", orNull(plain.recoveryMillis("tri")));
        }
        return JSON.toJSONString(json, JSONWriter.Feature.WriteNulls);
    }

    private static @Nullable Long orNull(OptionalLong millis) {
        return millis.isPresent() ? (Long) millis.getAsLong() : null;
    }
}
