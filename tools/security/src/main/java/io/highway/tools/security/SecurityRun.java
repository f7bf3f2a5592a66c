// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security;

import io.highway.tools.security.star.Bankside;
import io.highway.tools.security.star.Provider;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;

/** All attempts, and the account of what ran. */
record SecurityRun(Path folder, boolean quick, PrintStream out) {

    /** Prints the table and, as the last line, JSON; returns whether only what may run did, and all of it was audited. */
    boolean run() throws Exception {
        System.setProperty("audit.file", folder.resolve("callers.log").toString()); // for logback.xml
        try (Bankside bank = new Bankside(folder, true)) {
            List<Row> rows = new Attempts(bank, quick, out).all();
            int attempts = rows.stream().mapToInt(Row::calls).sum();
            int wrong = rows.stream().mapToInt(Row::wrong).sum();
            int ledger = 0;
            int audited = 0;
            boolean good = wrong == 0 && rows.stream().allMatch(Row::isGood);
            for (Provider provider : bank.providers()) {
                int executed = provider.executed().size();
                int lines = provider.audited(executed, "\"event\":\"end\"", "\"direction\":\"in\"", "\"sent\":true")
                        .size();
                ledger += executed;
                audited += lines;
                good &= lines == executed;
            }
            out.printf(
                    "{\"attempts\":%d,\"executed_wrongly\":%d,\"audited\":%d,\"ledger\":%d}%n",
                    attempts, wrong, audited, ledger);
            return good;
        }
    }
}
