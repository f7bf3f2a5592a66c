// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos;

import io.highway.tools.chaos.account.Accounts;
import io.highway.tools.chaos.account.Verdict;
import io.highway.tools.chaos.load.Compression;
import io.highway.tools.chaos.load.Consumer;
import io.highway.tools.chaos.load.Pace;
import io.highway.tools.chaos.load.Traffic;
import io.highway.tools.chaos.star.ForwardProxy;
import io.highway.tools.chaos.star.Islands;
import io.highway.tools.fixtures.faults.FaultyLink;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A forward proxy between the consumers and home's gateways, and its faults under a steady load. */
record ProxyRun(Path folder, int seconds, ForwardProxy.Kind kind, PrintStream out) {

    /** Prints the table and, as the last line, JSON; returns whether nothing was wrong with any call. */
    boolean run() throws IOException, InterruptedException {
        int capacity = (seconds + ChaosRun.SPARE_SECONDS) * ChaosRun.CALLS_PER_SECOND;
        try (Islands islands = Islands.start(folder, false, true, false)) {
            ForwardProxy proxy = islands.forwardProxy(kind);
            try (Traffic traffic = new Traffic(Compression.NONE, behindProxy(islands, proxy), islands.homeProvider());
                    Accounts accounts = new Accounts(capacity, Consumer.TIMEOUT_MILLIS, folder.resolve("calls.log"))) {
                Rows rows = new Rows(
                        new Storm(accounts, () -> islands.links().forEach(FaultyLink::reset)), faults(proxy, islands));
                traffic.warmUp();
                traffic.begin(accounts, Pace.STEADY);
                rows.passAll(TimeUnit.SECONDS.toMillis(seconds));
                traffic.end();
                accounts.awaitEnds();
                Verdict verdict = Verdict.settled(
                                accounts, islands.ledger("shanghai"), islands.ledger("zhejiang"), rows::name)
                        .audited(islands.ledger("shanghai"), islands.auditTrail());
                return new Report(accounts, rows.all(), verdict, null, islands).print(out);
            }
        }
    }

    static List<Fault> faults(ForwardProxy proxy, Islands islands) {
        return List.of(
                new Fault("proxy killed", proxy::kill, proxy::restart, true, false),
                new Fault("proxy stands still", proxy::freeze, proxy::thaw),
                new Fault(
                        "home gateway 1 killed",
                        islands.first().node()::kill,
                        islands.first().node()::restart));
    }

    /** The gateways as the proxy knows them: it does not read this process's hosts file. */
    static Map<String, String> behindProxy(Islands islands, ForwardProxy proxy) {
        Map<String, String> keys = new HashMap<>(islands.gatewayKeys());
        keys.replaceAll((key, addresses) -> addresses.replaceAll("[^,:]+:", "localhost:"));
        keys.put("highway.gateways.proxy", proxy.url());
        return keys;
    }
}
