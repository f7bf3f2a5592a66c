// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos;

import io.highway.tools.chaos.account.Accounts;
import io.highway.tools.chaos.account.Verdict;
import io.highway.tools.chaos.load.Compression;
import io.highway.tools.chaos.load.Consumer;
import io.highway.tools.chaos.load.Pace;
import io.highway.tools.chaos.load.Traffic;
import io.highway.tools.chaos.soak.Samples;
import io.highway.tools.chaos.star.Islands;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;

/**
 * Many calls as fast as answers arrive, meanwhile the faults one after the other, and samples of the consumers'
 * resources.
 */
record SoakRun(Path folder, int calls, Compression compression, PrintStream out) {

    /** Of these a fault has its share, which is more than the time-out of a call. */
    private static final long FAULT_MILLIS = 3000;

    private static final int CHECKPOINTS = 10;

    /** Capacity for the calls of the warm-up and for those beyond the number during the last faults. */
    private static final int SPARE_CALLS = 3_000_000;

    /** Prints two tables and, as the last line, JSON; returns whether nothing was wrong and nothing grew. */
    boolean run() throws IOException, InterruptedException {
        try (Islands islands = Islands.start(folder, false, false, false, null);
                Traffic traffic = new Traffic(compression, islands.gatewayKeys(), islands.homeProvider());
                Accounts accounts =
                        new Accounts(calls + SPARE_CALLS, Consumer.TIMEOUT_MILLIS, folder.resolve("calls.log"))) {
            Faults ofStar = new Faults(islands, traffic, accounts, Pace.FAST);
            // a soak does not restart consumers: Dubbo itself keeps some resources of a stopped application
            List<Fault> faults =
                    ofStar.all().stream().filter(fault -> !fault.harmless()).toList();
            Rows rows = new Rows(new Storm(accounts, ofStar::clear), faults);
            Samples samples = new Samples(islands.gatewayPorts(), folder.resolve("threads.notes"));
            traffic.warmUp();
            traffic.begin(accounts, Pace.FAST);
            rows.passAll(0); // each fault leaves something behind the first time, such as a thread of Dubbo's pools
            int warm = accounts.size();
            for (int i = 1; i <= CHECKPOINTS; i++) {
                do {
                    rows.passNext(FAULT_MILLIS);
                } while (accounts.size() - warm < (long) calls * i / CHECKPOINTS);
                traffic.pause();
                accounts.awaitEnds();
                samples.take(accounts.size());
                traffic.resume();
            }
            Verdict verdict = rows.end(traffic, islands);
            samples.print(out);
            boolean good = new Report(accounts, rows.all(), verdict, null, islands).print(out);
            return good && samples.isFlat();
        }
    }
}
