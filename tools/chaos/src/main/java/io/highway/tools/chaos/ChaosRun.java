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
import io.highway.tools.chaos.star.PlainDubbo;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One fault after another under a steady load, and the account of every call.
 *
 * @param proxy the kind of a forward proxy before home's gateways, whose faults these are then; null for none
 */
record ChaosRun(
        Path folder,
        int seconds,
        boolean plain,
        Predicate<Fault> wanted,
        Compression compression,
        boolean dictionary,
        ForwardProxy.@Nullable Kind proxy,
        PrintStream out) {

    private static final int CALLS_PER_SECOND = 1000;
    private static final int SPARE_SECONDS = 300;

    /** Prints the table and, as the last line, JSON; returns whether nothing was wrong with any call. */
    boolean run() throws IOException, InterruptedException {
        int capacity = (seconds + SPARE_SECONDS) * CALLS_PER_SECOND;
        try (Islands islands = Islands.start(folder, plain, true, dictionary, proxy);
                Traffic traffic = new Traffic(compression, islands.consumerKeys(), islands.homeProvider());
                Accounts accounts = new Accounts(capacity, Consumer.TIMEOUT_MILLIS, folder.resolve("calls.log"))) {
            PlainDubbo plainDubbo = plain ? islands.plainDubbo() : null;
            if (plainDubbo != null) {
                plainDubbo.startRun();
            }
            Faults ofStar = new Faults(islands, traffic, accounts, Pace.STEADY);
            List<Fault> faults = proxy == null ? ofStar.all() : ofStar.ofProxy();
            Rows rows = new Rows(
                    new Storm(accounts, ofStar::clear),
                    faults.stream().filter(wanted).toList());
            traffic.warmUp();
            if (dictionary) {
                traffic.warmUpDictionary(Traffic.ADVERTISED);
            }
            traffic.begin(accounts, Pace.STEADY);
            rows.passAll(TimeUnit.SECONDS.toMillis(seconds));
            Verdict verdict = rows.end(traffic, islands).audited(islands.ledger("shanghai"), islands.auditTrail());
            if (plainDubbo != null) {
                plainDubbo.awaitRecovery();
            }
            return new Report(accounts, rows.all(), verdict, plainDubbo, islands).print(out);
        }
    }
}
