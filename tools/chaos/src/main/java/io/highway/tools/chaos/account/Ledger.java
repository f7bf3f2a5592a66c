// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos.account;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** How often an island has executed each call. */
public final class Ledger {

    /** Nothing new for this time means that nothing is in flight any more. */
    private static final long QUIET_MILLIS = 500;

    private static final int MAXIMUM_WAITS = 10;

    private final byte[] executions;

    private Ledger(byte[] executions) {
        this.executions = executions;
    }

    /** Waits until a file no longer grows: calls that links or gateways delayed may still be executed. */
    static void awaitQuiet(Path file) throws IOException, InterruptedException {
        long size = -1;
        for (int i = 0; i < MAXIMUM_WAITS && size != size(file); i++) {
            size = size(file);
            TimeUnit.MILLISECONDS.sleep(QUIET_MILLIS);
        }
    }

    /** Without an entry. */
    static Ledger empty(int calls) {
        return new Ledger(new byte[calls]);
    }

    /** The ids of executed calls, in their order. */
    public static int[] ids(Path file) throws IOException {
        if (size(file) == 0) {
            return new int[0];
        }
        try (BufferedReader lines = Files.newBufferedReader(file)) {
            return lines.lines().mapToInt(Integer::parseInt).toArray();
        }
    }

    /** Reads an island's file. */
    static Ledger read(Path file, int calls) throws IOException {
        Ledger ledger = new Ledger(new byte[calls]);
        for (int id : ids(file)) {
            ledger.add(id);
        }
        return ledger;
    }

    private static long size(Path file) throws IOException {
        return Files.exists(file) ? Files.size(file) : 0;
    }

    void add(int id) {
        if (executions[id] < Byte.MAX_VALUE) {
            executions[id]++;
        }
    }

    int executions(int id) {
        return executions[id];
    }
}
