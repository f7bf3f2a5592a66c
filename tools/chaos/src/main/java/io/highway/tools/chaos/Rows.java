// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos;

import io.highway.tools.chaos.account.Accounts;
import io.highway.tools.chaos.account.Verdict;
import io.highway.tools.chaos.load.Traffic;
import io.highway.tools.chaos.star.Islands;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Runs faults one after the other, and keeps a row for each; for one that runs again, the slower of the two. */
final class Rows {

    private final Storm storm;
    private final List<Fault> faults = new ArrayList<>();
    private final TreeMap<Integer, Row> worst = new TreeMap<>();
    private int next;

    /** Begins with a period without faults. */
    Rows(Storm storm, List<Fault> faults) {
        this.storm = storm;
        this.faults.add(new Fault("none", () -> {}, () -> {}));
        this.faults.addAll(faults);
    }

    /** Runs the next fault, for at least this time. */
    void passNext(long millis) throws InterruptedException {
        Row row = storm.pass(next, faults.get(next), millis);
        worst.merge(next, row, Row::slower);
        next = (next + 1) % faults.size();
    }

    /** Each once, in this time together or longer. */
    void passAll(long millis) throws InterruptedException {
        for (int i = 0; i < faults.size(); i++) {
            passNext(millis / faults.size());
        }
    }

    /** Ends the load, waits until nothing is executed any more, and checks every call. */
    Verdict end(Traffic traffic, Islands islands) throws IOException, InterruptedException {
        Accounts accounts = storm.accounts();
        traffic.end();
        accounts.awaitEnds();
        return Verdict.settled(accounts, islands.ledger("shanghai"), islands.ledger("zhejiang"), this::name);
    }

    List<Row> all() {
        return List.copyOf(worst.values());
    }

    private String name(int number) {
        return faults.get(number).name();
    }
}
