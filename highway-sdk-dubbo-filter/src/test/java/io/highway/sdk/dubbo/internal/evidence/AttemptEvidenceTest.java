// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.util.concurrent.ImmediateEventExecutor;
import io.netty.util.concurrent.Promise;
import java.net.InetSocketAddress;
import java.util.concurrent.CancellationException;
import org.apache.dubbo.remoting.RemotingException;
import org.apache.dubbo.remoting.exchange.Request;
import org.apache.dubbo.rpc.RpcInvocation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    /** In the words of Dubbo's {@code NettyChannel}: the request may be written after it. */
    @ParameterizedTest
    @CsvSource({
        "'Failed to send message to /10.0.0.1:20880, cause: in timeout(1000ms) limit', true",
        "'Failed to send message to /10.0.0.1:20880, cause: the connection is closed', false"
    })
    void aLateWriteMayHaveRun_whenAFilterSendsAgain(String what, boolean mayHaveRun) {
        evidence.passToInvoker(invocation, false);
        evidence.enter(new Request(7));
        evidence.writeFailed(new RemotingException((InetSocketAddress) null, null, what));

        evidence.beginAgain();

        assertThat(evidence.mayHaveRunBefore()).isEqualTo(mayHaveRun);
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
