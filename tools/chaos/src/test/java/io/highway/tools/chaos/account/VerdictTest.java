// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos.account;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Intent;
import io.highway.sdk.dubbo.InternalHighwayException;
import io.highway.sdk.dubbo.Reason;
import io.highway.tools.chaos.account.Verdict.Wrong;
import io.highway.tools.chaos.service.DeclinedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VerdictTest {

    @TempDir
    Path folder;

    private Accounts accounts;
    private Path far;
    private Path home;

    @BeforeEach
    void open() throws IOException {
        accounts = new Accounts(100, 1000, folder.resolve("calls.log"));
        far = folder.resolve("far");
        home = folder.resolve("home");
    }

    @AfterEach
    void close() throws IOException {
        accounts.close();
    }

    @Test
    void findsNothing_whenWordsAndLedgersAgree() throws Exception {
        call(CallKind.SUBMIT, "shanghai 0", null);
        call(CallKind.SUBMIT, null, new CompletionException(new DeclinedException("shanghai 1")));
        call(CallKind.SUBMIT, null, failure(Reason.CONNECTION_LOST, true));
        call(CallKind.SUBMIT, null, failure(Reason.CONNECTION_LOST, true));
        call(CallKind.SUBMIT, null, failure(Reason.GATEWAY_DOWN, false));
        call(CallKind.SUBMIT, null, failure(Reason.REFUSED_THERE, false));
        call(CallKind.QUERY, "shanghai 6", null);
        Files.writeString(far, "0\n1\n2\n6\n6\n");

        assertThat(verdict().isClean()).isTrue();
        assertThat(Totals.of(accounts)).isEqualTo(new Totals(7, 3, 1, 1, 2, 0));
    }

    @Test
    void findsDoubledCalls() throws Exception {
        call(CallKind.SUBMIT_LATER, "shanghai 0", null);
        Files.writeString(far, "0\n0\n");

        assertOnly(Wrong.DOUBLED, 1);
    }

    @Test
    void findsMisroutedCalls_byAnswerAndByLedger() throws Exception {
        call(CallKind.QUERY, "zhejiang 0", null);
        call(CallKind.QUERY, "shanghai 1", null);
        Files.writeString(far, "1\n");
        Files.writeString(home, "0\n1\n");

        assertOnly(Wrong.MISROUTED, 2);
    }

    @Test
    void findsCallsThatRan_thoughNotSentWasSaid() throws Exception {
        call(CallKind.QUERY, null, failure(Reason.GATEWAY_DOWN, false));
        call(CallKind.QUERY, null, failure(Reason.REFUSED_THERE, false));
        Files.writeString(far, "0\n1\n");

        assertOnly(Wrong.UNACCOUNTED, 2);
        assertThat(verdict().notSentThatRan()).isOne();
        assertThat(verdict().offenders()).hasSize(2).allMatch(line -> line.contains("executed in shanghai 1 x"));
    }

    @Test
    void findsCallsThatEndedInSomethingElse() throws Exception {
        call(CallKind.QUERY, "shanghai 0", null);
        call(CallKind.QUERY, "shanghai 7", null);
        call(CallKind.QUERY, null, new IllegalStateException());
        call(CallKind.QUERY, null, null);
        Files.writeString(far, "1\n2\n3\n");

        assertOnly(Wrong.UNACCOUNTED, 4);
    }

    @Test
    void findsCallsThatNeverEnd() throws Exception {
        accounts.begin(Mode.AUTO, CallKind.SUBMIT);

        assertOnly(Wrong.HUNG, 1);
    }

    private void call(CallKind kind, String value, Throwable thrown) {
        accounts.begin(Mode.DUBBO, kind).end(value, thrown);
    }

    private static HighwayException failure(Reason reason, boolean mayHaveRun) {
        return InternalHighwayException.create(
                "call", reason, Intent.NONE, "shanghai", mayHaveRun, "decided", "what", "advice", null);
    }

    private Verdict verdict() throws Exception {
        return Verdict.of(accounts, far, home, number -> "none");
    }

    private void assertOnly(Wrong wrong, int count) throws Exception {
        Verdict verdict = verdict();
        for (Wrong any : Wrong.values()) {
            assertThat(verdict.count(any)).as(any.name()).isEqualTo(any == wrong ? count : 0);
        }
    }
}
