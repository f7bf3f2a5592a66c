// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos;

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

    List<Row> all() {
        return List.copyOf(worst.values());
    }

    String name(int number) {
        return faults.get(number).name();
    }
}
