// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CancellationException;
import org.apache.dubbo.rpc.RpcInvocation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a request proves about one that a consumer filter sends after it. */
class AttemptEvidenceTest {

    private final RpcInvocation invocation =
            new RpcInvocation(null, "sell", "Shop", "", new Class<?>[0], new Object[0]);
    private final AttemptEvidence evidence = AttemptEvidence.begin(invocation, "shanghai", "Shop", "sell", null);

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aWrittenRequestMayHaveRun_whenAFilterSendsAgain(boolean isWritten) {
        evidence.passToInvoker();
        assertThat(evidence.sends(() -> !isWritten)).isTrue();

        evidence.beginAgain();

        assertThat(evidence.mayHaveRunBefore()).isEqualTo(isWritten);
    }

    @Test
    void aRequestIsNotQueued_whoseCallerHasLeft() {
        evidence.passToInvoker();
        assertThat(evidence.abandon()).isTrue();

        assertThat(evidence.sends(() -> false)).isFalse();
    }

    @Test
    void aCallThatWasCancelledWhileItWaited_isNotSentAgain() {
        evidence.passToInvoker();
        assertThat(evidence.sends(() -> true)).isTrue();
        assertThat(evidence.abandon()).isTrue();

        evidence.beginAgain();

        assertThatThrownBy(evidence::passToInvoker).isInstanceOf(CancellationException.class);
        assertThat(evidence.mayHaveRunBefore()).isFalse();
    }

    @Test
    void aRequestThatCouldNotBeQueued_isNoneThatMayHaveRun() {
        evidence.passToInvoker();

        evidence.beginAgain();

        assertThat(evidence.mayHaveRunBefore()).isFalse();
        assertThat(evidence.neverLeft()).isTrue();
        assertThat(evidence.sends(() -> false)).isFalse(); // it is too late now
    }

    @Test
    void twoRequestsAtTheSameTime_proveNothing() {
        evidence.passToInvoker();
        assertThat(evidence.sends(() -> false)).isTrue();
        assertThat(evidence.sends(() -> true)).isTrue();

        assertThat(evidence.neverLeft()).isFalse();
    }
}
