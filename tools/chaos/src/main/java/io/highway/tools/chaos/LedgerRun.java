// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos;

import com.alibaba.fastjson2.JSON;
import io.highway.tools.chaos.account.Accounts;
import io.highway.tools.chaos.account.Totals;
import io.highway.tools.chaos.account.Verdict;
import io.highway.tools.chaos.account.Verdict.Wrong;
import io.highway.tools.chaos.load.Compression;
import io.highway.tools.chaos.load.Consumer;
import io.highway.tools.chaos.load.Pace;
import io.highway.tools.chaos.load.Traffic;
import io.highway.tools.chaos.star.ForwardProxy;
import io.highway.tools.chaos.star.Islands;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A number of calls of each tunnel, as fast as answers arrive, under one fault after the other, and the account of each.
 *
 * @param calls of each tunnel, at least
 * @param proxy the kind of the forward proxy before home's gateways, which fails, too; null for none
 */
record LedgerRun(Path folder, int calls, ForwardProxy.@Nullable Kind proxy, PrintStream out) {

    private static final long FAULT_MILLIS = 3000;

    /** A tunnel that needs longer for its calls hangs. */
    private static final int MOST_FAULTS = 600;

    /** Capacity for those of the tunnels that are faster, in all faults. */
    private static final int MOST_CALLS = 20_000_000;

    /** Prints the first wrong calls and, as the last line, JSON; returns whether nothing was wrong with any call. */
    boolean run() throws IOException, InterruptedException {
        try (Islands islands = Islands.start(folder, false, false, false, proxy);
                Traffic traffic = new Traffic(Compression.NONE, islands.consumerKeys(), islands.homeProvider());
                Accounts accounts = new Accounts(MOST_CALLS, Consumer.TIMEOUT_MILLIS, folder.resolve("calls.log"))) {
            Rows rows = rows(new Faults(islands, traffic, accounts, Pace.FAST), accounts);
            traffic.warmUp();
            traffic.begin(accounts, Pace.FAST);
            rows.passAll(TimeUnit.SECONDS.toMillis(1));
            for (int i = 0; i < MOST_FAULTS && accounts.fewest() < calls; i++) {
                rows.passNext(FAULT_MILLIS);
            }
            Verdict verdict = rows.end(traffic, islands);
            verdict.offenders().forEach(out::println);
            out.println(JSON.toJSONString(json(accounts, verdict)));
            return verdict.isClean() && accounts.fewest() >= calls;
        }
    }

    private Rows rows(Faults ofStar, Accounts accounts) {
        List<Fault> faults = new ArrayList<>(
                ofStar.all().stream().filter(fault -> !fault.harmless()).toList());
        if (proxy != null) {
            faults.addAll(ofStar.ofProxy());
        }
        return new Rows(new Storm(accounts, ofStar::clear), faults);
    }

    private static Map<String, Object> json(Accounts accounts, Verdict verdict) {
        Map<String, Object> json = new LinkedHashMap<>();
        Totals.byMode(accounts).forEach((mode, totals) -> json.put(mode.word(), totals.json()));
        json.put("doubled", verdict.count(Wrong.DOUBLED));
        json.put("not_sent_that_ran", verdict.notSentThatRan());
        json.put("misrouted", verdict.count(Wrong.MISROUTED));
        json.put("hung", verdict.count(Wrong.HUNG));
        json.put("unaccounted", verdict.count(Wrong.UNACCOUNTED));
        return json;
    }
}
