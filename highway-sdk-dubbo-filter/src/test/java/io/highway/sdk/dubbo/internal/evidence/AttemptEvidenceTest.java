// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.util.concurrent.ImmediateEventExecutor;
import io.netty.util.concurrent.Promise;
import java.util.concurrent.CancellationException;
import org.apache.dubbo.rpc.RpcInvocation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a request proves about one that a consumer filter sends after it. */
class AttemptEvidenceTest {

    private final RpcInvocation invocation =
            new RpcInvocation(null, "sell", "Shop", "", new Class<?>[0], new Object[0]);
    private final AttemptEvidence evidence =
            AttemptEvidence.begin(invocation, new OpenConnection(), "shanghai", "Shop", "sell", null);

    private static final class OpenConnection implements AttemptEvidence.Connection {

        private final WaitingAttempts<AttemptEvidence> waiting = new WaitingAttempts<>();

        @Override
        public boolean isInUse() {
            return true;
        }

        @Override
        public WaitingAttempts<AttemptEvidence> waiting() {
            return waiting;
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aWrittenRequestMayHaveRun_whenAFilterSendsAgain(boolean isWritten) {
        evidence.passToInvoker(invocation, false);
        assertThat(evidence.sends(() -> !isWritten)).isTrue();

        evidence.beginAgain();

        assertThat(evidence.mayHaveRunBefore()).isEqualTo(isWritten);
    }

    @Test
    void aRequestIsNotQueued_whoseCallerHasLeft() {
        evidence.passToInvoker(invocation, false);
        assertThat(evidence.abandon()).isTrue();

        assertThat(evidence.sends(() -> false)).isFalse();
    }

    @Test
    void aCallThatWasCancelledWhileItWaited_isNotSentAgain() {
        evidence.passToInvoker(invocation, true);
        Promise<Void> headers = ImmediateEventExecutor.INSTANCE.newPromise();
        assertThat(evidence.leave(headers, () -> {})).isTrue();
        assertThat(evidence.abandon()).isTrue();
        evidence.notWritten(headers.cause());

        evidence.beginAgain();

        assertThatThrownBy(() -> evidence.passToInvoker(invocation, true)).isInstanceOf(CancellationException.class);
        assertThat(evidence.mayHaveRunBefore()).isFalse();
    }

    @Test
    void aRequestWithoutAConnection_isNoneThatMayHaveRun() {
        evidence.passToInvoker(invocation, false);
        evidence.notWritten(new IllegalStateException("not connected"));

        evidence.beginAgain();

        assertThat(evidence.mayHaveRunBefore()).isFalse();
    }
}
