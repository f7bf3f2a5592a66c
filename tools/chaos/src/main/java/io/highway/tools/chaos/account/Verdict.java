// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos.account;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** Compares the reported outcome of every call with what the islands have executed. */
public final class Verdict {

    private static final int SHOWN = 8;

    private final Accounts accounts;
    private final Ledger far;
    private final Ledger home;
    private final Map<Wrong, Integer> wrongs = new EnumMap<>(Wrong.class);
    private final List<String> offenders = new ArrayList<>();
    private final Function<Integer, String> faultName;
    private int notSentThatRan;
    private int audited;
    private int executed;

    /** The errors that must never occur. */
    public enum Wrong {
        DOUBLED,
        MISROUTED,
        HUNG,
        UNACCOUNTED,
        UNAUDITED
    }

    private Verdict(Accounts accounts, Ledger far, Ledger home, Function<Integer, String> faultName) {
        this.accounts = accounts;
        this.far = far;
        this.home = home;
        this.faultName = faultName;
    }

    /** Waits until nothing is executed any more, and checks every call. */
    public static Verdict settled(Accounts accounts, Path far, Path home, Function<Integer, String> faultName)
            throws IOException, InterruptedException {
        Ledger.awaitQuiet(far);
        Ledger.awaitQuiet(home);
        return of(accounts, far, home, faultName);
    }

    /** Compares what the remote island has executed with its audit trail, too. */
    public Verdict audited(Path ledger, AuditTrail trail) throws IOException {
        int[] ids = Ledger.ids(ledger);
        Ledger lines = trail.read(accounts.size());
        executed = ids.length;
        int[] lost = new int[accounts.size()];
        for (int entry = 0; entry < ids.length; entry++) {
            lost[ids[entry]] += trail.isLostByAnEnd(entry) ? 1 : 0;
        }
        for (int id = 0; id < accounts.size(); id++) {
            audited += lines.executions(id);
            int missing = far.executions(id) - lines.executions(id);
            count(Wrong.UNAUDITED, id, missing < 0 || missing > lost[id]);
        }
        return this;
    }

    /** How many calls the audit trail says have run. */
    public int auditedCalls() {
        return audited;
    }

    /** How many calls the remote island's ledger says have run. */
    public int executedCalls() {
        return executed;
    }

    /** Checks every call. */
    static Verdict of(Accounts accounts, Path far, Path home, Function<Integer, String> faultName) throws IOException {
        int calls = accounts.size();
        Verdict verdict = new Verdict(accounts, Ledger.read(far, calls), Ledger.read(home, calls), faultName);
        for (int id = 0; id < calls; id++) {
            verdict.judge(id);
        }
        return verdict;
    }

    private void judge(int id) throws IOException {
        int executions = far.executions(id) + home.executions(id);
        Ending ending = accounts.ending(id);
        boolean unaccounted =
                switch (ending) {
                    case REFUSED, NOT_SENT -> executions > 0;
                    case DELIVERED -> executions == 0;
                    case OTHER_ANSWER, OTHER_EXCEPTION -> true;
                    case UNDER_WAY, SENT_UNKNOWN, OTHER_ISLAND -> false;
                };
        count(Wrong.DOUBLED, id, executions > 1 && !accounts.kind(id).isIdempotent());
        count(Wrong.MISROUTED, id, ending == Ending.OTHER_ISLAND || home.executions(id) > 0);
        count(Wrong.HUNG, id, accounts.isHung(id));
        count(Wrong.UNACCOUNTED, id, unaccounted);
        notSentThatRan += ending == Ending.NOT_SENT && executions > 0 ? 1 : 0;
    }

    private void count(Wrong wrong, int id, boolean isWrong) throws IOException {
        if (isWrong && wrongs.merge(wrong, 1, Integer::sum) <= SHOWN) {
            offenders.add(
                    "%s: call %d, %s %s under \"%s\", reported %s; executed in shanghai %d x, in zhejiang %d x; said: %s"
                            .formatted(
                                    wrong.name().toLowerCase(Locale.ROOT),
                                    id,
                                    accounts.mode(id).word(),
                                    accounts.kind(id).method(),
                                    faultName.apply(accounts.faultOf(id)),
                                    accounts.ending(id).words(),
                                    far.executions(id),
                                    home.executions(id),
                                    accounts.said(id)));
        }
    }

    /** How many of those that are unaccounted for were reported as not sent. */
    public int notSentThatRan() {
        return notSentThatRan;
    }

    /** The number of calls with this error. */
    public int count(Wrong wrong) {
        return wrongs.getOrDefault(wrong, 0);
    }

    /** Whether there are no errors. */
    public boolean isClean() {
        return wrongs.isEmpty();
    }

    /** The first few calls of each error, explained. */
    public List<String> offenders() {
        return offenders;
    }
}
