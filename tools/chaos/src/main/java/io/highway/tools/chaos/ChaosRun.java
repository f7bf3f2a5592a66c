// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos;

import io.highway.tools.chaos.account.Accounts;
import io.highway.tools.chaos.account.Verdict;
import io.highway.tools.chaos.load.Compression;
import io.highway.tools.chaos.load.Consumer;
import io.highway.tools.chaos.load.Pace;
import io.highway.tools.chaos.load.Traffic;
import io.highway.tools.chaos.star.Islands;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** One fault after another under a steady load, and the account of every call. */
final class ChaosRun {

    private static final int CALLS_PER_SECOND = 1000;
    private static final int SPARE_SECONDS = 300;

    private final Path folder;
    private final int seconds;
    private final boolean plain;
    private final Predicate<Fault> wanted;
    private final Compression compression;
    private final boolean dictionary;
    private final PrintStream out;

    ChaosRun(
            Path folder,
            int seconds,
            boolean plain,
            Predicate<Fault> wanted,
            Compression compression,
            boolean dictionary,
            PrintStream out) {
        this.folder = folder;
        this.seconds = seconds;
        this.plain = plain;
        this.wanted = wanted;
        this.compression = compression;
        this.dictionary = dictionary;
        this.out = out;
    }

    /** Prints the table and, as the last line, JSON; returns whether nothing was wrong with any call. */
    boolean run() throws IOException, InterruptedException {
        int capacity = (seconds + SPARE_SECONDS) * CALLS_PER_SECOND;
        try (Islands islands = Islands.start(folder, plain, true, dictionary);
                Traffic traffic = new Traffic(
                        compression,
                        islands.dictionaryKeys(),
                        islands.dubboAddresses(),
                        islands.tripleAddresses(),
                        islands.homeProvider());
                Accounts accounts = new Accounts(capacity, Consumer.TIMEOUT_MILLIS, folder.resolve("calls.log"))) {
            PlainRun plainRun = plain ? new PlainRun(islands.plainDubbo()) : null;
            Faults ofStar = new Faults(islands, traffic, accounts, Pace.STEADY);
            Rows rows = new Rows(
                    new Storm(accounts, ofStar::clear),
                    ofStar.all().stream().filter(wanted).toList());
            traffic.warmUp();
            if (dictionary) {
                traffic.warmUpDictionary(Traffic.ADVERTISED);
            }
            traffic.begin(accounts, Pace.STEADY);
            rows.passAll(TimeUnit.SECONDS.toMillis(seconds));
            traffic.end();
            accounts.awaitEnds();
            Verdict verdict = Verdict.settled(
                            accounts, islands.ledger("shanghai"), islands.ledger("zhejiang"), rows::name)
                    .audited(islands.ledger("shanghai"), islands.auditTrail());
            if (plainRun != null) {
                plainRun.await();
            }
            return new Report(accounts, rows.all(), verdict, plainRun, islands).print(out);
        }
    }
}
